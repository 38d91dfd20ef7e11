// bench/mutex/contenders/threads.cpp — plain threads: one without a lock, several that
// share nothing, several with std::mutex.
#include <mutex/contenders.hpp>

#include <cstddef>
#include <latch>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace hotseat::bench {

namespace {

struct no_lock {};

mutex_outcome run_one_thread(const mutex_settings& settings) {
  mutex_run<no_lock> all{settings, 1};
  return all.measure([&] { all.loop_without_lock(); });
}

/// One thread's own map and counters.
using share = mutex_run<no_lock>;

mutex_settings settings_of_share(mutex_settings settings, std::size_t index) {
  const std::size_t all = settings.tasks;
  settings.tasks = all * (index + 1) / settings.workers - all * index / settings.workers;
  settings.seed += index;
  return settings;
}

mutex_outcome run_separate_threads(const mutex_settings& settings) {
  std::vector<std::unique_ptr<share>> shares;
  for (std::size_t i = 0; i < settings.workers; ++i) {
    shares.push_back(std::make_unique<share>(settings_of_share(settings, i), 1));
  }
  std::latch start{static_cast<std::ptrdiff_t>(settings.workers) + 1};
  std::vector<std::jthread> threads;
  for (const std::unique_ptr<share>& each : shares) {
    threads.emplace_back([&start, &own = *each] {
      start.arrive_and_wait();
      own.loop_without_lock();
    });
  }
  mutex_outcome outcome = shares.front()->measure([&] {
    start.arrive_and_wait();
    threads.clear();
  });
  std::uint64_t sections = 0;
  for (const std::unique_ptr<share>& each : shares) {
    each->verify();
    sections += each->sections();
  }
  outcome.mops = 1e-6 * static_cast<double>(sections) / outcome.seconds;
  return outcome;
}

mutex_outcome run_os_threads(const mutex_settings& settings) {
  mutex_run<std::mutex> all{settings, settings.workers};
  std::latch start{static_cast<std::ptrdiff_t>(settings.workers) + 1};
  std::vector<std::jthread> threads;
  for (participant& each : all.participants()) {
    threads.emplace_back([&all, &start, &self = each] {
      start.arrive_and_wait();
      all.loop_with_guards(self);
    });
  }
  return all.measure([&] {
    start.arrive_and_wait();
    threads.clear();
  });
}

}  // namespace

mutex_contender one_thread() { return {one_thread_name, "", run_one_thread, "", "", ""}; }

mutex_contender separate_threads() {
  return {separate_threads_name, "", run_separate_threads, "", "", ""};
}

mutex_contender os_threads() {
  return {"OS threads with std::mutex", "", run_os_threads, "", "", ""};
}

}  // namespace hotseat::bench
