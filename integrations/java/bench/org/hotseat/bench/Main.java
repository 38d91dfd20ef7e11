// integrations/java/bench/org/hotseat/bench/Main.java — the paper's mutex benchmark, in Java.
package org.hotseat.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a JVM for each contender and each number of carriers; when all have run, the next
 * repetition begins, so that what disturbs the machine for seconds disturbs all alike.
 */
final class Main {
  /**
   * The heap is fixed and mostly young, so that it is hardly ever collected. The work is not
   * inlined, or each lock would be compiled into other work.
   */
  static final List<String> JVM_ARGUMENTS = List.of(
      "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-XX:+UseParallelGC", "-Xms2g", "-Xmx2g",
      "-Xmn1500m", "-XX:CompileCommand=quiet",
      "-XX:CompileCommand=dontinline,org.hotseat.bench.Primes::factors",
      "-XX:CompileCommand=dontinline,org.hotseat.bench.Run::section");

  private Main() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (List.of(arguments).contains("--help")) {
      System.out.print(Settings.HELP);
      return;
    }
    Settings settings;
    try {
      settings = Settings.parse(arguments);
    } catch (IllegalArgumentException wrong) {
      System.err.println("bench_java: " + wrong.getMessage());
      System.exit(2);
      return;
    }
    Results results = new Results(settings);
    for (int repetition = 1; repetition <= settings.repetitions; ++repetition) {
      for (int carriers : settings.carriers) {
        for (Contender contender : settings.contenders) {
          System.err.printf("\r%d of %d: %d carriers, %s          ", repetition,
              settings.repetitions, carriers, contender.title);
          run(settings, contender, carriers, results);
        }
      }
      // Also what is not complete: a run takes minutes.
      results.write(repetition == settings.repetitions);
    }
    System.err.println();
    results.print();
  }

  private static void run(Settings settings, Contender contender, int carriers, Results results)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_ARGUMENTS);
    command.add("-Djdk.virtualThreadScheduler.parallelism=" + carriers);
    command.addAll(settings.jvmArguments);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    command.addAll(settings.forChild(contender, carriers));
    Process child = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines = child.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ");
        if (words[0].equals("RESULT")) {
          results.add(contender, carriers, Long.parseLong(words[1]), Double.parseDouble(words[2]));
        } else {
          System.out.println(line);
        }
      }
    }
    if (child.waitFor() != 0) {
      throw new IOException(contender.title + " failed with " + child.exitValue());
    }
  }
}
