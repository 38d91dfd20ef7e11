// hotseat/asio/timeout.hpp — operations and tasks with a time limit, and operations that no
// stop cancels.  Read next: detail/operation.hpp.
#pragma once

#include <hotseat/asio/detail/asio.hpp>
#include <hotseat/asio/detail/operation.hpp>
#include <hotseat/core/result_slot.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/task/sleep.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_any.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace hotseat::asio {

namespace detail {

template <class T>
concept time_limit = hotseat::detail::any_duration<T> || hotseat::detail::any_time<T>;

template <class T>
concept any_operation = requires(T what, platform::clock::time_point due) {
  what.end_at(due);
  what.shield();
};

/// A task with a time limit, and how it ended.
template <class T>
struct timed {
  hotseat::detail::result_slot<T> result;
  event is_over;
  bool is_late = false;
};

template <class T>
task<> run(task<T> what, timed<T>& into) {
  try {
    if constexpr (std::is_void_v<T>) {
      co_await what;
    } else {
      into.result.set_value(co_await what);
    }
  } catch (...) {
    into.result.set_exception(std::current_exception());
  }
  co_await into.is_over.set();
}

/// A sleep that was cut short says that the task has ended, or has been asked to by others.
template <class T>
task<> limit(platform::clock::time_point due, timed<T>& of) {
  of.is_late = co_await sleep_until(due);
  if (!of.is_late) co_await of.is_over.wait();
}

}  // namespace detail

/// Cancels the operation when its time is over; it then fails with `timed_out`.
///
///     const std::size_t count = co_await timeout(peer.async_read_some(room, use_task),
///     5s);
template <detail::any_operation Operation>
Operation timeout(Operation what, detail::time_limit auto limit) noexcept {
  static_assert(Operation::can_be_stopped, "this operation cannot be cancelled");
  what.end_at(*wait_limits{limit}.due);
  return what;
}

/// Asks the task to stop when its time is over, waits for its end, and throws a
/// system_error, `timed_out`.
///
///     const request r = co_await timeout(read_request(peer), 5s);
template <class T>
task<T> timeout(task<T> what, detail::time_limit auto limit) {
  detail::timed<T> both;
  task<> runs = detail::run(std::move(what), both);
  task<> ends = detail::limit(*wait_limits{limit}.due, both);
  co_await when_any(std::move(runs), std::move(ends));
  if (both.is_late) throw system_error{net::error::timed_out};
  co_return both.result.take();
}

/// Lets the operation end even if its task has been asked to stop: an answer that is on its
/// way is sent.  Give it a time limit, too.
///
///     co_await timeout(shielded(net::async_write(peer, answer, use_task)), 5s);
template <detail::any_operation Operation>
Operation shielded(Operation what) noexcept {
  what.shield();
  return what;
}

}  // namespace hotseat::asio
