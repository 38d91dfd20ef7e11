// hotseat/sync/detail/channel_state.hpp — which value goes to which task.
// Layer: sync/detail.  Read next: ring_buffer.hpp (where values wait), guarded_word.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sync/detail/guarded_line.hpp>
#include <hotseat/sync/detail/ring_buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace hotseat::detail {

template <class T>
struct send_waiter : line_waiter {
  using line_waiter::line_waiter;
  T* value = nullptr;     ///< What it offers; belongs to the sender until it is taken.
  bool is_taken = false;  ///< Whether the value was taken.
};

template <class T>
struct receive_waiter : line_waiter {
  using line_waiter::line_waiter;
  std::optional<T> value;  ///< What it received; empty if the channel was closed.
};

/// The outcome of an attempt to send or receive.
enum class transfer : std::uint8_t {
  done,     ///< The value was transferred.
  closed,   ///< It never will be.
  waiting,  ///< Not yet: the caller must wait, or is already in line.
};

struct transfer_result {
  transfer what;
  line_waiter* heir = nullptr;  ///< The wait that this ended; the caller makes it run.
};

/// The state machine behind `channel`.
///
///     buffer holds    in line    send                   receive
///     ──────────────  ─────────  ─────────────────────  ─────────────────────────────────
///     nothing         receivers  hands to the first     joins the line
///     nothing         none       buffers *              joins the line
///     some            none       buffers                takes from the buffer
///     all it can *    none       joins the line         takes from the buffer *
///     all it can *    senders    joins the line         takes from the buffer *, and lets
///                                                       the first sender's value in
///     any, closed     none       fails                  takes from the buffer, or fails
///
///     * A buffer without room is always full: send joins the line, and receive takes from
///       the first sender itself, or joins the line.
///
///     bits of the word's value   meaning
///     ─────────────────────────  ──────────────────────────────────────────────
///     0      closed              no more values come in
///     1      senders_wait        the waiters in line_ are senders
///     2      receivers_wait      the waiters in line_ are receivers
///     3..61  size                how many values the buffer holds
///
/// Invariants
///   C1  A value is in one place: with its sender, in the buffer, or with its receiver; it
///       moves under the guard.  (⇒ never lost or duplicated, even on an early leave)
///   C2  Values are received in the order in which they were sent or queued.
///   C3  Only one side waits: receivers if the buffer is empty, senders if it is full.
///   C4  Waiters are served in order of arrival; no task overtakes them.
///   C5  Once closed, no task waits.
/// Memory order: guarded_word.hpp.
template <class T>
class channel_state {
 public:
  explicit channel_state(std::size_t capacity) : buffer_{capacity} {}

  /// Moves from `value` only if the result is `done`.
  [[nodiscard]] transfer_result try_send(T& value) noexcept {
    if (looks_full(line_.value())) return {transfer::waiting};
    std::uint64_t bits = line_.guard();
    const transfer_result result = put(bits, value);
    unguard(bits);
    return result;
  }

  /// On `waiting`, `w` belongs to the line: it may be resumed before this returns.
  [[nodiscard]] transfer_result send_or_enqueue(send_waiter<T>& w) noexcept {
    std::uint64_t bits = line_.guard();
    const transfer_result result = put(bits, *w.value);
    if (result.what == transfer::waiting) {
      line_.push_back(w);
      bits |= senders_wait;
    } else {
      w.is_taken = result.what == transfer::done;
    }
    unguard(bits);
    return result;
  }

  [[nodiscard]] transfer_result try_receive(std::optional<T>& into) noexcept {
    if (looks_empty(line_.value())) return {transfer::waiting};
    std::uint64_t bits = line_.guard();
    const transfer_result result =
        take(bits, [&](T& value) { into.emplace(std::move(value)); });
    unguard(bits);
    return result;
  }

  /// On `waiting`, `w` belongs to the line: it may be resumed before this returns.
  [[nodiscard]] transfer_result receive_or_enqueue(receive_waiter<T>& w) noexcept {
    std::uint64_t bits = line_.guard();
    const transfer_result result =
        take(bits, [&](T& value) { w.value.emplace(std::move(value)); });
    if (result.what == transfer::waiting) {
      line_.push_back(w);
      bits |= receivers_wait;
    }
    unguard(bits);
    return result;
  }

