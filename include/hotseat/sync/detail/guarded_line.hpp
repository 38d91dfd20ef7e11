// hotseat/sync/detail/guarded_line.hpp — a word in front of a line of waiters.
// Layer: sync/detail.  Read first: guarded_word.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/core/waiter_line.hpp>
#include <hotseat/sync/detail/guarded_word.hpp>

#include <cstdint>

namespace hotseat::detail {

/// The state of most primitives: a value that changes by one operation while no task waits,
/// and a line in order of arrival.  The functions below that touch the line must be called
/// between `guard` and `unguard`, except `leave`.
class guarded_line : public guarded_word {
 public:
  using guarded_word::guarded_word;

  /// guarded → unguarded: publishes the value and the line.  Touch nothing afterwards if a
  /// waiter that was taken out may destroy the primitive.
  void unguard(std::uint64_t value) noexcept {
    guarded_word::unguard(value, !line_.empty());
  }

  [[nodiscard]] bool is_empty() const noexcept { return line_.empty(); }
  /// The oldest, or null.
  [[nodiscard]] line_waiter* front() const noexcept { return line_.front(); }

  void push_back(line_waiter& w) noexcept { line_.push_back(w); }
  /// REQUIRES: !is_empty().
  [[nodiscard]] line_waiter& pop_front() noexcept { return line_.pop_front(); }
  [[nodiscard]] waiter_queue pop_all() noexcept {
    waiter_queue all;
    while (!line_.empty()) all.push_back(line_.pop_front());
    return all;
  }
  /// Takes a waiter out.  Returns whether it was still there.
  bool remove(line_waiter& w) noexcept {
    const bool is_in_line = w.is_in_line;
    if (is_in_line) line_.remove(w);
    return is_in_line;
  }

  /// Takes the guard, and a waiter out; the value stays as it is.  Returns whether it was
  /// still there.
  [[nodiscard]] bool leave(line_waiter& w) noexcept {
    const std::uint64_t value = guard();
    const bool was_in_line = remove(w);
    unguard(value);
    return was_in_line;
  }

 private:
  waiter_line line_;
};

}  // namespace hotseat::detail
