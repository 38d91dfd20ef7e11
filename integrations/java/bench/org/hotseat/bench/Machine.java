// integrations/java/bench/org/hotseat/bench/Machine.java — the machine facts that a result records.
package org.hotseat.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Facts for a reader, never for a decision: what cannot be determined is "unknown". */
final class Machine {
  private static final String UNKNOWN = "unknown";

  private Machine() {}

  static String cpu() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines.filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst().orElse(UNKNOWN);
    } catch (IOException noSuchFile) {
      return UNKNOWN;
    }
  }

  static String load() {
    return firstLine("/proc/loadavg", UNKNOWN);
  }

  static String kernel() {
    return firstLine("/proc/sys/kernel/osrelease", UNKNOWN);
  }

  static String governor() {
    return firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "not readable");
  }

  private static String firstLine(String path, String otherwise) {
    try {
      return Files.readString(Path.of(path)).strip();
    } catch (IOException noSuchFile) {
      return otherwise;
    }
  }

  /** The commit of the folder where the benchmark is started. */
  static String commit() {
    try {
      Process git = new ProcessBuilder("git", "rev-parse", "--short", "HEAD").start();
      String hash = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return hash.isBlank() ? UNKNOWN : hash.strip();
    } catch (IOException noGit) {
      return UNKNOWN;
    }
  }
}
