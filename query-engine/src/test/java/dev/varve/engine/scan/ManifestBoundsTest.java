package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans from manifests, without an index, take no more from a bound than it says. */
class ManifestBoundsTest {
  @TempDir Path folder;

  private ColumnFacts facts(org.apache.iceberg.types.Type type, byte[] least, byte[] greatest) {
    Table table =
        new HadoopTables(new Configuration())
            .create(
                new Schema(Types.NestedField.optional(1, "c", type)),
                PartitionSpec.unpartitioned(),
                Map.of("format-version", "3"),
                folder.resolve("t").toString());
    return IcebergFacts.of(
            table,
            DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(folder.resolve("f.parquet").toString())
                .withFormat("parquet")
                .withFileSizeInBytes(100)
                .withMetrics(
                    new Metrics(
                        2L,
                        null,
                        null,
                        null,
                        null,
                        Map.of(1, ByteBuffer.wrap(least)),
                        Map.of(1, ByteBuffer.wrap(greatest))))
                .build())
        .column(1);
  }

  @Test
  void aLowerBoundCutInsideACharacterKeepsItsBytes() {
    byte[] cut = {'a', (byte) 0xE2, (byte) 0x82};
    assertThat(facts(Types.StringType.get(), cut, new byte[] {'b'}).lower())
        .isEqualTo(new Bound.Inexact(EncodedKey.of(cut)));
  }

  @Test
  void uuidsThatWereComparedAsSignedNumbersHaveNoBounds() {
    UUID negative = new UUID(-5, 0);
    UUID positive = new UUID(5, 0);
    ColumnFacts facts = facts(Types.UUIDType.get(), bytes(negative), bytes(positive));
    assertThat(facts.lower()).isEqualTo(Bound.UNKNOWN);
    assertThat(facts.upper()).isEqualTo(Bound.UNKNOWN);
  }

  @Test
  void boundsTheWrongWayRoundAreNone() {
    ColumnFacts facts = facts(Types.LongType.get(), little(9), little(3));
    assertThat(facts.lower()).isEqualTo(Bound.UNKNOWN);
    assertThat(facts.upper()).isEqualTo(Bound.UNKNOWN);
  }

  @Test
  void nanosecondsAreRoundedAsTheirValuesAre() {
    ColumnFacts facts = facts(Types.TimestampNanoType.withoutZone(), little(-1), little(1_999_999));
    assertThat(facts.lower()).isEqualTo(new Bound.Inexact(KeyEncoding.encodeLong(-1)));
    assertThat(facts.upper()).isEqualTo(new Bound.Inexact(KeyEncoding.encodeLong(1_999)));
  }

  private static byte[] bytes(UUID value) {
    return KeyEncoding.encodeValue(KeyType.UUID, value).toByteArray();
  }

  private static byte[] little(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
