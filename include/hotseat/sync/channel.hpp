// hotseat/sync/channel.hpp — values from tasks to tasks, in order.
// Layer: sync.  Read next: detail/channel_state.hpp (which value goes to whom?),
// sync/channel_operation.hpp (who runs where?).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/channel_operation.hpp>
#include <hotseat/sync/channel_result.hpp>
#include <hotseat/sync/detail/channel_state.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {

struct discard_buffer_t {
  explicit discard_buffer_t() = default;
};
/// For `close`: destroys the values that were sent but not received.
inline constexpr discard_buffer_t discard_buffer{};

/// Passes values from many senders to many receivers.
///
///     channel<job> jobs{64};
///
///     co_await jobs.send(make_job());                           // one task
///     jobs.close();
///
///     while (auto job = co_await jobs.receive()) run(*job);     // another
///
/// `send` waits while the buffer is full, `receive` while it is empty.  A channel of
/// capacity 0 has no buffer: each send waits for its receiver.  A value goes directly to a
/// waiting receiver.
///
/// Which task goes on: without a buffer, a send that finds a receiver waiting hands over:
/// the receiver continues here, at once, with the value in this core's cache, and the
/// sender is scheduled.  With a buffer the sender goes on and fills it, and the receiver is
/// scheduled.  A receiver that lets in a waiting sender goes on, since it has a value to
/// work on, and the sender is scheduled.  Why: docs/design/channel.md.
///
/// Fair: values are received in the order sent; waiters are served in order of arrival.  A
/// wait that ends early has sent or received nothing.  Moving a T must not throw.  The
/// constructor allocates; after that only a deadline may throw or allocate
/// (sched/wait_limits.hpp).  Destroying a channel while a task waits stops the program;
/// values left in it are destroyed.
template <class T>
class channel : pinned<channel<T>> {
  static_assert(std::is_object_v<T> && std::same_as<T, std::remove_cv_t<T>>,
                "a channel passes objects");
  static_assert(std::is_nothrow_move_constructible_v<T> &&
                    std::is_nothrow_destructible_v<T>,
                "values move between tasks where nothing may throw");

  // What send keeps: an rvalue stays with the caller until it is taken; lvalues and
  // trivially copyable values are copied.
  template <class U>
  using source =
      std::conditional_t<std::same_as<U, T> && !std::is_trivially_copyable_v<T>, T&, T>;
  template <class Allocator>
  using many = detail::receiving_many_line<T, Allocator>;

 public:
  using value_type = T;
  template <class U>
  using send_operation = detail::send_operation<T, source<U>, detail::unlimited>;
  template <class U>
  using limited_send_operation = detail::send_operation<T, source<U>, detail::limited>;
  using receive_operation = detail::acquire_operation<detail::receiving_line<T>>;
  using limited_receive_operation =
      detail::acquire_operation<detail::receiving_line<T>, detail::limited>;
  template <class Allocator>
  using receive_many_operation = detail::acquire_operation<many<Allocator>>;
  template <class Allocator>
  using limited_receive_many_operation =
      detail::acquire_operation<many<Allocator>, detail::limited>;

  /// Throws std::bad_alloc if there is no room for so many values.
  explicit channel(std::size_t capacity) : state_{capacity} {}
  ~channel() {
    require(!state_.is_waited(), "channel", this,
            "it must not be destroyed while a task waits");
  }

  /// Awaitable.  Yields true if the value was sent; false if the channel is closed.
  ///
  /// An rvalue is moved from only when it is sent, so it must live as long as the operation
  /// (in `co_await c.send(...)` it does).  Anything else is copied at once.
  template <std::convertible_to<T> U = T>
  send_operation<U> send(U&& value) {
    return {state_, std::forward<U>(value)};
  }

  /// The same with limits.  Yields a send_result: whether the value was sent, and if not,
  /// whether the channel is closed or the wait ended early.
  template <std::convertible_to<T> U = T>
  limited_send_operation<U> send(U&& value, wait_limits limits) {
    return {state_, std::forward<U>(value), std::move(limits)};
  }
  template <std::convertible_to<T> U = T>
  auto send_for(U&& value, detail::any_duration auto time, std::stop_token stop = {}) {
    return send(std::forward<U>(value), {time, std::move(stop)});
  }
  template <std::convertible_to<T> U = T>
  auto send_until(U&& value, detail::any_time auto due, std::stop_token stop = {}) {
    return send(std::forward<U>(value), {due, std::move(stop)});
  }

