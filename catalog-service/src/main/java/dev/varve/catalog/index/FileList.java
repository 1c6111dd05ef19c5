package dev.varve.catalog.index;

import java.util.Arrays;

/**
 * The ids of a table's files, ascending, in pages of at most {@link StatPage#MAX_FILES}; a file's
 * place is its page and its position there. Immutable.
 *
 * @param packed how many of the pages are those of {@code generation}
 * @param generation the generation of stored pages that the first pages are those of; -1 if none
 */
record FileList(long[][] pages, int packed, int generation) {
  static final FileList EMPTY = new FileList(new long[0][], 0, -1);

  int pageCount() {
    return pages.length;
  }

  long count() {
    long count = 0;
    for (long[] page : pages) {
      count += page.length;
    }
    return count;
  }

  /** The greatest id; -1 if there is none. */
  long last() {
    return pages.length == 0 ? -1 : pages[pages.length - 1][pages[pages.length - 1].length - 1];
  }

  /** With files of greater ids. The last page takes some, if it is none of the stored ones. */
  FileList plus(long[] more) {
    if (more.length == 0) {
      return this;
    }
    long[][] all = pages;
    int taken = 0;
    int tail = pages.length - 1;
    if (pages.length > packed && pages[tail].length < StatPage.MAX_FILES) {
      long[] old = pages[tail];
      taken = Math.min(more.length, StatPage.MAX_FILES - old.length);
      all = pages.clone();
      all[tail] = Arrays.copyOf(old, old.length + taken);
      System.arraycopy(more, 0, all[tail], old.length, taken);
    }
    int added = (more.length - taken + StatPage.MAX_FILES - 1) / StatPage.MAX_FILES;
    all = Arrays.copyOf(all, pages.length + added);
    for (int i = 0; i < added; i++) {
      int from = taken + i * StatPage.MAX_FILES;
      all[pages.length + i] =
          Arrays.copyOfRange(more, from, Math.min(more.length, from + StatPage.MAX_FILES));
    }
    return new FileList(all, packed, generation);
  }

  /** The page that a file is in, if it is in any. */
  int page(long fileId) {
    int low = 0;
    int high = pages.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (pages[middle][0] <= fileId) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** The position of a file in a page; negative if it is not there. */
  int position(int page, long fileId) {
    return page < 0 ? -1 : Arrays.binarySearch(pages[page], fileId);
  }
}
