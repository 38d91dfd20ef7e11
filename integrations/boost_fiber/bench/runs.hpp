// integrations/boost_fiber/bench/runs.hpp — one run of the mutex benchmark: fibers of
// Boost, or one thread that shows the limit.  Read next: bench_boost_fiber.cpp.
#pragma once

#include <mutex/workload.hpp>
#include <support/machine.hpp>
#include <support/timing.hpp>

#include <fmt/format.h>
#include <boost/fiber/algo/round_robin.hpp>
#include <boost/fiber/algo/shared_work.hpp>
#include <boost/fiber/algo/work_stealing.hpp>
#include <boost/fiber/barrier.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/operations.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace hotseat::bench {

inline void use_algorithm(const std::string& name, unsigned threads) {
  // work_stealing looks for a victim other than itself: alone, it would do so for ever.
  if (name == "shared_work") {
    boost::fibers::use_scheduling_algorithm<boost::fibers::algo::shared_work>();
  } else if (name == "work_stealing" && threads > 1) {
    boost::fibers::use_scheduling_algorithm<boost::fibers::algo::work_stealing>(threads);
  }
}

/// Each thread starts its share of the fibers, and stays until all are done: fibers of
/// other threads may be in its queue.
template <class Mutex>
mutex_outcome run_fibers(const mutex_settings& settings, const std::string& algorithm) {
  mutex_run<Mutex> run{settings, settings.tasks};
  std::latch start{static_cast<std::ptrdiff_t>(settings.workers) + 1};
  boost::fibers::barrier end{settings.workers};
  std::vector<std::jthread> threads;
  for (unsigned worker = 0; worker < settings.workers; ++worker) {
    threads.emplace_back([&, worker] {
      use_algorithm(algorithm, settings.workers);
      start.arrive_and_wait();
      std::vector<boost::fibers::fiber> fibers;
      for (std::size_t i = worker; i < settings.tasks; i += settings.workers) {
        fibers.emplace_back([&run, &self = run.participants()[i]] {
          for (std::uint32_t n = 0; n < self.iterations; ++n) {
            const std::uint32_t prime = run.draw(self);
            run.mutex().lock();
            run.section(prime);
            run.mutex().unlock();
            run.work(self, prime);
          }
          run.finish();
        });
      }
      for (boost::fibers::fiber& each : fibers) each.join();
      end.wait();
    });
  }
  return run.measure([&] {
    start.arrive_and_wait();
    threads.clear();
  });
}

/// One thread does all the sections, then all the parallel parts.  The sections take that
/// long in sequence, however the lock is passed on, and the total has to share the CPUs:
/// `mops` is the best that is possible.
inline mutex_outcome run_alone(mutex_settings settings) {
  settings.tasks = 1;
  settings.iterations = 20'000;
  mutex_run<std::mutex> run{settings, 1};
  participant& self = run.participants().front();
  std::vector<std::uint32_t> primes(self.iterations);
  for (std::uint32_t& each : primes) each = run.draw(self);
  double in_sections = 0;
  double in_parallel = 0;
  mutex_outcome outcome = run.measure([&] {
    const stopwatch sections;
    for (const std::uint32_t prime : primes) run.section(prime);
    in_sections = sections.seconds();
    const stopwatch parallel;
    for (const std::uint32_t prime : primes) run.work(self, prime);
    in_parallel = parallel.seconds();
    run.finish();
  });
  const unsigned cpus = std::min(settings.workers, usable_cpus());
  const double least = std::max(in_sections, (in_sections + in_parallel) / cpus);
  outcome.mops = 1e-6 * self.iterations / least;
  return outcome;
}

/// In a separate process: Boost's work_stealing can be set up only once in a process.
mutex_outcome in_a_process(const auto& run) {
  static_assert(std::is_trivially_copyable_v<mutex_outcome>);
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error{"no pipe"};
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error{"no process"};
  if (child == 0) {
    try {
      const mutex_outcome outcome = run();
      const auto written = write(ends[1], &outcome, sizeof outcome);
      _exit(written == sizeof outcome ? 0 : 1);
    } catch (const std::exception& problem) {
      fmt::print(stderr, "{}\n", problem.what());
      _exit(1);
    }
  }
  close(ends[1]);
  mutex_outcome outcome{};
  const auto got = read(ends[0], &outcome, sizeof outcome);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (got != sizeof outcome || status != 0) throw std::runtime_error{"a run failed"};
  return outcome;
}

}  // namespace hotseat::bench
