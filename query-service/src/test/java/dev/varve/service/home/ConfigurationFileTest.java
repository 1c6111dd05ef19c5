package dev.varve.service.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.config.EngineSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
          server.max-body-bytes = 1q  | line 1, key 'server.max-body-bytes': '1q' is not a size
          """)
  void whatIsWrongIsNamedWithFileLineAndKey(String line, String message) {
    assertThatThrownBy(() -> read(line + "\n"))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("varve.properties, " + message);
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