  /// Takes up to `most` values, and calls `consume(T&)` for each, which must not throw.
  /// `heirs` are the senders whose values were buffered or taken.
  template <class Consume>
  [[nodiscard]] transfer try_receive_many(std::size_t most, waiter_queue& heirs,
                                          Consume consume) noexcept {
    if (looks_empty(line_.value())) return transfer::waiting;
    std::uint64_t bits = line_.guard();
    transfer_result result = take(bits, consume);
    const transfer first = result.what;
    for (std::size_t taken = 1; result.what == transfer::done; ++taken) {
      if (result.heir != nullptr) heirs.push_back(*result.heir);
      if (taken == most) break;
      result = take(bits, consume);
    }
    unguard(bits);
    return first;
  }

  /// Returns all waiters, in order: their waits have ended with nothing (C5).
  [[nodiscard]] waiter_queue close() noexcept {
    static_cast<void>(line_.guard());
    return close_guarded();
  }

  /// The same, and moves the buffer to `discarded`, so that the values are destroyed
  /// outside the guard: their destructors may use the channel.
  [[nodiscard]] waiter_queue close(std::optional<ring_buffer<T>>& discarded) noexcept {
    static_cast<void>(line_.guard());
    discarded.emplace(buffer_, take_over_t{});
    return close_guarded();
  }

  /// Takes a waiter out of the line.  Returns whether it was still there; if not, its value
  /// was transferred, or the channel was closed.
  [[nodiscard]] bool leave(line_waiter& w) noexcept {
    std::uint64_t bits = line_.guard();
    const bool was_in_line = line_.remove(w);
    if (was_in_line) forget_empty_line(bits);
    unguard(bits);
    return was_in_line;
  }

  [[nodiscard]] std::size_t size() const noexcept { return line_.value() / one_value; }
  [[nodiscard]] std::size_t capacity() const noexcept { return buffer_.capacity(); }
  [[nodiscard]] bool is_closed() const noexcept { return (line_.value() & closed) != 0; }
  [[nodiscard]] bool is_waited() const noexcept { return line_.is_waited(); }

 private:
  static constexpr std::uint64_t closed = 1;
  static constexpr std::uint64_t senders_wait = 2;
  static constexpr std::uint64_t receivers_wait = 4;
  static constexpr std::uint64_t one_value = 8;

  // A glance at the word, so that a task that must wait takes the guard once.
  [[nodiscard]] bool looks_full(std::uint64_t bits) const noexcept {
    return (bits & (closed | receivers_wait)) == 0 &&
           bits / one_value == buffer_.capacity();
  }
  [[nodiscard]] static bool looks_empty(std::uint64_t bits) noexcept {
    return (bits & (closed | senders_wait)) == 0 && bits < one_value;
  }

  void unguard(std::uint64_t bits) noexcept {
    const std::uint64_t sides = bits & (closed | senders_wait | receivers_wait);
    line_.unguard(buffer_.size() * one_value | sides);
  }

  waiter_queue close_guarded() noexcept {
    waiter_queue heirs = line_.pop_all();
    unguard(closed);
    return heirs;
  }

  void forget_empty_line(std::uint64_t& bits) noexcept {
    if (line_.is_empty()) bits &= ~(senders_wait | receivers_wait);
  }

  transfer_result put(std::uint64_t& bits, T& value) noexcept {
    if ((bits & closed) != 0) return {transfer::closed};
    if ((bits & receivers_wait) != 0) {
      auto& first = static_cast<receive_waiter<T>&>(line_.pop_front());  // C4
      first.value.emplace(std::move(value));
      forget_empty_line(bits);
      return {transfer::done, &first};
    }
    if (buffer_.is_full()) return {transfer::waiting};
    buffer_.push_back(std::move(value));
    return {transfer::done};
  }

  template <class Consume>
  transfer_result take(std::uint64_t& bits, Consume&& consume) noexcept {
    send_waiter<T>* sender = nullptr;
    if ((bits & senders_wait) != 0) {
      sender = &static_cast<send_waiter<T>&>(line_.pop_front());  // C4
      sender->is_taken = true;
      forget_empty_line(bits);
    }
    if (!buffer_.is_empty()) {
      consume(buffer_.front());
      buffer_.drop_front();
      if (sender != nullptr) buffer_.push_back(std::move(*sender->value));  // C2
      return {transfer::done, sender};
    }
    if (sender != nullptr) {
      consume(*sender->value);
      return {transfer::done, sender};
    }
    return {(bits & closed) != 0 ? transfer::closed : transfer::waiting};
  }

  guarded_line line_{0};
  ring_buffer<T> buffer_;  // Under the guard of the line.
};

}  // namespace hotseat::detail