  /// Awaitable.  Yields the value, or nothing if the channel is closed and drained.
  receive_operation receive() noexcept { return receive_operation{{state_}}; }

  /// The same with limits.  Yields a receive_result, which reads like the optional; if
  /// empty, it says whether the channel is closed or the wait ended early.
  limited_receive_operation receive(wait_limits limits) noexcept {
    return limited_receive_operation{{state_}, std::move(limits)};
  }
  auto receive_for(detail::any_duration auto time, std::stop_token stop = {}) noexcept {
    return receive({time, std::move(stop)});
  }
  auto receive_until(detail::any_time auto due, std::stop_token stop = {}) noexcept {
    return receive({due, std::move(stop)});
  }

  /// Awaitable.  Waits for a value, then takes up to `most` of those available, and appends
  /// them.  Yields how many it took; 0 if the channel is closed and drained.  Makes room
  /// for `most` first, which may throw as reserve() does.  REQUIRES: most != 0, and no
  /// other task uses `into` meanwhile.
  template <class Allocator>
  receive_many_operation<Allocator> receive_many(std::vector<T, Allocator>& into,
                                                 std::size_t most) {
    return receive_many_operation<Allocator>{many<Allocator>{state_, into, most}};
  }

  /// The same with limits.  Yields a receive_many_result: how many it took, and if none,
  /// whether the channel is closed or the wait ended early.
  template <class Allocator>
  limited_receive_many_operation<Allocator> receive_many(std::vector<T, Allocator>& into,
                                                         std::size_t most,
                                                         wait_limits limits) {
    return limited_receive_many_operation<Allocator>{many<Allocator>{state_, into, most},
                                                     std::move(limits)};
  }
  template <class Allocator>
  auto receive_many_for(std::vector<T, Allocator>& into, std::size_t most,
                        detail::any_duration auto time, std::stop_token stop = {}) {
    return receive_many(into, most, {time, std::move(stop)});
  }
  template <class Allocator>
  auto receive_many_until(std::vector<T, Allocator>& into, std::size_t most,
                          detail::any_time auto due, std::stop_token stop = {}) {
    return receive_many(into, most, {due, std::move(stop)});
  }

  /// Sends without waiting.  Returns whether it did; if not, an rvalue is unchanged.  Never
  /// suspends: the form for callbacks and destructors.  A waiting receiver is dispatched.
  template <std::convertible_to<T> U = T>
  [[nodiscard]] bool try_send(U&& value) noexcept(std::is_nothrow_constructible_v<T, U>) {
    if constexpr (std::same_as<U, T>) {
      return finish(state_.try_send(value));
    } else {
      T copy(std::forward<U>(value));
      return finish(state_.try_send(copy));
    }
  }

  /// Receives without waiting, if it can.  A waiting sender is dispatched.
  [[nodiscard]] std::optional<T> try_receive() noexcept {
    std::optional<T> value;
    finish(state_.try_receive(value));
    return value;
  }

  /// For non-worker threads: blocks the calling thread.
  template <std::convertible_to<T> U = T>
  [[nodiscard("the value may not have been sent")]] bool send_blocking(U&& value) {
    return block_on(send(std::forward<U>(value)));
  }
  [[nodiscard("it may hold a value")]] std::optional<T> receive_blocking() noexcept {
    return block_on(receive());
  }

  /// Lets no more values in.  Receivers get those in the buffer, then nothing; waiting
  /// senders keep theirs.  All waiters are dispatched in one batch.  Never suspends; does
  /// nothing the second time.
  void close() noexcept {
    waiter_queue heirs = state_.close();
    handoff::dispatch::hand_over_all(heirs);
  }

  /// The same, and destroys the values in the buffer; returns how many.  Works on a channel
  /// that was closed before but not drained.
  std::size_t close(discard_buffer_t) noexcept {
    std::optional<detail::ring_buffer<T>> discarded;
    waiter_queue heirs = state_.close(discarded);
    handoff::dispatch::hand_over_all(heirs);
    return discarded->size();
  }

  /// A glance: other threads may be changing it.
  [[nodiscard]] std::size_t size() const noexcept { return state_.size(); }
  [[nodiscard]] bool is_closed() const noexcept { return state_.is_closed(); }

  [[nodiscard]] std::size_t capacity() const noexcept { return state_.capacity(); }

 private:
  static bool finish(detail::transfer_result result) noexcept {
    if (result.heir != nullptr) handoff::dispatch::hand_over(*result.heir);
    return result.what == detail::transfer::done;
  }

  detail::channel_state<T> state_;
};

}  // namespace hotseat
