package dev.varve.engine.spill;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's place for spill files: {@code root/varve-spill-X/}, made when the first file is, with a
 * locked {@code root/varve-spill-X.lock} beside it for as long as the process lives. Opening a
 * space removes the folders of processes that ended without removing theirs. Safe for concurrent
 * use.
 */
public final class SpillSpace implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SpillSpace.class);
  private static final String PREFIX = "varve-spill-";
  private static final String LOCK_SUFFIX = ".lock";

  private final @Nullable Path root;
  private final long limit;
  private final SpillStorage storage;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong lastFile = new AtomicLong();
  private @Nullable Claim claim;
  private boolean closed;

  /** A folder of our own, and the lock that says so. */
  private record Claim(Path folder, Path lockFile, FileChannel lock) {}

  private SpillSpace(@Nullable Path root, long limit, SpillStorage storage) {
    this.root = root;
    this.limit = limit;
    this.storage = storage;
  }

  /** No place: what does not fit into memory is an error. */
  public static SpillSpace none() {
    return new SpillSpace(null, 0, SpillStorage.files());
  }

  /** A folder under the system's folder for temporary files, without a limit. */
  public static SpillSpace temporary() {
    return open(Path.of(System.getProperty("java.io.tmpdir")), Long.MAX_VALUE);
  }

  /** A folder under {@code root}, which is made if it is missing. */
  public static SpillSpace open(Path root, long limitBytes) {
    return open(root, limitBytes, SpillStorage.files());
  }

  public static SpillSpace open(Path root, long limitBytes, SpillStorage storage) {
    sweep(root);
    return new SpillSpace(root, limitBytes, storage);
  }

  /** Removes what processes that are no more have left. What cannot be removed is left alone. */
  private static void sweep(Path root) {
    if (!Files.isDirectory(root)) {
      return;
    }
    try (DirectoryStream<Path> found = Files.newDirectoryStream(root, PREFIX + "*")) {
      for (Path path : found) {
        String name = path.getFileName().toString();
        if (name.endsWith(LOCK_SUFFIX)) {
          sweepIfAbandoned(path);
        } else if (!Files.exists(path.resolveSibling(name + LOCK_SUFFIX))) {
          // Made after its lock and removed before it: without one nobody is there.
          removeFolder(path);
        }
      }
    } catch (IOException e) {
      LOG.warn("cannot look for abandoned spill files in {}", root, e);
    }
  }

  private static void sweepIfAbandoned(Path lockFile) {
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        String name = lockFile.getFileName().toString();
        Path folder =
            lockFile.resolveSibling(name.substring(0, name.length() - LOCK_SUFFIX.length()));
        LOG.info("removing abandoned spill files in {}", folder);
        removeFolder(folder);
        Files.deleteIfExists(lockFile);
      }
    } catch (OverlappingFileLockException | NoSuchFileException e) {
      LOG.debug("{} is in use or gone", lockFile);
    } catch (IOException e) {
      LOG.warn("cannot remove abandoned spill files of {}", lockFile, e);
    }
  }

  private static void removeFolder(Path folder) {
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) inside.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException e) {
      LOG.debug("{} is gone", folder);
    } catch (IOException | java.io.UncheckedIOException e) {
      LOG.warn("cannot remove spill folder {}", folder, e);
    }
  }

  /** Whether there is a place at all. */
  public boolean exists() {
    return root != null;
  }

  /** A query's part, with a limit of its own where that is lower; 0 means the node's. */
  public SpillScope ofQuery(String queryId, long limitBytes) {
    return new SpillScope(this, queryId, limitBytes == 0 ? Long.MAX_VALUE : limitBytes);
  }

  /** Bytes in all files now. */
  public long usedBytes() {
    return used.get();
  }

  public long limitBytes() {
    return limit;
  }

  boolean tryGrow(long bytes) {
    long before;
    do {
      before = used.get();
      if (bytes > limit - before) {
        return false;
      }
    } while (!used.compareAndSet(before, before + bytes));
    return true;
  }

  void shrink(long bytes) {
    used.addAndGet(-bytes);
  }

  SpillStorage storage() {
    return storage;
  }

  /** The path of a file that is not there yet. */
  Path newFile(String queryId) throws IOException {
    String name = queryId.replaceAll("[^A-Za-z0-9_-]", "_");
    return folder().resolve(name + "-" + lastFile.incrementAndGet() + ".arrows");
  }

  private synchronized Path folder() throws IOException {
    Path place = root;
    if (place == null || closed) {
      throw new VarveException(
          ErrorCode.SHUTTING_DOWN, "there is no place for spill files: the engine is closed");
    }
    Claim held = claim;
    if (held == null) {
      Files.createDirectories(place);
      held = claim(place);
      claim = held;
    }
    return held.folder();
  }

  private static Claim claim(Path root) throws IOException {
    while (true) {
      String name = PREFIX + UUID.randomUUID();
      Path lockFile = root.resolve(name + LOCK_SUFFIX);
      FileChannel channel =
          FileChannel.open(
              lockFile,
              java.util.Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              SpillStorage.ownerOnly(root, "rw-------"));
      if (lock(channel) && Files.exists(lockFile)) {
        Path folder =
            Files.createDirectory(root.resolve(name), SpillStorage.ownerOnly(root, "rwx------"));
        return new Claim(folder, lockFile, channel);
      }
      // A sweep came between the making of the lock file and its lock.
      channel.close();
    }
  }

  /** The lock lives as long as the channel. */
  private static boolean lock(FileChannel channel) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock()).isPresent();
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** The files there are now, for tests and reports. */
  public List<Path> files() {
    Claim held;
    synchronized (this) {
      held = claim;
    }
    if (held == null) {
      return List.of();
    }
    try (Stream<Path> inside = Files.list(held.folder())) {
      return inside.sorted().toList();
    } catch (IOException e) {
      throw new VarveException(ErrorCode.IO_ERROR, "cannot list spill files: " + e, e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    Claim held = claim;
    if (held != null) {
      claim = null;
      removeFolder(held.folder());
      try {
        Files.deleteIfExists(held.lockFile());
        held.lock().close();
      } catch (IOException e) {
        LOG.warn("cannot remove {}", held.lockFile(), e);
      }
    }
  }
}
