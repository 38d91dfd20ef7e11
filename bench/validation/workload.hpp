// bench/validation/workload.hpp — on which workers do the sections of a mutex run?  (paper,
// 5.4)  Also used by tests/stress/validation_stress.cpp.
#pragma once

#include <hotseat/hotseat.hpp>
#include <hotseat/platform/seam.hpp>
#include "../support/observed_lock.hpp"
#include "../support/random.hpp"
#include "../support/timing.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace hotseat::bench {

struct validation_settings {
  std::size_t tasks = 1000;
  std::uint32_t iterations = 200;
  unsigned workers = 16;
  std::size_t mutexes = 4;
  std::uint64_t section_ns = 1000;
  std::uint64_t parallel_ns = 500;
  queue_order order = queue_order::fifo;
  std::uint32_t chain_limit = thread_pool_options{}.chain_limit;
  std::uint64_t seed = 1;
};

/// A section is "delegated" if its task had waited, so that another task passed it the
/// mutex.
struct validation_outcome {
  std::uint64_t sections = 0;  ///< Must be tasks x iterations.
  std::uint64_t overlaps = 0;  ///< Sections of a mutex that overlapped another; must be 0.
  std::uint64_t delegated = 0;
  std::uint64_t worker_changes = 0;  ///< Sections on another worker than the previous one.
  double delegated_share = 0;        ///< Of all sections.
  double same_worker = 0;            ///< Share of sections on the previous one's worker,
  double same_when_delegated = 0;    ///<   of those delegated,
  double same_when_free = 0;         ///<   and of the others.
  double busiest_worker = 0;         ///< Mean share of the most used worker in a window.
  double hand_over_ns = 0;  ///< Median, from the end of a section to a delegated one.
};

/// Sections in a window.
inline constexpr std::size_t validation_window = 100;

/// One of the things that tasks compete for.
template <class Mutex>
struct alignas(64) resource {
  Mutex mutex;
  std::atomic<bool> is_occupied{false};  // Checks the mutex; orders nothing.
  std::uint64_t overlaps = 0;
  std::uint64_t left_at = 0;           // In ticks.
  std::vector<std::uint16_t> workers;  // One entry for each section, as in the next one.
  std::vector<bool> is_delegated;
  std::vector<std::uint64_t> hand_overs;  // In ticks, for each delegated section.

  void enter(unsigned worker, bool has_waited) {
    const std::uint64_t now = platform::ticks();
    if (is_occupied.exchange(true, std::memory_order_relaxed)) ++overlaps;
    workers.push_back(static_cast<std::uint16_t>(worker));
    is_delegated.push_back(has_waited);
    if (has_waited) hand_overs.push_back(now > left_at ? now - left_at : 0);
  }
  void leave() {
    is_occupied.store(false, std::memory_order_relaxed);
    left_at = platform::ticks();
  }
};

template <class Mutex>
task<> visit_resources(const thread_pool& pool, std::span<resource<Mutex>> resources,
                       const validation_settings& settings, std::uint64_t index) {
  constexpr unsigned nowhere = std::numeric_limits<std::uint16_t>::max();
  random_source random{settings.seed, index};
  const busy_wait in_section{settings.section_ns};
  const busy_wait in_parallel{settings.parallel_ns};
  for (std::uint32_t i = 0; i < settings.iterations; ++i) {
    resource<Mutex>& here = resources[random.below(resources.size())];
    const bool has_waited = co_await observed_lock<Mutex>{here.mutex};
    here.enter(pool.current_worker().value_or(nowhere), has_waited);
    in_section();
    here.leave();
    co_await here.mutex.unlock();
    in_parallel();
  }
}

/// The share of the most frequent value.
inline double share_of_most_frequent(std::span<const std::uint16_t> window) {
  std::vector<std::uint16_t> sorted(window.begin(), window.end());
  std::sort(sorted.begin(), sorted.end());
  std::size_t most = 0;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::upper_bound(first, sorted.end(), *first);
    most = std::max(most, static_cast<std::size_t>(last - first));
    first = last;
  }
  return static_cast<double>(most) / static_cast<double>(window.size());
}

template <class Mutex>
validation_outcome evaluate(std::span<const resource<Mutex>> resources) {
  validation_outcome outcome;
  std::uint64_t windows = 0;
  std::array<std::uint64_t, 2> pairs{};  // free, delegated
  std::array<std::uint64_t, 2> same{};
  std::vector<std::uint64_t> hand_overs;
  for (const resource<Mutex>& each : resources) {
    const std::span<const std::uint16_t> log{each.workers};
    outcome.sections += log.size();
    outcome.overlaps += each.overlaps;
    hand_overs.insert(hand_overs.end(), each.hand_overs.begin(), each.hand_overs.end());
    for (std::size_t i = 1; i < log.size(); ++i) {
      const std::size_t kind = each.is_delegated[i] ? 1 : 0;
      ++pairs[kind];
      if (log[i] == log[i - 1]) ++same[kind];
    }
    // A log shorter than a window counts as one window.
    const std::size_t length = std::min(validation_window, log.size());
    for (std::size_t first = 0; length != 0 && first + length <= log.size();
         first += length) {
      outcome.busiest_worker += share_of_most_frequent(log.subspan(first, length));
      ++windows;
    }
  }
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  outcome.delegated = hand_overs.size();
  outcome.delegated_share = share(outcome.delegated, outcome.sections);
  outcome.worker_changes = pairs[0] + pairs[1] - same[0] - same[1];
  outcome.same_worker = share(same[0] + same[1], pairs[0] + pairs[1]);
  outcome.same_when_free = share(same[0], pairs[0]);
  outcome.same_when_delegated = share(same[1], pairs[1]);
  outcome.busiest_worker /= static_cast<double>(std::max<std::uint64_t>(windows, 1));
  if (!hand_overs.empty()) {
    const auto middle =
        hand_overs.begin() + static_cast<std::ptrdiff_t>(hand_overs.size() / 2);
    std::nth_element(hand_overs.begin(), middle, hand_overs.end());
    outcome.hand_over_ns =
        1e3 * static_cast<double>(*middle) / platform::ticks_per_microsecond();
  }
  return outcome;
}

template <class Mutex>
validation_outcome run_validation(const validation_settings& settings) {
  thread_pool pool{thread_pool_options{.threads = settings.workers,
                                       .chain_limit = settings.chain_limit,
                                       .order = settings.order}};
  std::vector<resource<Mutex>> resources(settings.mutexes);
  for (resource<Mutex>& each : resources) {
    const std::size_t enough = 2 * settings.tasks * settings.iterations / settings.mutexes;
    each.workers.reserve(enough);
    each.is_delegated.reserve(enough);
    each.hand_overs.reserve(enough);
  }
  std::vector<task<>> tasks;
  tasks.reserve(settings.tasks);
  for (std::size_t i = 0; i < settings.tasks; ++i) {
    tasks.push_back(visit_resources<Mutex>(pool, resources, settings, i));
  }
  sync_wait(pool, when_all(std::move(tasks)));
  return evaluate<Mutex>(resources);
}

}  // namespace hotseat::bench
