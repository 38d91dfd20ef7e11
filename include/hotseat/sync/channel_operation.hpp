// hotseat/sync/channel_operation.hpp — sending and receiving: at once, or after a wait.
// Layer: sync.  Read next: detail/channel_state.hpp (which value goes to whom?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/channel_result.hpp>
#include <hotseat/sync/detail/channel_state.hpp>

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat::detail {

[[nodiscard]] inline channel_status status_of(bool is_done, bool is_granted) noexcept {
  if (is_done) return channel_status::success;
  return is_granted ? channel_status::closed : channel_status::left;
}

/// The receiving end of a channel, as an acquire_operation sees it.  A receiver has a value
/// to work on, so it goes on, and a sender that it lets in is dispatched.
template <class T>
struct receiving_line {
  using waiter = receive_waiter<T>;
  channel_state<T>& state;

  bool try_acquire(waiter& w) noexcept { return finish(state.try_receive(w.value)); }
  bool acquire_or_enqueue(waiter& w) noexcept {
    return finish(state.receive_or_enqueue(w));
  }
  bool leave(waiter& w) noexcept { return state.leave(w); }

  static std::optional<T> result(waiter& w) noexcept { return std::move(w.value); }
  static receive_result<T> result(waiter& w, bool is_granted) noexcept {
    const channel_status status = status_of(w.value.has_value(), is_granted);
    return {std::move(w.value), status};
  }

 private:
  static bool finish(transfer_result result) noexcept {
    if (result.what == transfer::waiting) return false;
    if (result.heir != nullptr) handoff::dispatch::hand_over(*result.heir);
    return true;
  }
};

/// The same for several values at once, appended to a vector.
template <class T, class Allocator>
class receiving_many_line {
 public:
  using waiter = receive_waiter<T>;

  receiving_many_line(channel_state<T>& state, std::vector<T, Allocator>& into,
                      std::size_t most)
      : state_{state}, into_{into}, size_before_{into.size()}, most_{most} {
    require(most != 0, "channel", &state, "receive_many must be ready to take a value");
    make_room();
  }

  bool try_acquire(waiter&) noexcept { return take() != transfer::waiting; }
  bool acquire_or_enqueue(waiter& w) noexcept {
    return receiving_line<T>{state_}.acquire_or_enqueue(w);
  }
  bool leave(waiter& w) noexcept { return state_.leave(w); }

  std::size_t result(waiter& w) noexcept {
    if (w.value.has_value()) {
      into_.push_back(*std::move(w.value));
      // More may have come since.
      if (most_ > 1) {
        --most_;
        static_cast<void>(take());
      }
    }
    return into_.size() - size_before_;
  }
  receive_many_result result(waiter& w, bool is_granted) noexcept {
    const std::size_t received = result(w);
    return receive_many_result{received, status_of(received != 0, is_granted)};
  }

 private:
  /// Done first, since nothing allocates under the guard.  Grows as push_back does, for
  /// callers that keep appending.
  void make_room() {
    if (into_.capacity() - size_before_ >= most_) return;
    const std::size_t needed =
        most_ <= into_.max_size() - size_before_ ? size_before_ + most_ : SIZE_MAX;
    into_.reserve(std::max(needed, std::min(2 * into_.capacity(), into_.max_size())));
  }

  transfer take() noexcept {
    waiter_queue heirs;
    const transfer result = state_.try_receive_many(
        most_, heirs, [this](T& oldest) noexcept { into_.push_back(std::move(oldest)); });
    if (!heirs.empty()) handoff::dispatch::hand_over_all(heirs);
    return result;
  }

  channel_state<T>& state_;
  std::vector<T, Allocator>& into_;
  std::size_t size_before_;
  std::size_t most_;
};

/// Yields whether the value was sent: a bool, or a send_result if the wait has limits.
/// `Source` is T, its own copy, or T&, the caller's object.
template <class T, class Source, class Limits>
class [[nodiscard("co_await it")]] send_operation
    : public wait_operation<send_operation<T, Source, Limits>, send_waiter<T>, Limits> {
  using base = wait_operation<send_operation, send_waiter<T>, Limits>;
  static constexpr bool is_lent = std::is_reference_v<Source>;

 public:
  template <class U, class... Given>
  send_operation(channel_state<T>& state, U&& what, Given&&... limits)
      : base{std::forward<Given>(limits)...},
        state_{state},
        source_(static_cast<std::conditional_t<is_lent, Source, U&&>>(what)) {
    this->value = std::addressof(source_);
  }
  ~send_operation() { this->abandon(); }

  bool await_ready() noexcept {
    const transfer_result result = state_.try_send(*this->value);
    this->is_taken = result.what == transfer::done;
    heir_ = result.heir;
    return result.what != transfer::waiting && is_left_at_once();
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept(!base::is_limited) {
    if (heir_ != nullptr) {
      note_suspended(*this, self);
    } else {
      if (base::await_suspend(self)) return true;  // Waiting: `this` may be gone.
      if (is_left_at_once()) return false;
    }
    return handoff::exchange::hand_over(*this, *heir_);  // Suspended: `this` may be gone.
  }

  [[nodiscard("the value may not have been sent")]] auto await_resume() noexcept {
    const bool is_granted = this->end();
    if constexpr (base::is_limited) {
      return send_result{status_of(this->is_taken, is_granted)};
    } else {
      return bool{this->is_taken};
    }
  }

 private:
  friend base;

  bool join() noexcept {
    const transfer_result result = state_.send_or_enqueue(*this);
    if (result.what == transfer::waiting) return false;  // `this` may be gone.
    heir_ = result.heir;
    return true;
  }
  bool leave() noexcept { return state_.leave(*this); }

  /// With a buffer, a sender that goes on fills it, and the receivers then empty it: few
  /// switches for many values (docs/design/channel.md).  Returns true if nothing is left to
  /// do; on false, the caller must exchange with the heir.
  bool is_left_at_once() noexcept {
    if (heir_ == nullptr) return true;
    if (state_.capacity() == 0) return false;
    handoff::dispatch::hand_over(*heir_);
    return true;
  }

  channel_state<T>& state_;
  Source source_;
  line_waiter* heir_ = nullptr;
};

}  // namespace hotseat::detail
