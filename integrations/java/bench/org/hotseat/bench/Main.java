// integrations/java/bench/org/hotseat/bench/Main.java — the paper's mutex benchmark, in Java.
package org.hotseat.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Starts a JVM for each contender, and lets them take turns: a machine may be half as fast in the
 * next second, but hardly within the second that a round takes. So what counts is the ratio of two
 * runs of the same round. Each repetition has new JVMs, since no two compile the same code.
 */
final class Main {
  private Main() {}

  public static void main(String[] arguments) throws IOException {
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
        System.err.printf(
            "\r%d of %d: %d carriers  ", repetition, settings.repetitions, carriers);
        repeat(settings, carriers, results);
      }
      // Incomplete results, too: a run takes minutes.
      results.write(repetition == settings.repetitions);
    }
    System.err.println();
    results.print();
  }

  private static void repeat(Settings settings, int carriers, Results results)
      throws IOException {
    List<Jvm> jvms = new ArrayList<>();
    try {
      for (Contender contender : settings.contenders) {
        jvms.add(new Jvm(settings, contender, carriers));
      }
      for (int round = 0; round < settings.rounds; ++round) {
        for (long nanos : settings.sections) {
          for (Jvm jvm : jvms) {
            results.add(jvm.contender, carriers, nanos, jvm.run(nanos));
          }
          Collections.rotate(jvms, 1);  // So that none is always first.
        }
      }
    } finally {
      for (Jvm jvm : jvms) {
        jvm.close();
      }
    }
  }
}
