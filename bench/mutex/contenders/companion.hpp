// bench/mutex/contenders/companion.hpp — a contender that is a program of its own, since it
// is written in another language.
#pragma once

#include <mutex/contenders.hpp>

#include <map>
#include <string>

namespace hotseat::bench {

/// Runs `program`, which lies beside this one, with
///
///     --tasks=N --iterations=N --workers=N --section-ns=N --middle=N --seed=N
///
/// where the primes are the 500 on each side of `middle`.  It does the work of
/// mutex/workload.hpp, checks it, and prints one line:
///
///     seconds=1.5 sections=200000 jain_first=0.9 jain_half=0.95
///
/// Anything else, or an exit code that is not 0, is an error.  `absent` says why it does
/// not take part if the program is not there.
mutex_contender companion(const std::string& name, const std::string& program,
                          const std::string& absent);

/// The words `name=number` of a line.  Throws if there is something else.
std::map<std::string, double> parse_numbers(const std::string& line);

}  // namespace hotseat::bench
