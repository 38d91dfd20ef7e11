// hotseat/sync/channel_operation.hpp — sending and receiving: at once, or after a wait.
// Layer: sync.  Read next: detail/channel_state.hpp (which value goes to whom?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/sync/channel_result.hpp>
#include <hotseat/sync/detail/channel_state.hpp>

#include <algorithm>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {

namespace detail {

/// An operation that may wait, or end the wait of somebody on the other side, which
/// `Handoff` then makes run.  `Derived` has
///
///     transfer_result attempt()   without waiting
///     transfer_result enqueue()   or joins the line; on `waiting`, `this` may be gone
///     bool leave()                see wait_operation
///     bool may_run_ahead()        whether it should rather go on than suspend to hand
///                                 over; for hand-offs that suspend
template <class Derived, class Waiter, class Limits, handoff_policy Handoff>
class channel_operation : public Limits::template wait<Derived, Waiter> {
 protected:
  using wait = typename Limits::template wait<Derived, Waiter>;

 public:
  bool await_ready() noexcept {
    const transfer_result result = derived().attempt();
    if (result.what == transfer::waiting) return false;
    heir_ = result.heir;
    return heir_ == nullptr || hand_over_at_once();
  }

  bool await_suspend(std::coroutine_handle<> self) noexcept(
      noexcept(wait::await_suspend(self))) {
    if (heir_ != nullptr) {
      this->begin(self);
    } else {
      if (wait::await_suspend(self)) return true;  // Waiting: `this` may be gone.
      if (heir_ == nullptr || hand_over_at_once()) return false;
    }
    if constexpr (Handoff::may_suspend) {
      return Handoff::hand_over(*this, *heir_);  // Suspended: `this` may be gone.
    }
    return false;
  }

 protected:
  using wait::wait;

  /// For wait_operation.
  bool join() noexcept {
    const transfer_result result = derived().enqueue();
    if (result.what == transfer::waiting) return false;
    heir_ = result.heir;
    return true;
  }

 private:
  Derived& derived() noexcept { return static_cast<Derived&>(*this); }

  /// Returns whether the heir could be made to run without suspending.
  bool hand_over_at_once() noexcept {
    if constexpr (!Handoff::may_suspend) {
      Handoff::hand_over(*heir_);
      return true;
    } else {
      if (!derived().may_run_ahead()) return false;
      handoff::dispatch::hand_over(*heir_);
      return true;
    }
  }

  line_waiter* heir_ = nullptr;
};

[[nodiscard]] inline channel_status status_of(bool is_done, bool has_left) noexcept {
  if (is_done) return channel_status::success;
  return has_left ? channel_status::left : channel_status::closed;
}

}  // namespace detail

/// Gives whether the value was sent: a bool, or a send_result if the wait is limited.
/// `Source` is a T of its own, or a T& of the caller.
template <class T, class Source, class Limits, handoff_policy Handoff>
class [[nodiscard("co_await it")]] channel_send_operation
    : public detail::channel_operation<channel_send_operation<T, Source, Limits, Handoff>,
                                       detail::send_waiter<T>, Limits, Handoff> {
  using base = detail::channel_operation<channel_send_operation, detail::send_waiter<T>,
                                         Limits, Handoff>;
  static constexpr bool is_lent = std::is_reference_v<Source>;

 public:
  template <class U, class... Until>
  channel_send_operation(detail::channel_state<T>& state, U&& what, Until&&... until)
      : base{std::forward<Until>(until)...},
        state_{state},
        source_(static_cast<std::conditional_t<is_lent, Source, U&&>>(what)) {
    this->value = std::addressof(source_);
  }
  ~channel_send_operation() { this->abandon(); }

  [[nodiscard("the value may not have been sent")]] auto await_resume() noexcept {
    if constexpr (std::same_as<Limits, detail::unlimited>) {
      this->end();
      return bool{this->is_taken};
    } else {
      const bool has_left = !this->end();
      return send_result{detail::status_of(this->is_taken, has_left)};
    }
  }

 private:
  friend base;
  friend typename base::wait;
  friend wait_operation<channel_send_operation, detail::send_waiter<T>>;
  using base::join;

  detail::transfer_result attempt() noexcept {
    const detail::transfer_result result = state_.try_send(*this->value);
    this->is_taken = result.what == detail::transfer::done;
    return result;
  }
  detail::transfer_result enqueue() noexcept { return state_.send_or_enqueue(*this); }
  // With a buffer, a sender that goes on fills it, and the receivers then empty it: few
  // switches for many values (docs/design/channel.md).
  bool may_run_ahead() const noexcept { return state_.capacity() != 0; }
  bool leave() noexcept { return state_.leave(*this); }

  detail::channel_state<T>& state_;
  Source source_;
};

