import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Spark in a process of its own. Reads statements, one a line, from standard input and answers on
 * standard output: a line for each row, its values separated by tabs, then a line that begins with
 * "=". Arguments: the catalog's address, a token.
 */
public final class SparkSide {
  private static final Set<String> OPENED = ConcurrentHashMap.newKeySet();

  private SparkSide() {}

  /** Notes which files are opened. */
  public static final class NotingFileIO extends HadoopFileIO {
    @Override
    public InputFile newInputFile(String path) {
      OPENED.add(path);
      return super.newInputFile(path);
    }

    @Override
    public InputFile newInputFile(String path, long length) {
      OPENED.add(path);
      return super.newInputFile(path, length);
    }
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream out = System.out;
    System.setOut(System.err);
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .appName("varve")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions");
    for (String planning : new String[] {"client", "server"}) {
      // lake plans its scans itself, planned has the catalog do it.
      String catalog = "spark.sql.catalog." + (planning.equals("client") ? "lake" : "planned");
      builder.config(catalog, "org.apache.iceberg.spark.SparkCatalog");
      Map.of(
              "type", "rest",
              "uri", arguments[0],
              "token", arguments[1],
              "cache-enabled", "false",
              "io-impl", NotingFileIO.class.getName(),
              "scan-planning-mode", planning)
          .forEach((key, value) -> builder.config(catalog + "." + key, value));
    }
    SparkSession spark = builder.getOrCreate();
    out.println("= Spark " + spark.version() + " on Java " + Runtime.version().feature());
    out.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      answer(spark, line, out);
      out.flush();
    }
    spark.stop();
  }

  private static void answer(SparkSession spark, String line, PrintStream out) {
    if (line.equals("opened")) {
      Set<String> data = new TreeSet<>();
      OPENED.stream().filter(path -> path.endsWith(".parquet")).forEach(data::add);
      OPENED.clear();
      data.forEach(out::println);
      out.println("= " + data.size() + " files");
      return;
    }
    try {
      int rows = 0;
      for (Row row : spark.sql(line).collectAsList()) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < row.length(); i++) {
          text.append(i == 0 ? "" : "\t").append(row.get(i));
        }
        out.println(text);
        rows++;
      }
      out.println("= " + rows + " rows");
    } catch (Exception e) {
      e.printStackTrace();
      out.println("= FAILED " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
    }
  }
}
