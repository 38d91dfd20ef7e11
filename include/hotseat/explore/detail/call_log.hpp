// hotseat/explore/detail/call_log.hpp — which calls were made, and which came before which.
// Layer: explore.
#pragma once

#include <hotseat/platform/explored/vector_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace hotseat {

/// When a call comes before another one.
enum class call_order : std::uint8_t {
  /// It had returned when the other was made, in the order of the steps.  The stricter one.
  real_time,
  /// Its return happens before the start of the other, in the sense of the memory model:
  /// what the program itself could observe.  For objects with relaxed loads that may see an
  /// old value.
  happens_before,
};

namespace detail {

/// The result of a call as text, if it is a number, or an optional one.
template <class Result>
[[nodiscard]] std::string to_text(const Result& result) {
  if constexpr (std::is_same_v<Result, bool>) {
    return result ? "true" : "false";
  } else if constexpr (std::is_enum_v<Result>) {
    return std::to_string(static_cast<std::underlying_type_t<Result>>(result));
  } else if constexpr (std::is_arithmetic_v<Result>) {
    return std::to_string(result);
  } else {
    return "?";
  }
}
template <class Result>
[[nodiscard]] std::string to_text(const std::optional<Result>& result) {
  return result ? to_text(*result) : "nothing";
}

/// Invariants
///   C1  Calls are numbered in the order in which they were made.
///   C2  A call that has not ended comes before no other.
class call_log {
 public:
  /// A set of calls, by number.
  using set = std::uint32_t;
  static constexpr std::size_t most_calls = 32;

  explicit call_log(call_order order) noexcept : order_{order} {}

  /// Returns the number of the call.
  std::size_t begin(const char* name);
  void end(std::size_t number, std::string result);

  [[nodiscard]] std::size_t size() const noexcept { return calls_.size(); }
  [[nodiscard]] set ended() const noexcept { return ended_; }

  /// Whether a call can come after those in `done`, before all others.
  [[nodiscard]] bool can_be_next(std::size_t number, set done) const noexcept {
    return (done >> number & 1U) == 0 && (calls_[number].after & ~done) == 0;
  }

  [[nodiscard]] std::string describe() const;

 private:
  struct entry {
    const char* name;
    std::string thread;
    set after;  // Calls that come before it.
    std::size_t made;
    std::size_t returned;  // 0: not yet
    std::string result;
    unsigned thread_of_end;
    platform::explored::moment end;  // of that thread
  };

  call_order order_;
  std::vector<entry> calls_;
  set ended_ = 0;
  std::size_t now_ = 0;
};

}  // namespace detail

}  // namespace hotseat