/// Gives the value: a std::optional, or a receive_result if the wait is limited.  Whatever
/// the hand-off of the channel: it has a value to work on, so the sender that it lets in is
/// dispatched.
template <class T, class Limits>
class [[nodiscard("co_await it")]] channel_receive_operation
    : public detail::channel_operation<channel_receive_operation<T, Limits>,
                                       detail::receive_waiter<T>, Limits,
                                       handoff::dispatch> {
  using base =
      detail::channel_operation<channel_receive_operation, detail::receive_waiter<T>,
                                Limits, handoff::dispatch>;

 public:
  template <class... Until>
  explicit channel_receive_operation(detail::channel_state<T>& state,
                                     Until&&... until) noexcept
      : base{std::forward<Until>(until)...}, state_{state} {}
  ~channel_receive_operation() { this->abandon(); }

  [[nodiscard("it may hold a value")]] auto await_resume() noexcept {
    if constexpr (std::same_as<Limits, detail::unlimited>) {
      this->end();
      return std::optional<T>{std::move(this->value)};
    } else {
      const bool has_left = !this->end();
      const auto status = detail::status_of(this->value.has_value(), has_left);
      return receive_result<T>{std::move(this->value), status};
    }
  }

 private:
  friend base;
  friend typename base::wait;
  friend wait_operation<channel_receive_operation, detail::receive_waiter<T>>;
  using base::join;

  detail::transfer_result attempt() noexcept { return state_.try_receive(this->value); }
  detail::transfer_result enqueue() noexcept { return state_.receive_or_enqueue(*this); }
  bool leave() noexcept { return state_.leave(*this); }

  detail::channel_state<T>& state_;
};

/// Gives how many values it has appended: a number, or a receive_many_result if the wait is
/// limited.
template <class T, class Allocator, class Limits>
class [[nodiscard("co_await it")]] channel_receive_many_operation
    : public Limits::template wait<channel_receive_many_operation<T, Allocator, Limits>,
                                   detail::receive_waiter<T>> {
  using base = typename Limits::template wait<channel_receive_many_operation,
                                              detail::receive_waiter<T>>;

 public:
  template <class... Until>
  channel_receive_many_operation(detail::channel_state<T>& state,
                                 std::vector<T, Allocator>& into, std::size_t most,
                                 Until&&... until)
      : base{std::forward<Until>(until)...},
        state_{state},
        into_{into},
        size_before_{into.size()},
        most_{most} {
    require(most != 0, "channel", &state, "receive_many must be ready to take a value");
    make_room();
  }
  ~channel_receive_many_operation() { this->abandon(); }

  bool await_ready() noexcept { return take() != detail::transfer::waiting; }

  [[nodiscard("it may have received nothing")]] auto await_resume() noexcept {
    if constexpr (std::same_as<Limits, detail::unlimited>) {
      this->end();
      return count();
    } else {
      const bool has_left = !this->end();
      const std::size_t received = count();
      return receive_many_result{received, detail::status_of(received != 0, has_left)};
    }
  }

 private:
  friend base;
  friend wait_operation<channel_receive_many_operation, detail::receive_waiter<T>>;

  std::size_t count() noexcept {
    if (this->value.has_value()) {
      into_.push_back(*std::move(this->value));
      // More may have come since.
      if (most_ > 1) {
        --most_;
        static_cast<void>(take());
      }
    }
    return into_.size() - size_before_;
  }

  bool join() noexcept {
    const detail::transfer_result result = state_.receive_or_enqueue(*this);
    if (result.what == detail::transfer::waiting) return false;  // `this` may be gone.
    if (result.heir != nullptr) handoff::dispatch::hand_over(*result.heir);
    return true;
  }
  bool leave() noexcept { return state_.leave(*this); }

  /// Under the guard nothing allocates.  Grows as push_back does, for those who collect.
  void make_room() {
    if (into_.capacity() - size_before_ >= most_) return;
    const std::size_t needed =
        most_ <= into_.max_size() - size_before_ ? size_before_ + most_ : SIZE_MAX;
    into_.reserve(std::max(needed, std::min(2 * into_.capacity(), into_.max_size())));
  }

  detail::transfer take() noexcept {
    waiter_queue heirs;
    const detail::transfer result = state_.try_receive_many(
        most_, heirs, [this](T& oldest) noexcept { into_.push_back(std::move(oldest)); });
    if (!heirs.empty()) handoff::dispatch::hand_over_all(heirs);
    return result;
  }

  detail::channel_state<T>& state_;
  std::vector<T, Allocator>& into_;
  std::size_t size_before_;
  std::size_t most_;
};

}  // namespace hotseat
