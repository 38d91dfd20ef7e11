// integrations/java/bench/org/hotseat/bench/Results.java — all runs, as a table and as JSON.
package org.hotseat.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Writes the format of all result files of {@code hotseat-bench}. */
final class Results {
  /** A contender with a number of carriers and a section length. */
  private record Cell(Contender contender, int carriers, long sectionNanos) {}

  private final Settings settings;
  private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final String loadBefore = Machine.load();
  private final Map<Cell, List<Double>> runs = new LinkedHashMap<>();

  Results(Settings settings) {
    this.settings = settings;
  }

  void add(Contender contender, int carriers, long sectionNanos, double mops) {
    runs.computeIfAbsent(new Cell(contender, carriers, sectionNanos), cell -> new ArrayList<>())
        .add(mops);
  }

  private Summary summary(Cell cell) {
    List<Double> values = runs.get(cell);
    return values == null ? null : Summary.of(values);
  }

  /** Prints the throughput of all contenders, and of the exchange relative to the others. */
  void print() {
    System.out.printf("%n%-9s %9s", "carriers", "section");
    settings.contenders.forEach(each -> System.out.printf(" %30s", each.title));
    System.out.printf(" %9s %9s%n", "/ JDK", "/ ours");
    for (int carriers : settings.carriers) {
      for (long nanos : settings.sections) {
        System.out.printf("%-9d %6d ns", carriers, nanos);
        for (Contender contender : settings.contenders) {
          Summary of = summary(new Cell(contender, carriers, nanos));
          System.out.printf(Locale.ROOT, " %17.3f Mops/s ±%3.0f %%",
              of.median(), 50 * of.spread());
        }
        System.out.printf(" %9s %9s%n", ratio(Contender.REENTRANT_DEFAULT, carriers, nanos),
            ratio(Contender.REENTRANT_OURS, carriers, nanos));
      }
    }
  }

  /** The median of the ratios of the two runs of each round. */
  private String ratio(Contender to, int carriers, long nanos) {
    List<Double> exchange = runs.get(new Cell(Contender.EXCHANGE, carriers, nanos));
    List<Double> other = runs.get(new Cell(to, carriers, nanos));
    if (exchange == null || other == null) {
      return "-";
    }
    List<Double> ratios = IntStream.range(0, other.size())
        .mapToObj(i -> exchange.get(i) / other.get(i)).toList();
    return String.format(Locale.ROOT, "%.2f", Summary.of(ratios).median());
  }

  void write(boolean isComplete) throws IOException {
    if (!settings.output.isEmpty()) {
      Files.writeString(Path.of(settings.output), json(isComplete));
    }
  }

  private String json(boolean isComplete) {
    StringBuilder out = new StringBuilder();
    out.append("{\n \"benchmark\": \"java\",\n \"machine\": {\"cpu\": ")
        .append(quote(Machine.cpu()))
        .append(", \"cpus\": ").append(Runtime.getRuntime().availableProcessors())
        .append(", \"compiler\": ").append(quote("Java " + Runtime.version()))
        .append(", \"flags\": ").append(quote(String.join(" ", Jvm.ARGUMENTS)))
        .append(", \"commit\": ").append(quote(Machine.commit()))
        .append(", \"started\": ").append(quote(started.toString()))
        .append(", \"kernel\": ").append(quote(Machine.kernel()))
        .append(", \"governor\": ").append(quote(Machine.governor()))
        .append(", \"load_before\": ").append(quote(loadBefore))
        .append(", \"load_after\": ").append(quote(Machine.load()))
        .append("},\n \"settings\": {\"tasks\": ").append(settings.tasks)
        .append(", \"iterations\": ").append(quote("for " + settings.runMillis + " ms"))
        .append(", \"range\": ").append(quote(settings.range()))
        .append(", \"order\": \"fifo\", \"repetitions\": ")
        .append(settings.repetitions * settings.rounds)
        .append(", \"jvms\": ").append(settings.repetitions)
        .append(", \"seed\": ").append(settings.seed)
        .append("},\n \"axes\": [\"workers\", \"section_ns\"], \"score\": \"mops\", \"rival\": ")
        .append(quote(Contender.REENTRANT_DEFAULT.title))
        .append(",\n \"is_complete\": ").append(isComplete)
        .append(",\n \"cells\": [\n");
    String comma = "";
    for (Map.Entry<Cell, List<Double>> each : runs.entrySet()) {
      Cell cell = each.getKey();
      Summary of = Summary.of(each.getValue());
      out.append(comma).append(String.format(Locale.ROOT,
          "  {\"contender\": %s, \"handoff\": %s, \"state\": \"java\", \"workers\": %d,"
              + " \"section_ns\": %d, \"mops\": {\"median\": %f, \"min\": %f, \"max\": %f},"
              + " \"runs\": %s}",
          quote(cell.contender().title), quote(cell.contender().handOff), cell.carriers(),
          cell.sectionNanos(), of.median(), of.min(), of.max(), runs(each.getValue())));
      comma = ",\n";
    }
    return out.append("\n ]\n}\n").toString();
  }

  private static String runs(List<Double> mops) {
    List<String> all =
        mops.stream().map(each -> String.format(Locale.ROOT, "{\"mops\": %f}", each)).toList();
    return "[" + String.join(", ", all) + "]";
  }

  private static String quote(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
