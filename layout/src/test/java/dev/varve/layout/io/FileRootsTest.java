package dev.varve.layout.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locations that lead out of the roots, however they are written. */
class FileRootsTest {
  @TempDir Path folder;

  private Path root;
  private FileRoots roots;

  @BeforeEach
  void makeRoots() throws IOException {
    root = Files.createDirectories(folder.resolve("warehouse"));
    Files.createDirectories(folder.resolve("warehouse-evil"));
    roots = FileRoots.of(List.of(root.toString(), "s3://lake/warehouse", "s3://whole-bucket"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"%s", "%s/", "%s/t", "file:%s/t", "file://%s/t/a b", "FILE:%s/t", "%s/a..b"})
  void localPlacesBelowTheRootAreInside(String form) {
    assertThat(roots.contain(form.formatted(root))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s-evil/t",
        "%s-evil",
        "%s/../warehouse-evil/t",
        "%s/t/../../x",
        "%s/./t",
        "%s/t/..",
        "%s/%%2e%%2e/x",
        "%s/%%2E%%2e/x",
        "%s/%%252e%%252e/x",
        "%s/a%%2f..%%2f..%%2fx",
        "%s/..\\..\\x",
        "file:%s/../x",
        "file://host%s/t",
        "file://host.example/%s/t",
        "%s/t\0x",
        "%s/t\nx",
        "hdfs://%s/t",
        "http:/%s/t",
        "s3:/%s/t",
        "relative%s/t"
      })
  void localPlacesThatLeadOutAreOutside(String form) {
    assertThat(roots.contain(form.formatted(root))).as(form).isFalse();
  }

  @Test
  void aPathInOtherCaseIsAnotherPath() {
    assertThat(roots.contain(root.toString().toUpperCase(java.util.Locale.ROOT) + "/t")).isFalse();
    assertThat(roots.contain("")).isFalse();
    assertThat(roots.contain("/")).isFalse();
  }

  @Test
  void linksAreFollowed() throws IOException {
    Path outside = Files.createDirectories(folder.resolve("outside/deep"));
    Files.createSymbolicLink(root.resolve("link"), outside);
    Files.createSymbolicLink(root.resolve("nowhere"), folder.resolve("not-there"));
    Files.createSymbolicLink(root.resolve("inside"), Files.createDirectories(root.resolve("t")));
    assertThat(roots.contain(root + "/link")).isFalse();
    assertThat(roots.contain(root + "/link/new/file.parquet")).isFalse();
    assertThat(roots.contain(root + "/nowhere/file.parquet")).isFalse();
    assertThat(roots.contain(root + "/inside/file.parquet")).isTrue();
  }

  @Test
  void aRootMayBeALink() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("by-link"), root);
    FileRoots byLink = FileRoots.of(List.of(link.toString()));
    assertThat(byLink.contain(link + "/t")).isTrue();
    assertThat(byLink.contain(root + "/t")).isTrue();
    assertThat(byLink.contain(folder + "/warehouse-evil/t")).isFalse();
  }

  @Test
  void aRootThatBecomesALinkLeadsNowhere() throws IOException {
    Path later = folder.resolve("later");
    FileRoots early = FileRoots.of(List.of(later.toString()));
    assertThat(early.contain(later + "/t")).isTrue();
    Files.createSymbolicLink(later, folder.resolve("warehouse-evil"));
    assertThat(early.contain(later + "/t")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://lake/warehouse",
        "s3://lake/warehouse/",
        "s3://lake/warehouse/t/data/x.parquet",
        "s3a://lake/warehouse/t",
        "s3://whole-bucket/any/thing",
        "s3://lake/warehouse/a b/c=1"
      })
  void objectsBelowThePrefixAreInside(String location) {
    assertThat(roots.contain(location)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://lake",
        "s3://lake/",
        "s3://lake/warehouse-evil/t",
        "s3://lake/warehous",
        "s3://lake/Warehouse/t",
        "s3://LAKE/warehouse/t",
        "S3://lake/warehouse/t",
        "s3://lake-evil/warehouse/t",
        "s3://lake.evil.example/warehouse/t",
        "s3://user@lake/warehouse/t",
        "s3://lake:80/warehouse/t",
        "s3:///lake/warehouse/t",
        "s3:/lake/warehouse/t",
        "s3://lake//warehouse/t",
        "s3://lake/warehouse//t",
        "s3://lake/warehouse/../t",
        "s3://lake/warehouse/./t",
        "s3://lake/warehouse/%2e%2e/t",
        "s3://lake/warehouse/%252E%252e/t",
        "s3://lake/warehouse/a%2F..%2f..%2fb",
        "s3://lake/warehouse/t?versionId=1",
        "s3://lake/warehouse/t#x",
        "s3://lake/warehouse/..\\t",
        "s3://whole-bucket-evil/x",
        "s3://arn:aws:s3:::lake/warehouse/t",
        "gs://lake/warehouse/t"
      })
  void objectsElsewhereAreOutside(String location) {
    assertThat(roots.contain(location)).isFalse();
  }

  @Test
  void aConfinedStoreRefusesWhateverMetadataNames() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret.parquet"), "x");
    ConfinedFileIO io = new ConfinedFileIO(new LocalFileIO(), roots);
    for (String location :
        List.of(secret.toString(), root + "/../secret.parquet", "s3://lake/other/x")) {
      assertThatThrownBy(() -> io.newInputFile(location))
          .isInstanceOf(VarveException.class)
          .hasMessageContaining("outside the locations");
      assertThatThrownBy(() -> io.newInputFile(location, 5)).isInstanceOf(VarveException.class);
      assertThatThrownBy(() -> io.newOutputFile(location)).isInstanceOf(VarveException.class);
      assertThatThrownBy(() -> io.deleteFile(location)).isInstanceOf(VarveException.class);
      assertThatThrownBy(() -> io.deleteFiles(List.of(root + "/t", location)))
          .isInstanceOf(VarveException.class);
      assertThatThrownBy(() -> io.listPrefix(location)).isInstanceOf(VarveException.class);
      assertThatThrownBy(() -> io.deletePrefix(location)).isInstanceOf(VarveException.class);
    }
    assertThat(secret).exists();
  }

  @Test
  void aRootIsADirectoryOrABucket() {
    for (String wrong : List.of("warehouse", "s3://b", "s3://UPPER/x", "s3://lake/../x")) {
      assertThatThrownBy(() -> FileRoots.of(List.of(wrong)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
