// bench/harness/verdict.hpp — are two contenders different, or is it noise?
#pragma once

#include <span>

namespace hotseat::bench {

/// How likely it is that two samples of one and the same source lie apart at least as far
/// as these: the two-sided test of Mann and Whitney, exact for small samples.  It looks at
/// the order of the values only, so that a single run gone wrong cannot decide. REQUIRES:
/// both have a value.
double chance_of_one_source(std::span<const double> a, std::span<const double> b);

/// Whether the samples can be told apart: by chance alone, that happens once in 20.
/// Never true for fewer than 4 runs of each.
inline bool are_told_apart(std::span<const double> a, std::span<const double> b) {
  return chance_of_one_source(a, b) < 0.05;
}

}  // namespace hotseat::bench
