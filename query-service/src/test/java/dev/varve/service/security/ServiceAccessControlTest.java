package dev.varve.service.security;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.port.AccessControl.Access;
import dev.varve.engine.port.AccessControl.Privilege;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.home.Home;
import dev.varve.service.storage.StorageConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceAccessControlTest {
  private static final Principal USER = new Principal("user", Set.of());
  @TempDir Path directory;
  private Path root;
  private ServiceAccessControl access;

  @BeforeEach
  void create() throws Exception {
    root = Files.createDirectories(directory.toRealPath().resolve("root"));
    Files.createDirectories(root.resolve("a"));
    Files.createFile(root.resolve("a/data.parquet"));
    Files.createFile(directory.resolve("secret.parquet"));
    access =
        new ServiceAccessControl(
            List.of(root), StorageConfiguration.DEFAULTS, new Home(root.resolve("home")));
  }

  private void check(String path) {
    access.check(USER, List.of(new Access(Privilege.READ_FILES, new ObjectName("", "", path))));
  }

  private void allowed(String path) {
    assertThatCode(() -> check(path)).doesNotThrowAnyException();
  }

  private void refused(String path) {
    assertThatThrownBy(() -> check(path))
        .isInstanceOfSatisfying(
            VarveException.class,
            e ->
                org.assertj.core.api.Assertions.assertThat(e.code())
                    .isEqualTo(ErrorCode.INSUFFICIENT_PRIVILEGE));
  }

  @Test
  void whatTheServiceKeepsInItsHomeIsNoStatements() throws Exception {
    Files.createDirectories(root.resolve("home/warehouse"));
    access =
        new ServiceAccessControl(
            List.of(root), StorageConfiguration.DEFAULTS, new Home(root.resolve("home")));
    for (String own :
        List.of("catalog/x.parquet", "security/x.parquet", "run/x.parquet", "varve.properties")) {
      refused(root + "/home/" + own);
      refusedToWrite(root + "/home/" + own);
    }
    for (String own : List.of("warehouse/t/x.parquet", "logs/x.parquet", "tmp/x.parquet")) {
      refusedToWrite(root + "/home/" + own);
    }
    allowed(root + "/home/exported.parquet");
    allowed(root + "/home/warehouse/t/x.parquet");
  }

  private void refusedToWrite(String path) {
    List<Access> write = List.of(new Access(Privilege.WRITE_FILES, new ObjectName("", "", path)));
    assertThatThrownBy(() -> access.check(USER, write))
        .isInstanceOfSatisfying(
            VarveException.class,
            e ->
                org.assertj.core.api.Assertions.assertThat(e.code())
                    .isEqualTo(ErrorCode.INSUFFICIENT_PRIVILEGE));
  }

  @Test
  void filesBelowARootAreAllowed() {
    allowed(root + "/a/data.parquet");
    allowed(root.toUri() + "a/data.parquet");
    allowed(root + "/a/*.parquet");
    allowed(root + "/new/dir/out.parquet");
    allowed(root + "/a/../a/data.parquet");
  }

  @Test
  void nothingElseIs() {
    refused(directory + "/secret.parquet");
    refused("/etc/passwd");
    refused(root + "/../secret.parquet");
    refused(root + "/nothing/../../secret.parquet");
    refused(root + "/*/../../secret.parquet");
    refused(directory + "/*.parquet");
    refused(root + "2/x.parquet");
    refused("s3://bucket/key");
    refused("file:");
    refused("file:" + root + "/%2e%2e/secret.parquet/../../../secret.parquet");
    refused("file://host/etc/passwd");
    refused("a\u0000b");
  }

  @Test
  void linksDoNotLeadOut() throws Exception {
    Files.createSymbolicLink(root.resolve("link"), directory);
    Files.createSymbolicLink(root.resolve("dangling"), directory.resolve("not-yet"));
    refused(root + "/link/secret.parquet");
    refused(root + "/*/secret.parquet");
    refused(root + "/dangling");
    Files.createSymbolicLink(root.resolve("a/inside.parquet"), root.resolve("a/data.parquet"));
    allowed(root + "/a");
    Files.createSymbolicLink(root.resolve("a/out.parquet"), directory.resolve("secret.parquet"));
    refused(root + "/a");
    refused(root + "/a/*.parquet");
    refused(root + "/**.parquet");
    Files.delete(root.resolve("a/out.parquet"));
    allowed(root + "/a/*.parquet");
  }
}
