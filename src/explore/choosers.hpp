// hotseat/explore/choosers.hpp — the strategies that decide which thread runs.
#pragma once

#include <hotseat/explore/explore.hpp>
#include <hotseat/platform/explored/machine.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hotseat::detail {

using platform::explored::choice;
using platform::explored::most_threads;

/// Numbers that look random, always the same for a seed.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) noexcept : state_{seed} {}
  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15U;
    z = (z ^ z >> 30U) * 0xBF58'476D'1CE4'E5B9U;
    z = (z ^ z >> 27U) * 0x94D0'49BB'1331'11EBU;
    return z ^ z >> 31U;
  }
  /// Below `end`, which is small.
  unsigned below(unsigned end) noexcept {
    return static_cast<unsigned>((next() >> 32U) * end >> 32U);
  }

 private:
  std::uint64_t state_;
};

/// Unusual choices other than of threads, for strategies that do not enumerate them.
class rare_events {
 public:
  /// In every fourth schedule threads are stubborn: most often they spin on in their loops.
  explicit rare_events(std::uint64_t seed) noexcept : is_stubborn_{seed % 4 == 3} {}
  unsigned pick(random_numbers& random, choice what, unsigned options) const noexcept;

 private:
  bool is_stubborn_;
};

/// A strategy that makes one schedule after another.
class schedule_chooser : public platform::explored::chooser {
 public:
  virtual ~schedule_chooser() = default;
  /// Prepares for the next schedule.  Returns false if there is none.
  virtual bool begin() = 0;
  /// Called when the schedule has ended.
  virtual void end() {}
  /// The text that repeats the schedule; see `replaying`.
  [[nodiscard]] virtual std::string replay() const = 0;
};

/// Picks any ready thread; with a chance of `patience` percent, the current one.
class random_walk final : public schedule_chooser {
 public:
  random_walk(std::uint64_t seed, unsigned patience) noexcept
      : seed_{seed}, patience_{patience}, random_{0} {}
  bool begin() override;
  [[nodiscard]] std::string replay() const override;
  unsigned pick_thread(std::uint32_t ready, unsigned current) noexcept override;
  unsigned pick(choice what, unsigned options) noexcept override;

 private:
  std::uint64_t seed_;
  unsigned patience_;
  bool has_begun_ = false;
  random_numbers random_;
  rare_events rare_{0};
};

/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): each thread has a
/// random priority, and the highest one runs.  At depth - 1 random decisions the running
/// thread falls below all others.  A bug that needs d orders of events is found with a
/// probability of at least 1 / (threads * length^(d-1)).
class priorities final : public schedule_chooser {
 public:
  /// `length` is about how many decisions a schedule takes.
  priorities(std::uint64_t seed, unsigned depth, std::uint32_t length) noexcept
      : seed_{seed}, depth_{depth}, length_{length}, random_{0} {}
  bool begin() override;
  void end() override { length_ = decisions_ > 0 ? decisions_ : length_; }
  [[nodiscard]] std::string replay() const override;
  unsigned pick_thread(std::uint32_t ready, unsigned current) noexcept override;
  unsigned pick(choice what, unsigned options) noexcept override;
  void on_start(unsigned thread) noexcept override;
  void on_yield(unsigned thread) noexcept override;

 private:
  void fall(unsigned thread) noexcept;

  std::uint64_t seed_;
  unsigned depth_;
  std::uint32_t length_;
  std::uint32_t used_length_ = 0;
  bool has_begun_ = false;
  random_numbers random_;
  rare_events rare_{0};
  std::uint32_t decisions_ = 0;
  std::int64_t lowest_ = 0;
  std::array<std::int64_t, most_threads> priority_{};
  std::vector<std::uint32_t> changes_;
};

/// Searches all decisions depth first, with at most `bound` unusual ones in a schedule.
class exhaustive_search final : public schedule_chooser {
 public:
  explicit exhaustive_search(unsigned bound) noexcept : bound_{bound} {}
  /// The one schedule that makes these numbered decisions, and otherwise the usual ones.
  explicit exhaustive_search(const std::string& decisions);
  bool begin() override;
  [[nodiscard]] std::string replay() const override;
  unsigned pick_thread(std::uint32_t ready, unsigned current) noexcept override;
  unsigned pick(choice what, unsigned options) noexcept override;

 private:
  struct decision {
    std::uint8_t taken;
    std::uint8_t options;
    bool is_unusual_to_deviate;
  };
  unsigned decide(unsigned options, bool is_unusual_to_deviate) noexcept;

  unsigned bound_ = 0;
  bool has_begun_ = false;
  std::vector<decision> path_;
  std::size_t depth_ = 0;
  unsigned unusual_ = 0;  // deviations on the path up to depth_
  std::vector<std::pair<std::size_t, std::uint8_t>> fixed_;
  bool is_fixed_ = false;
};

/// The chooser that wrote a replay text.  Throws std::invalid_argument.
[[nodiscard]] std::unique_ptr<schedule_chooser> replaying(const std::string& text);

}  // namespace hotseat::detail
