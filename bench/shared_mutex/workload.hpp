// bench/shared_mutex/workload.hpp — the paper's reader-writer benchmark: what a task does.
// Read next: command.cpp (what runs it, how often, what is printed).
#pragma once

#include <hotseat/runtime/queue_order.hpp>
#include <support/primes.hpp>
#include <support/random.hpp>
#include <support/timed_run.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

struct shared_mutex_settings {
  std::size_t tasks;
  std::uint32_t iterations;
  unsigned workers;
  double writers;  ///< Share of the sections that write, 0 to 1.
  std::span<const std::uint32_t> primes;
  queue_order order;
  std::uint32_t chain_limit;
  std::uint64_t seed;
};

/// One task, or one thread.  On a cache line of its own: only this participant writes it.
struct alignas(64) reader_writer {
  reader_writer(std::uint64_t seed, std::uint64_t index, std::uint32_t to_do)
      : random{seed, index}, iterations{to_do} {}

  random_source random;
  std::uint32_t iterations;
  std::uint32_t factors_found = 0;
  std::uint32_t reads = 0;
  std::uint32_t wrong_reads = 0;
};

/// What a participant does in one iteration.
struct step {
  std::uint32_t prime;
  bool is_write;
};

/// All that the participants of one run share.
template <class Mutex>
class shared_mutex_run {
 public:
  shared_mutex_run(const shared_mutex_settings& settings, std::size_t participants)
      : settings_{settings},
        write_below_{static_cast<std::size_t>(settings.writers * (1U << 20))} {
    const std::uint64_t total = total_iterations();
    for (std::size_t i = 0; i < participants; ++i) {
      // Distributes the rounding: together they do exactly the total.
      const std::uint64_t share = total * (i + 1) / participants - total * i / participants;
      participants_.emplace_back(settings.seed, i, static_cast<std::uint32_t>(share));
    }
  }

  Mutex& mutex() { return mutex_; }
  std::span<reader_writer> participants() { return participants_; }

  step draw(reader_writer& self) const {
    const std::uint32_t prime =
        settings_.primes[self.random.below(settings_.primes.size())];
    return {prime, self.random.below(1U << 20) < write_below_};
  }

  /// The section of a writer.
  void write(std::uint32_t prime) {
    guarded_.map.insert({prime, prime});
    ++guarded_.writes;
  }

  /// The section of a reader.
  void read(reader_writer& self, std::uint32_t prime) const {
    const auto found = guarded_.map.find(prime);
    ++self.reads;
    if (found != guarded_.map.end() && found->second != prime) ++self.wrong_reads;
  }

  /// The parallel part.
  static void work(reader_writer& self, std::uint32_t prime) {
    self.factors_found += factors(prime);
  }

  /// Times `run`, and checks its results.
  template <class Run>
  timed_run measure(Run&& run) {
    const timed_run outcome = time_run(total_iterations(), std::forward<Run>(run));
    verify();
    return outcome;
  }

 private:
  struct alignas(64) guarded {
    std::map<std::uint32_t, std::uint32_t> map;
    std::uint64_t writes = 0;
  };

  [[nodiscard]] std::uint64_t total_iterations() const {
    return std::uint64_t{settings_.iterations} * settings_.tasks;
  }

  /// The map holds exactly the primes that were written; nothing was lost.
  void verify() const {
    std::uint64_t writes = 0;
    std::map<std::uint32_t, std::uint32_t> expected;
    for (std::size_t i = 0; i < participants_.size(); ++i) {
      const reader_writer& each = participants_[i];
      check(each.factors_found == each.iterations, "an iteration is missing");
      check(each.wrong_reads == 0, "a reader saw a value that was never written");
      reader_writer again{settings_.seed, i, each.iterations};
      std::uint32_t reads = 0;
      for (std::uint32_t n = 0; n < each.iterations; ++n) {
        const step next = draw(again);
        if (next.is_write) {
          expected.insert({next.prime, next.prime});
          ++writes;
        } else {
          ++reads;
        }
      }
      check(each.reads == reads, "a read is missing");
    }
    check(guarded_.writes == writes, "writes were lost: no mutual exclusion");
    check(guarded_.map == expected, "the map is not what was written");
  }

  static void check(bool is_right, const char* otherwise) {
    if (!is_right) throw std::runtime_error{std::string{"wrong result: "} + otherwise};
  }

  alignas(64) Mutex mutex_;
  guarded guarded_;
  const shared_mutex_settings settings_;
  const std::size_t write_below_;
  std::vector<reader_writer> participants_;
};

}  // namespace hotseat::bench
