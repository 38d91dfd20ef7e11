// integrations/java/bench/org/hotseat/bench/Jvm.java — the parent's end of a child.
package org.hotseat.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that has warmed up for one contender, and sleeps until told to run. */
final class Jvm implements AutoCloseable {
  /**
   * The heap is fixed and its pages are allocated, and a run fits into its young part, so none has
   * to collect it. The work is not inlined, or each lock would be compiled into different work.
   */
  static final List<String> ARGUMENTS = List.of(
      "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-XX:+UseParallelGC", "-Xms768m",
      "-Xmx768m", "-Xmn600m", "-XX:-UseAdaptiveSizePolicy", "-XX:+AlwaysPreTouch",
      "-XX:CompileCommand=quiet",
      "-XX:CompileCommand=dontinline,org.hotseat.bench.Primes::factors",
      "-XX:CompileCommand=dontinline,org.hotseat.bench.Run::section");

  final Contender contender;
  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter orders;

  /** Returns when the child has warmed up. */
  Jvm(Settings settings, Contender contender, int carriers) throws IOException {
    this.contender = contender;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ARGUMENTS);
    command.add("-Djdk.virtualThreadScheduler.parallelism=" + carriers);
    command.addAll(settings.jvmArguments);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    command.addAll(settings.forChild(contender, carriers));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    answers = process.inputReader();
    orders = process.outputWriter();
    answer(Child.READY);
  }

  /** Runs a section length once. Returns millions of iterations a second. */
  double run(long sectionNanos) throws IOException {
    orders.write(sectionNanos + "\n");
    orders.flush();
    return Double.parseDouble(answer(Child.RESULT));
  }

  /** What follows this word in the next line that starts with it; other lines are printed. */
  private String answer(String word) throws IOException {
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith(word)) {
        return line.substring(word.length()).strip();
      }
      System.out.println(line);
    }
    throw new IOException(contender.title + " has ended too early");
  }

  /** The child ends when its input ends. */
  @Override
  public void close() throws IOException {
    orders.close();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(contender.title + " failed with " + process.exitValue());
      }
    } catch (InterruptedException interrupted) {
      process.destroy();
      Thread.currentThread().interrupt();
    }
  }
}
