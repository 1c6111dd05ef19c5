package dev.varve.service.home;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The right to use a home, held by one process. The operating system gives it back when the process
 * ends, however it ends.
 *
 * <p>Closing any channel on a file gives up every lock this process has on it, so the lock file is
 * not opened while this process holds it: the holder's name is in a file of its own, with its start
 * time, since a restarted container gives the same pid to its next process.
 */
public final class HomeLock implements AutoCloseable {
  private static final int ATTEMPTS = 20;
  private static final long PAUSE_NANOS = 30_000_000;

  private final Home home;
  private final FileChannel channel;

  private HomeLock(Home home, FileChannel channel) {
    this.home = home;
    this.channel = channel;
  }

  /**
   * @throws StartFailure if another process holds the lock, with its pid
   */
  public static HomeLock acquire(Home home) {
    try {
      HomeLock lock = tryAcquire(home);
      // Whoever only looks whether it is held holds it for a moment.
      for (int i = 0; lock == null && i < ATTEMPTS; i++) {
        LockSupport.parkNanos(PAUSE_NANOS);
        lock = tryAcquire(home);
      }
      if (lock == null) {
        String holder = holder(home);
        throw new StartFailure(
            "the home "
                + home.root()
                + " is in use by another Varve process"
                + (holder.isEmpty() ? "" : " (pid " + holder.split(" ")[0] + ")")
                + "; stop it, or choose another with --home");
      }
      Files.writeString(holderFile(home), self());
      return lock;
    } catch (IOException e) {
      throw new StartFailure("the home " + home.root() + " cannot be locked: " + e.getMessage(), e);
    }
  }

  /** Whether a process holds the lock now. */
  public static boolean isHeld(Home home) {
    if (!Files.exists(lockFile(home))) {
      return false;
    }
    try (HomeLock lock = tryAcquire(home)) {
      return lock == null;
    } catch (IOException e) {
      return false;
    }
  }

  private static @Nullable HomeLock tryAcquire(Home home) throws IOException {
    if (holder(home).equals(self())) {
      return null;
    }
    FileChannel channel =
        FileChannel.open(lockFile(home), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return new HomeLock(home, channel);
      }
    } catch (OverlappingFileLockException e) {
      throw new IllegalStateException("the lock of " + home.root() + " is held without a name", e);
    }
    channel.close();
    return null;
  }

  private static String holder(Home home) throws IOException {
    try {
      return Files.readString(holderFile(home)).trim();
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static String self() {
    ProcessHandle process = ProcessHandle.current();
    return process.pid()
        + " "
        + process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  private static Path lockFile(Home home) {
    return home.run().resolve("lock");
  }

  private static Path holderFile(Home home) {
    return home.run().resolve("pid");
  }

  @Override
  public void close() throws IOException {
    if (holder(home).equals(self())) {
      Files.deleteIfExists(holderFile(home));
    }
    channel.close();
  }
}
