package dev.varve.bench;

import dev.varve.bench.contest.ContestFailure;
import dev.varve.bench.index.IndexCommand;
import dev.varve.bench.kernels.KernelsCommand;
import dev.varve.bench.sorted.SortedCommand;
import dev.varve.bench.tpch.TpchCommand;
import dev.varve.layout.error.VarveException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Runs one benchmark. Exit codes: 0 done, 1 a result is wrong or a query failed, 2 the command line
 * or the machine does not allow it.
 */
public final class Main {
  private static final String HELP =
      """
      Usage: varve bench BENCHMARK [options]

        tpch      the 22 queries of TPC-H over Parquet files
            --scale S         size, 1 is about 1 GB of text (required)
            --peer duckdb     run DuckDB in turn with us over the same files, and compare results
            --files WRITER    who wrote the files: duckdb (default) or varve
            --queries LIST    only these, such as q01,q03 or 1,3
            --runs N          timed runs of each query (default 7)
            --warmups N       runs of each query before them (default 5)
            --plan-cache      let us keep plans (off by default: every run is planned)
            --profile FILE    afterwards record our engine with Flight Recorder, and say where its
                              CPU time goes
            --json FILE       write the figures there too

            --data DIR        use the Parquet files of this directory instead

        sorted    tables sorted by (key, ts) in 40 files that our writer verified; fails if a plan sorts
            --rows N          rows of a table (default 20000000)
            --peer duckdb     as above
            --variant V       only disjoint (key ranges of files do not overlap) or overlap
            --case NAME       only order by, limit, range, point, group by, distinct or merge join
            --lookups N       distinct values of a point lookup (default 1000)
            --explain         print whole plans
            --runs N          default 5
            --warmups N       default 3
            --json FILE       write the figures there too

        index     plans over tables of very many files, and commits to them: 1,000 files beside --files
            --files N         files of the large table (default 100000)
            --columns N       columns with statistics (default 20)
            --database D      h2 (default) or postgres, which is started for it
            --jdbc-url URL    with postgres: one that runs already
            --runs N          default 101
            --warmups N       default 500
            --commits N       commits of 100 files to each table (default 21)
            --json FILE       write the figures there too

        kernels   JMH: kernels of the engine beside plain loops
            --filter REGEX    only benchmarks whose name fits
            --forks N         JVMs of each (default 1)
            --iterations N    for warm-up and for measuring (default 5)
            --millis N        time of an iteration (default 500)
            --json FILE       write the figures there too

      Options of all:
            --home DIR        files are made once and kept in DIR/bench (default ./.varve)
            --memory SIZE     Java heap (default: half of the machine's memory)

      Exit codes: 0 done, 1 a result differs or a query failed, 2 bad arguments or no room to run.
      """;

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments), System.out, System.err));
  }

  static int run(List<String> words, PrintStream out, PrintStream complaints) {
    try {
      if (words.isEmpty()) {
        throw new BadUsage(
            "bench needs the name of a benchmark, tpch, sorted, index or kernels; see --help");
      }
      if (words.contains("--help") || words.contains("-h")) {
        out.print(HELP);
        return 0;
      }
      List<String> options = words.subList(1, words.size());
      return switch (words.get(0)) {
        case "tpch" -> TpchCommand.parse(options).run(out);
        case "kernels" -> KernelsCommand.parse(options).run(out);
        case "sorted" -> SortedCommand.parse(options).run(out);
        case "index" -> IndexCommand.parse(options).run(out);
        default -> throw new BadUsage("no benchmark '" + words.get(0) + "'; see --help");
      };
    } catch (BadUsage e) {
      complaints.println("varve: " + e.getMessage());
      return 2;
    } catch (UncheckedIOException e) {
      complaints.println("varve: " + e.getMessage() + ": " + e.getCause());
      return 2;
    } catch (VarveException e) {
      complaints.println("varve: " + e.code() + " " + e.describe());
      return 1;
    } catch (ContestFailure e) {
      complaints.println("varve: " + e.getMessage());
      return 1;
    }
  }
}
