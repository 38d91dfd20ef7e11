// bench/channel/workload.hpp — many senders, many receivers, one channel: what is passed,
// how it is checked, and what runs it.  Read next: contenders.cpp, command.cpp.
#pragma once

#include <support/timed_run.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

struct channel_settings {
  std::size_t senders;
  std::size_t receivers;
  std::size_t capacity;
  std::uint64_t values;  ///< Of all senders together.
  unsigned workers;
};

/// Names its sender, and which of the sender's values it is.
struct numbered_value {
  std::uint32_t sender = 0;
  std::uint32_t number = 0;
};

struct alignas(64) sender {
  std::uint32_t index = 0;
  std::uint32_t values = 0;
};

/// On a cache line of its own: only its receiver writes it.
struct alignas(64) receiver {
  explicit receiver(std::size_t senders) : next(senders) {}

  void accept(numbered_value value) noexcept {
    ++received;
    sum += value.number;
    // The values from one sender must arrive in order.
    if (value.number < next[value.sender]) ++overtaken;
    next[value.sender] = value.number + 1;
  }

  std::uint64_t received = 0;
  std::uint64_t sum = 0;
  std::uint64_t overtaken = 0;
  std::vector<std::uint32_t> next;
};

/// All that one run needs, except the channel.
class channel_run {
 public:
  explicit channel_run(const channel_settings& settings) : settings_{settings} {
    for (std::size_t i = 0; i < settings.senders; ++i) {
      // Distributes the rounding: together they send exactly the total.
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

  /// Times `run`, and checks what was received.
  template <class Run>
  timed_run measure(Run&& run) {
    const timed_run outcome = time_run(settings_.values, std::forward<Run>(run));
    verify();
    return outcome;
  }

 private:
  /// Each value once, and those of one sender in order.
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

/// Tasks on a pool.  They take `batch` values at once with receive_many, or one each.
timed_run channel_on_pool(std::size_t batch, const channel_settings& settings);

/// One thread for each sender and receiver, and a queue behind std::mutex and two
/// std::condition_variables.
timed_run channel_on_threads(const channel_settings& settings);

/// boost::fibers::buffered_channel, or the unbuffered one for capacity 0: fibers spread
/// over as many threads as there are workers.  Throws if Boost was not found.
timed_run channel_on_boost_fibers(const channel_settings& settings);

}  // namespace hotseat::bench
