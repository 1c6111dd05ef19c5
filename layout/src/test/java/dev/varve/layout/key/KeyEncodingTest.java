package dev.varve.layout.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.layout.Bound;
import dev.varve.layout.KeyRange;
import dev.varve.layout.NullOrder;
import dev.varve.layout.SortDirection;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.key.KeyEncoding.Part;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeyEncodingTest {
  private static final Part TEXT_DESC =
      new Part(KeyType.STRING, SortDirection.DESC, NullOrder.NULLS_LAST);
  private static final Part NUMBER =
      new Part(KeyType.INTEGRAL, SortDirection.ASC, NullOrder.NULLS_FIRST);

  /** The bytes are stored: these may never change without a new version of the encoding. */
  @Test
  void bytesAreFixed() {
    assertThat(KeyEncoding.encodeValue(KeyType.BOOLEAN, true)).hasToString("01");
    assertThat(KeyEncoding.encodeValue(KeyType.INTEGRAL, -1L)).hasToString("7fffffffffffffff");
    assertThat(KeyEncoding.encodeValue(KeyType.FLOATING, -0.0)).hasToString("8000000000000000");
    assertThat(KeyEncoding.encodeValue(KeyType.FLOATING, -1.5)).hasToString("4007ffffffffffff");
    assertThat(KeyEncoding.encodeValue(KeyType.FLOATING, Double.NaN))
        .hasToString("fff8000000000000");
    assertThat(KeyEncoding.encodeValue(KeyType.DECIMAL, BigInteger.ZERO)).hasToString("80");
    assertThat(KeyEncoding.encodeValue(KeyType.DECIMAL, BigInteger.valueOf(256)))
        .hasToString("820100");
    assertThat(KeyEncoding.encodeValue(KeyType.DECIMAL, BigInteger.valueOf(-1)))
        .hasToString("7efe");
    assertThat(KeyEncoding.encodeValue(KeyType.STRING, "é")).hasToString("c3a9");
    assertThat(KeyEncoding.encodeValue(KeyType.UUID, new UUID(1, -1)))
        .hasToString("0000000000000001ffffffffffffffff");
    assertThat(KeyEncoding.encode(List.of(NUMBER, TEXT_DESC), Arrays.asList(null, "a\0")))
        .hasToString("01" + "02" + "9eff00" + "fffe");
    assertThat(KeyEncoding.encode(List.of(NUMBER, TEXT_DESC), Arrays.asList(1L, null)))
        .hasToString("02" + "8000000000000001" + "03");
  }

  @Test
  void aStringWithHalfASurrogatePairIsRefused() {
    assertThatThrownBy(() -> KeyEncoding.encodeValue(KeyType.STRING, "a\uD83D"))
        .isInstanceOf(VarveException.class)
        .hasMessageContaining("surrogate");
  }

  @Test
  void aCutKeyIsNotDecoded() {
    EncodedKey key = KeyEncoding.encode(List.of(NUMBER, TEXT_DESC), List.of(1L, "abc"));
    EncodedKey cut = KeyTruncation.lower(key, key.length() - 1);
    assertThatThrownBy(() -> KeyEncoding.decode(List.of(NUMBER, TEXT_DESC), cut))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> KeyEncoding.decode(List.of(NUMBER), key))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anUpperEndOfOnlyFfCannotBeCut() {
    byte[] bytes = new byte[EncodedKey.MAX_BYTES + 1];
    Arrays.fill(bytes, (byte) 0xFF);
    assertThat(KeyTruncation.upper(EncodedKey.of(bytes), 10)).isEmpty();
    assertThat(KeyTruncation.upperBound(EncodedKey.of(bytes))).isEqualTo(Bound.UNKNOWN);
    bytes[3] = 7;
    assertThat(KeyTruncation.upper(EncodedKey.of(bytes), 10))
        .hasValueSatisfying(cut -> assertThat(cut).hasToString("ffffff08"));
    assertThat(KeyTruncation.upperBound(EncodedKey.of(bytes))).isInstanceOf(Bound.Inexact.class);
    assertThat(KeyTruncation.lowerBound(EncodedKey.of(new byte[] {1})))
        .isEqualTo(new Bound.Exact(EncodedKey.of(new byte[] {1})));
  }

  @Test
  void aRangeIsCutWhereItIsTooLong() {
    EncodedKey shortKey = KeyEncoding.encode(List.of(TEXT_DESC), List.of("z"));
    EncodedKey longKey = KeyEncoding.encode(List.of(TEXT_DESC), List.of("a".repeat(1000)));
    KeyRange range = KeyTruncation.range(shortKey, longKey);
    assertThat(range.lowerExact()).isTrue();
    assertThat(range.lower()).isEqualTo(shortKey);
    assertThat(range.upperExact()).isFalse();
    assertThat(range.upper().length()).isLessThanOrEqualTo(EncodedKey.MAX_BYTES);
    assertThat(range.upper()).isGreaterThan(longKey);
  }
}
