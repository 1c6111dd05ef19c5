package dev.varve.catalog.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When the files of a {@link FileList} live in one history line. A file that comes back has its
 * further lives in further layers. Immutable: who still reads an older state of the line is not
 * disturbed, and sees the same at its points.
 *
 * @param throughSeq up to which point the line is known
 * @param forkSeq where the line forked from the one whose files it inherited; -1 if it did not.
 *     Rows of its own from up to there are in place of inherited ones, also when the line has been
 *     given rows for all of them since
 */
record LineLives(long lineId, long throughSeq, long forkSeq, List<@Nullable Lives[]> layers) {
  private static final long NEVER = Long.MAX_VALUE;

  /** The lives of one page's files; a file that does not live is added never. */
  record Lives(long[] added, long[] removed) {
    static Lives none(int files) {
      long[] added = new long[files];
      Arrays.fill(added, NEVER);
      return new Lives(added, added.clone());
    }

    Lives copy(int files) {
      int n = added.length;
      Lives copy = new Lives(Arrays.copyOf(added, files), Arrays.copyOf(removed, files));
      Arrays.fill(copy.added, n, files, NEVER);
      Arrays.fill(copy.removed, n, files, NEVER);
      return copy;
    }
  }

  /** Adds up rows of the database to lives; confined to one thread. */
  static final class Builder {
    private final FileList files;
    private final long lineId;
    private final long forkSeq;
    private final List<@Nullable Lives[]> layers = new ArrayList<>();
    private final List<boolean[]> own = new ArrayList<>();

    /** A line that is not known yet. */
    Builder(FileList files, long lineId, long forkSeq) {
      this.files = files;
      this.lineId = lineId;
      this.forkSeq = forkSeq;
    }

    /** A line as it is known, perhaps of fewer files. */
    Builder(FileList files, LineLives known) {
      this(files, known.lineId, known.forkSeq);
      for (@Nullable Lives[] layer : known.layers) {
        layers.add(Arrays.copyOf(layer, files.pageCount()));
        own.add(new boolean[files.pageCount()]);
      }
    }

    /** A file that lived where the line forked. */
    void inherit(long fileId) {
      int page = files.page(fileId);
      set(0, page, files.position(page, fileId), forkSeq, NEVER);
    }

    /** A row of the line: a life that is new, or a known one with its end. */
    void put(long fileId, long addedSeq, long removedSeq) {
      int page = files.page(fileId);
      int position = files.position(page, fileId);
      if (position < 0) {
        throw new IllegalStateException("file " + fileId + " lives and has no facts");
      }
      if (addedSeq <= forkSeq) {
        set(0, page, position, addedSeq, removedSeq);
        return;
      }
      for (int layer = 0; ; layer++) {
        long[] added = lives(layer, page).added;
        if (added[position] == NEVER || added[position] == addedSeq) {
          set(layer, page, position, addedSeq, removedSeq);
          return;
        }
      }
    }

    private void set(int layer, int page, int position, long addedSeq, long removedSeq) {
      Lives lives = lives(layer, page);
      lives.added[position] = addedSeq;
      lives.removed[position] = removedSeq;
    }

    private Lives lives(int layer, int page) {
      if (layer == layers.size()) {
        layers.add(new @Nullable Lives[files.pageCount()]);
        own.add(new boolean[files.pageCount()]);
      }
      int count = files.pages()[page].length;
      @Nullable Lives[] pages = layers.get(layer);
      Lives lives = pages[page];
      if (lives == null || !own.get(layer)[page] || lives.added.length < count) {
        lives = lives == null ? Lives.none(count) : lives.copy(count);
        pages[page] = lives;
        own.get(layer)[page] = true;
      }
      return lives;
    }

    LineLives build(long throughSeq) {
      return new LineLives(lineId, throughSeq, forkSeq, List.copyOf(layers));
    }
  }

  /** A bit for each file of a page that is alive at a point, set in {@code into}, which is zero. */
  void alive(int page, long seq, long[] into) {
    for (@Nullable Lives[] layer : layers) {
      Lives lives = page < layer.length ? layer[page] : null;
      if (lives != null) {
        long[] added = lives.added;
        long[] removed = lives.removed;
        for (int i = 0; i < added.length; i++) {
          if (added[i] <= seq && seq < removed[i]) {
            into[i >> 6] |= 1L << i;
          }
        }
      }
    }
  }

  /** Bytes that it holds of the heap. */
  long bytes() {
    long bytes = 0;
    for (@Nullable Lives[] layer : layers) {
      for (Lives lives : layer) {
        bytes += lives == null ? 8 : 16L * lives.added.length + 80;
      }
    }
    return bytes;
  }
}
