// bench/mutex/workload.hpp — the paper's mutex benchmark: what a task does, and how it is
// run.  Read next: contenders.hpp (what runs it), command.cpp (how often, what is printed).
#pragma once

#include <hotseat/runtime/queue_order.hpp>
#include <support/primes.hpp>
#include <support/random.hpp>
#include <support/statistics.hpp>
#include <support/timed_run.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

struct mutex_settings {
  std::size_t tasks;
  std::uint32_t iterations;
  unsigned workers;
  std::uint64_t section_ns;
  std::span<const std::uint32_t> primes;
  queue_order order;
  std::uint32_t chain_limit;
  std::uint64_t seed;
};

struct mutex_outcome : timed_run {
  double jain_first;  ///< Over the participants, when the first of them had finished.
  double jain_half;   ///< Over the participants, when half of all work was done.
};

/// One task, or one thread.  On a cache line of its own: only this participant writes it.
struct alignas(64) participant {
  participant(std::uint64_t seed, std::uint64_t index, std::uint32_t to_do)
      : random{seed, index}, iterations{to_do} {}
  participant(const participant& other)  // For the vector, before the run.
      : random{other.random}, iterations{other.iterations} {}

  random_source random;
  std::uint32_t iterations;
  std::uint32_t factors_found = 0;
  std::atomic<std::uint32_t> done{0};
};

/// What the mutex protects.
struct alignas(64) guarded {
  std::map<std::uint32_t, std::uint32_t> map;
  std::uint64_t sections = 0;
};

/// All that the participants of one run share.
template <class Mutex>
class mutex_run {
 public:
  mutex_run(const mutex_settings& settings, std::size_t participants)
      : settings_{settings},
        total_{std::uint64_t{settings.iterations} * settings.tasks},
        wait_{settings.section_ns} {
    half_ = (total_ + 1) / 2;
    for (std::size_t i = 0; i < participants; ++i) {
      // Distributes the rounding: together they do exactly the total.
      const std::uint64_t share =
          total_ * (i + 1) / participants - total_ * i / participants;
      participants_.emplace_back(settings.seed, i, static_cast<std::uint32_t>(share));
    }
    when_first_finished_.resize(participants);
    when_half_done_.resize(participants);
  }

  Mutex& mutex() { return mutex_; }
  std::span<participant> participants() { return participants_; }

  std::uint32_t draw(participant& self) const {
    return settings_.primes[self.random.below(settings_.primes.size())];
  }

  /// The critical section.
  void section(std::uint32_t prime) {
    guarded_.map.insert({prime, prime});
    if (++guarded_.sections == half_) [[unlikely]] {
      look_around(when_half_done_);
    }
    wait_();
  }

  /// The parallel part.
  static void work(participant& self, std::uint32_t prime) {
    self.factors_found += factors(prime);
    self.done.store(self.done.load(std::memory_order_relaxed) + 1,
                    std::memory_order_relaxed);
  }

  /// Called by each participant at its end.
  void finish() {
    if (!has_finisher_.exchange(true, std::memory_order_relaxed)) {
      look_around(when_first_finished_);
    }
  }

  /// The loop of a participant that is a thread, or looks like one.
  void loop_with_guards(participant& self) {
    for (std::uint32_t i = 0; i < self.iterations; ++i) {
      const std::uint32_t prime = draw(self);
      {
        const std::lock_guard held{mutex_};
        section(prime);
      }
      work(self, prime);
    }
    finish();
  }

  /// The loop of a sole participant, which shares nothing.
  void loop_without_lock() {
    participant& self = participants_.front();
    for (std::uint32_t i = 0; i < self.iterations; ++i) {
      const std::uint32_t prime = draw(self);
      section(prime);
      work(self, prime);
    }
    finish();
  }

  [[nodiscard]] std::uint64_t sections() const { return guarded_.sections; }

  /// Times `run`, and checks its results.
  template <class Run>
  mutex_outcome measure(Run&& run) {
    const timed_run timed = time_run(total_, std::forward<Run>(run));
    verify();
    return {timed, jain_index(std::span<const std::uint32_t>{when_first_finished_}),
            jain_index(std::span<const std::uint32_t>{when_half_done_})};
  }

  /// The map holds exactly the primes that were drawn; nothing was lost or done twice.
  void verify() const {
    std::uint64_t total = 0;
    std::map<std::uint32_t, std::uint32_t> expected;
    for (std::size_t i = 0; i < participants_.size(); ++i) {
      const participant& each = participants_[i];
      check(each.done == each.iterations, "a task did not do all its iterations");
      check(each.factors_found == each.iterations, "a prime was not prime");
      participant again{settings_.seed, i, each.iterations};
      for (std::uint32_t n = 0; n < each.iterations; ++n) {
        const std::uint32_t prime = draw(again);
        expected.insert({prime, prime});
      }
      total += each.iterations;
    }
    check(guarded_.sections == total, "sections were lost: no mutual exclusion");
    check(guarded_.map == expected, "the map is not what was inserted");
  }

 private:
  /// Notes everyone's progress.  They go on meanwhile, so it is off by microseconds.
  void look_around(std::vector<std::uint32_t>& progress) const {
    for (std::size_t i = 0; i < participants_.size(); ++i) {
      progress[i] = participants_[i].done.load(std::memory_order_relaxed);
    }
  }

  static void check(bool is_right, const char* otherwise) {
    if (!is_right) throw std::runtime_error{std::string{"wrong result: "} + otherwise};
  }

  alignas(64) Mutex mutex_;
  guarded guarded_;
  const mutex_settings settings_;
  const std::uint64_t total_;
  const busy_wait wait_;
  std::vector<participant> participants_;
  std::uint64_t half_ = 0;
  std::vector<std::uint32_t> when_first_finished_;
  std::vector<std::uint32_t> when_half_done_;
  std::atomic<bool> has_finisher_{false};
};

}  // namespace hotseat::bench
