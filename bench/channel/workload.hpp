// bench/channel/workload.hpp — many senders, many receivers, one channel: what is passed
// and how it is checked.  Read next: contenders.hpp (who runs it), command.cpp.
#pragma once

#include <hotseat/runtime/stats.hpp>
#include <support/line_transfer.hpp>
#include <support/machine.hpp>
#include <support/timing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace hotseat::bench {

struct channel_settings {
  std::size_t senders;
  std::size_t receivers;
  std::size_t capacity;
  std::uint64_t values;  ///< All senders together.
  unsigned workers;
};

struct channel_outcome {
  double seconds;
  double cpu_seconds;
  double foreign_load;  ///< Share of the machine that other processes used meanwhile.
  double line_ns;       ///< A cache line from CPU to CPU: before or after, the slower.
  double mops;          ///< Millions of values per second.
  worker_stats stats;
};

/// Who sent it, and which of its values it is.
struct numbered_value {
  std::uint32_t sender = 0;
  std::uint32_t number = 0;
};

struct alignas(64) sender {
  std::uint32_t index = 0;
  std::uint32_t values = 0;
};

/// A line of its own: nobody else writes it.
struct alignas(64) receiver {
  explicit receiver(std::size_t senders) : next(senders) {}

  void accept(numbered_value value) noexcept {
    ++received;
    sum += value.number;
    // Of each sender it sees ever later values.
    if (value.number < next[value.sender]) ++overtaken;
    next[value.sender] = value.number + 1;
  }

  std::uint64_t received = 0;
  std::uint64_t sum = 0;
  std::uint64_t overtaken = 0;
  std::vector<std::uint32_t> next;
};

/// All that one run needs but the channel.
class channel_run {
 public:
  explicit channel_run(const channel_settings& settings) : settings_{settings} {
    for (std::size_t i = 0; i < settings.senders; ++i) {
      // The rounding of shares: together they send exactly the total.
      const std::uint64_t share = settings.values * (i + 1) / settings.senders -
                                  settings.values * i / settings.senders;
      senders_.push_back(
          {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(share)});
    }
    for (std::size_t i = 0; i < settings.receivers; ++i) {
      receivers_.emplace_back(settings.senders);
    }
  }

  [[nodiscard]] const channel_settings& settings() const { return settings_; }
  std::span<const sender> senders() const { return senders_; }
  std::span<receiver> receivers() { return receivers_; }

  /// Starts the clock, calls `run`, stops it, and checks what was received.
  template <class Run>
  channel_outcome measure(Run&& run) {
    const double line_before = line_transfer_ns();
    const foreign_load others;
    const double cpu = process_cpu_seconds();
    const stopwatch clock;
    run();
    const double seconds = clock.seconds();
    channel_outcome outcome{};
    outcome.seconds = seconds;
    outcome.cpu_seconds = process_cpu_seconds() - cpu;
    outcome.foreign_load = others.share();
    outcome.line_ns = std::max(line_before, line_transfer_ns());
    outcome.mops = 1e-6 * static_cast<double>(settings_.values) / seconds;
    verify();
    return outcome;
  }

 private:
  /// Every value once, and those of one sender in order.
  void verify() const {
    std::uint64_t sum = 0;
    for (const sender& each : senders_) {
      if (each.values != 0) sum += std::uint64_t{each.values} * (each.values - 1) / 2;
    }
    std::uint64_t received = 0;
    for (const receiver& each : receivers_) {
      check(each.overtaken == 0, "values of one sender overtook each other");
      received += each.received;
      sum -= each.sum;
    }
    check(received == settings_.values, "values were lost or duplicated");
    check(sum == 0, "other values were received than sent");
  }

  static void check(bool is_right, const char* otherwise) {
    if (!is_right) throw std::runtime_error{std::string{"wrong result: "} + otherwise};
  }

  const channel_settings settings_;
  std::vector<sender> senders_;
  std::vector<receiver> receivers_;
};

}  // namespace hotseat::bench
