package dev.varve.writer.analyze;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.GenericBlobMetadata;
import org.apache.iceberg.GenericStatisticsFile;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.puffin.Blob;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinCompressionCodec;
import org.apache.iceberg.puffin.PuffinWriter;
import org.apache.iceberg.puffin.StandardBlobTypes;

/** Sketches as a Puffin file beside a table's metadata. */
final class SketchFile {
  /** What readers take the number of distinct values from, without reading the sketch. */
  private static final String NDV = "ndv";

  private SketchFile() {}

  /** Writes one blob for each field; if that fails, no file is left. */
  static StatisticsFile write(
      Table table, Snapshot snapshot, List<Integer> fields, List<ThetaSketch> sketches)
      throws IOException {
    String name = snapshot.snapshotId() + "-" + UUID.randomUUID() + ".stats";
    OutputFile output =
        table
            .io()
            .newOutputFile(((HasTableOperations) table).operations().metadataFileLocation(name));
    try (PuffinWriter writer = Puffin.write(output).createdBy("Varve").build()) {
      for (int i = 0; i < fields.size(); i++) {
        writer.add(
            new Blob(
                StandardBlobTypes.APACHE_DATASKETCHES_THETA_V1,
                List.of(fields.get(i)),
                snapshot.snapshotId(),
                snapshot.sequenceNumber(),
                sketches.get(i).toBytes(),
                PuffinCompressionCodec.ZSTD,
                Map.of(NDV, Long.toString(Math.round(sketches.get(i).estimate())))));
      }
      writer.finish();
      return new GenericStatisticsFile(
          snapshot.snapshotId(),
          output.location(),
          writer.fileSize(),
          writer.footerSize(),
          writer.writtenBlobsMetadata().stream().map(GenericBlobMetadata::from).toList());
    } catch (IOException | RuntimeException e) {
      table.io().deleteFile(output.location());
      throw e;
    }
  }
}
