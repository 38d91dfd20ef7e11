// integrations/java/bench/org/hotseat/bench/Summary.java — the median of some runs, and their
// range.
package org.hotseat.bench;

import java.util.List;

/** Never the best run; a difference smaller than the range means nothing. */
record Summary(double median, double min, double max) {
  static Summary of(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median = sorted.length % 2 == 1
        ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Summary(median, sorted[0], sorted[sorted.length - 1]);
  }

  double spread() {
    return (max - min) / median;
  }
}
