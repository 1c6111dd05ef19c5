package dev.varve.service.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.config.EngineSettings;
import dev.varve.service.storage.StorageConfiguration;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationFileTest {
  @TempDir Path directory;

  private ServiceConfiguration read(String text) throws Exception {
    Path file = directory.resolve("varve.properties");
    Files.writeString(file, text);
    return ConfigurationFile.read(file);
  }

  @Test
  void aDatabaseIsNamedByItsAddress() throws Exception {
    Path file = directory.resolve("varve.properties");
    Files.writeString(
        file,
        "database.url = jdbc:postgresql://db:5432/lake\ndatabase.user = varve\ndatabase.password = x\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(ConfigurationFile.read(file).database())
        .hasValue(
            new DatabaseConfiguration(
                "jdbc:postgresql://db:5432/lake", Optional.of("varve"), Optional.of("x")));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> ConfigurationFile.read(file))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("chmod 600");
    Files.writeString(file, "database.user = varve\n");
    assertThatThrownBy(() -> ConfigurationFile.read(file)).hasMessageContaining("database.url");
    Files.writeString(file, "database.url = jdbc:h2:mem:x\n");
    assertThatThrownBy(() -> ConfigurationFile.read(file)).hasMessageContaining("jdbc:postgresql:");
  }

  @Test
  void withoutAFileTheDefaultsHold() {
    assertThat(ConfigurationFile.read(directory.resolve("none")))
        .isEqualTo(ServiceConfiguration.DEFAULTS);
  }

  @Test
  void keysSetWhatTheySay() throws Exception {
    ServiceConfiguration configuration =
        read(
            """
            # a comment
            server.port = 9000
            server.address = localhost
            queries.result-buffer-bytes = 2MB
            queries.abandoned-after-seconds = 7
            spill.max-bytes = 3GB
            session.execution.batch_size = 100
            files.roots = %s
            """
                .formatted(directory));
    assertThat(configuration.port()).isEqualTo(9000);
    assertThat(configuration.address()).isEqualTo("127.0.0.1");
    assertThat(configuration.resultBufferBytes()).isEqualTo(2 << 20);
    assertThat(configuration.queryAbandonedAfter()).isEqualTo(Duration.ofSeconds(7));
    assertThat(configuration.spillBytes()).isEqualTo(3L << 30);
    assertThat(configuration.settings().get(EngineSettings.BATCH_SIZE)).isEqualTo(100);
    assertThat(configuration.fileRoots()).containsExactly(directory.toRealPath());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          server.prot = 1             | line 1, key 'server.prot': no such key
          server.port = x             | line 1, key 'server.port': 'x' is not a whole number
          server.port = 70000         | line 1, key 'server.port': 70000 is not between 0 and 65535
          server.port                 | line 1: 'server.port' is not key = value
          session.no.such = 1         | line 1, key 'session.no.such': unknown setting 'no.such'
          session.timezone = Mars     | line 1, key 'session.timezone': invalid value 'Mars'
          files.roots = /no/such/dir  | line 1, key 'files.roots': '/no/such/dir' is not a directory
          files.roots = s3://B/x      | line 1, key 'files.roots': 's3://B/x' is not s3://bucket/prefix
          warehouse = data/tables     | line 1, key 'warehouse': 'data/tables' is not an absolute path
          s3.path-style = yes         | line 1, key 's3.path-style': 'yes' is neither true nor false
          s3.endpoint = store:9000    | line 1, key 's3.endpoint': not an address
          s3.access-key-id = a        | line 1, key 's3.access-key-id': s3.access-key-id and s3.secret-access-key are given
          s3.secret-access-key zzz    | line 1: the line is not key = value
          server.max-body-bytes = 1q  | line 1, key 'server.max-body-bytes': '1q' is not a size
          """)
  void whatIsWrongIsNamedWithFileLineAndKey(String line, String message) {
    assertThatThrownBy(() -> read(line + "\n"))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("varve.properties, " + message);
  }

  @Test
  void s3IsReachedAsTheFileSays() throws Exception {
    Path file = Files.createFile(directory.resolve("varve.properties"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        file,
        """
        warehouse = s3://lake/tables
        files.roots = s3://lake/exports, %s
        s3.endpoint = https://store.example:9000
        s3.region = eu-west-1
        s3.path-style = true
        s3.access-key-id = someone
        s3.secret-access-key = hush
        """
            .formatted(directory));
    ServiceConfiguration configuration = ConfigurationFile.read(file);
    StorageConfiguration storage = configuration.storage();
    assertThat(storage.warehouse()).contains("s3://lake/tables");
    assertThat(storage.roots())
        .containsExactly("s3://lake/exports", directory.toRealPath().toString());
    assertThat(configuration.fileRoots()).containsExactly(directory.toRealPath());
    assertThat(storage.s3().endpoint()).contains(URI.create("https://store.example:9000"));
    assertThat(storage.s3().keys().orElseThrow().secretKey()).isEqualTo("hush");
    assertThat(configuration.toString()).doesNotContain("hush").doesNotContain("someone");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> ConfigurationFile.read(file))
        .hasMessageContaining("others may read this file")
        .hasMessageNotContaining("hush");
  }

  @Test
  void aKeyGivenTwiceIsAnError() {
    assertThatThrownBy(() -> read("server.port=1\n\nserver.port=2\n"))
        .hasMessageContaining("line 3, key 'server.port': given twice, first in line 1");
  }

  @Test
  void aFileThatIsNoTextIsAnError() throws Exception {
    Path file = directory.resolve("varve.properties");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThatThrownBy(() -> ConfigurationFile.read(file))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("is not a text file in UTF-8");
  }
}
