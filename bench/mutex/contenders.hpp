// bench/mutex/contenders.hpp — the contenders of the mutex benchmark, under contenders/.
#pragma once

#include <mutex/workload.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace hotseat::bench {

struct mutex_contender {
  std::string name;
  std::string absent;  ///< Why it does not take part here; empty if it does.
  std::function<mutex_outcome(const mutex_settings&)> run;
  std::string handoff;  ///< Only for ours.
  std::string state;    ///< Only for ours.
  std::string front;    ///< Only for ours: whether tasks are coroutines or fibers.
};

/// The same number of iterations by one thread, without a lock: the basis of the ideal.
inline constexpr const char* one_thread_name = "one thread, no lock";
mutex_contender one_thread();

/// As many threads as the settings have workers, each with its own map and no lock: what
/// the machine achieves when nothing is shared, less than the ideal where CPUs share a
/// core.
inline constexpr const char* separate_threads_name = "threads that share nothing";
mutex_contender separate_threads();

/// As many threads as the settings have workers, with std::mutex.
mutex_contender os_threads();

/// Coroutines on a pool, and fibers if they were built: one for each hand-off and each
/// state of the mutex.
std::vector<mutex_contender> hotseat_handoffs();

/// Fibers on as many threads, all under the work-sharing scheduler; boost::fibers::mutex.
mutex_contender boost_fiber();

/// Tasks of oneTBB, which run to their end and block the thread; tbb::mutex.
mutex_contender one_tbb();

/// A contender written in another language: runs `program`, which is beside this one, with
///
///     --tasks=N --iterations=N --workers=N --section-ns=N --middle=N --seed=N
///
/// where the primes are the 500 on each side of `middle`.  It does the work of
/// mutex/workload.hpp, checks it, and prints one line:
///
///     seconds=1.5 sections=200000 jain_first=0.9 jain_half=0.95
///
/// Anything else, or a nonzero exit code, is an error.  `absent` says why it does not take
/// part if the program does not exist.
mutex_contender companion(const std::string& name, const std::string& program,
                          const std::string& absent);

/// The words `name=number` of a line.  Throws if there is anything else.
std::map<std::string, double> parse_numbers(const std::string& line);

/// Goroutines and sync.Mutex: a program in Go.
mutex_contender go();

/// Tasks of Tokio and tokio::sync::Mutex: a program in Rust.
mutex_contender tokio();

}  // namespace hotseat::bench
