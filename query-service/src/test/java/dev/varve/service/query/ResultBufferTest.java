package dev.varve.service.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ResultBufferTest {
  private static final Duration NO_WAIT = Duration.ZERO;
  private static final long MANY_BYTES = 1 << 30;

  @Test
  void aSlowClientStopsTheProducer() throws Exception {
    long batchBytes = ScriptedEngine.numbers(0, 1000).sizeInBytes();
    ResultBuffer buffer = new ResultBuffer(3 * batchBytes);
    buffer.begin(ScriptedEngine.NUMBERS);
    AtomicInteger offered = new AtomicInteger();
    Thread producer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    for (int i = 0; i < 10; i++) {
                      buffer.offer(ScriptedEngine.numbers(i * 1000L, 1000));
                      offered.incrementAndGet();
                    }
                    buffer.complete();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    while (offered.get() < 3) {
      Thread.sleep(1);
    }
    Thread.sleep(50);
    assertThat(offered).hasValue(3);
    assertThat(buffer.bufferedBytes()).isLessThanOrEqualTo(3 * batchBytes);

    long rows = 0;
    long token = 0;
    while (token >= 0) {
      ResultBuffer.Page page = buffer.fetch(token, 700, MANY_BYTES, Duration.ofSeconds(5));
      assertThat(page.rowCount()).isLessThanOrEqualTo(700);
      rows += page.rowCount();
      token = page.next();
    }
    assertThat(rows).isEqualTo(10_000);
    producer.join();
  }

  @Test
  void theLastPageIsGivenOutAgainAndAnEarlierOneIsNot() throws Exception {
    ResultBuffer buffer = new ResultBuffer(MANY_BYTES);
    buffer.begin(ScriptedEngine.NUMBERS);
    buffer.offer(ScriptedEngine.numbers(0, 100));
    buffer.complete();
    ResultBuffer.Page first = buffer.fetch(0, 60, MANY_BYTES, NO_WAIT);
    assertThat(buffer.fetch(0, 60, MANY_BYTES, NO_WAIT)).isSameAs(first);
    ResultBuffer.Page second = buffer.fetch(1, 60, MANY_BYTES, NO_WAIT);
    assertThat(second.rowCount()).isEqualTo(40);
    assertThat(second.next()).isEqualTo(-1);
    assertThatThrownBy(() -> buffer.fetch(0, 60, MANY_BYTES, NO_WAIT))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void aPageHoldsAsManyRowsAsFitItsBytesAndAtLeastOne() throws Exception {
    ResultBuffer buffer = new ResultBuffer(MANY_BYTES);
    buffer.begin(ScriptedEngine.NUMBERS);
    buffer.offer(ScriptedEngine.numbers(0, 1000));
    buffer.complete();
    assertThat(buffer.fetch(0, 1000, 800, NO_WAIT).rowCount()).isBetween(1, 100);
    assertThat(buffer.fetch(1, 1000, 1, NO_WAIT).rowCount()).isEqualTo(1);
  }

  @Test
  void anEmptyPageHasItsOwnTokenAsTheNext() throws Exception {
    ResultBuffer buffer = new ResultBuffer(MANY_BYTES);
    ResultBuffer.Page page = buffer.fetch(0, 10, MANY_BYTES, Duration.ofMillis(20));
    assertThat(page.schema()).isNull();
    assertThat(page.next()).isZero();
  }

  @Test
  void discardingReleasesTheRowsAndTheProducer() throws Exception {
    ResultBuffer buffer = new ResultBuffer(1);
    buffer.begin(ScriptedEngine.NUMBERS);
    assertThat(buffer.offer(ScriptedEngine.numbers(0, 1000))).isTrue();
    Thread canceler =
        Thread.ofVirtual()
            .start(
                () ->
                    buffer.discard(
                        new VarveException(ErrorCode.QUERY_CANCELED, "the query was cancelled")));
    assertThat(buffer.offer(ScriptedEngine.numbers(1000, 1000))).isFalse();
    canceler.join();
    assertThat(buffer.bufferedBytes()).isZero();
    assertThatThrownBy(() -> buffer.fetch(0, 10, MANY_BYTES, NO_WAIT))
        .hasMessage("the query was cancelled");
  }
}
