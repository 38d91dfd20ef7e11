// hotseat/task/with_lock.hpp — a section as a function: the form to prefer.
// Layer: task.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/result_slot.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/wait_operation.hpp>
#include <hotseat/task/task.hpp>

#include <chrono>
#include <concepts>
#include <exception>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

template <class F>
concept returns_awaitable = awaitable<std::invoke_result_t<F&>>;

/// Awaits what the section returns while owning `m`.  `Limits` are the wait_limits of the
/// lock, or `unlimited`; `Result` is what the section gives, or that if_called.
template <class Result, class Mutex, class Limits, class Section>
task<Result> hold_lock(Mutex& m, Limits what, Section section) {
  using given = await_result_t<std::invoke_result_t<Section&>>;
  constexpr bool is_limited = std::same_as<Limits, wait_limits>;
  result_slot<given> slot;
  if constexpr (is_limited) {
    auto attempt = m.lock(std::move(what));
    const bool is_owner = co_await attempt;
    if (!is_owner) co_return Result{};
  } else {
    co_await m.lock();
  }
  try {
    auto awaited = section();
    auto&& operation = get_awaiter(std::move(awaited));
    if constexpr (std::is_void_v<given>) {
      co_await operation;
      slot.set_value();
    } else {
      slot.set_value(co_await operation);
    }
  } catch (...) {
    slot.set_exception(std::current_exception());
  }
  co_await m.unlock();
  if constexpr (is_limited && std::is_void_v<given>) {
    slot.take();
    co_return true;
  } else {
    co_return slot.take();
  }
}

template <class Mutex, class Section>
auto with_lock_limited(Mutex& m, wait_limits what, Section section) {
  if constexpr (returns_awaitable<Section>) {
    using given = await_result_t<std::invoke_result_t<Section&>>;
    return hold_lock<if_called<given>>(m, std::move(what), std::move(section));
  } else {
    return m.run(std::move(section), std::move(what));
  }
}

}  // namespace detail

/// Calls `section` while owning `m`, and gives its result.
///
///     const int hits = co_await with_lock(m, [&] { return ++map[key]; });
///
/// The section is an ordinary function, so whoever has the mutex may call it: if `m` is
/// owned by others, the call is delegated to the worker that has it, and this task is
/// resumed when it is done.  It must not depend on the thread it runs on.  Exceptions
/// arrive here.
///
/// g++ 12 and 13: name a lambda that captures non-trivial objects by value before awaiting.
template <class Mutex, std::invocable Section>
  requires(!detail::returns_awaitable<Section>)
auto with_lock(Mutex& m, Section section) {
  return m.run(std::move(section));
}

/// If the section returns an awaitable, such as a task, that is awaited by this task while
/// it owns `m`.  Awaits `m.unlock()` in the end whatever happens, so that the heir is
/// exchanged with and not dispatched even when the section throws.
template <class Mutex, std::invocable Section>
  requires detail::returns_awaitable<Section>
auto with_lock(Mutex& m, Section section) {
  using result = await_result_t<std::invoke_result_t<Section&>>;
  return detail::hold_lock<result>(m, detail::unlimited{}, std::move(section));
}

/// The same with limits: gives a std::optional of the result, or whether it was called if
/// there is none.  The section is not called if the time was over, or it was told to stop,
/// before its turn came; then the caller is out of the line.  A section that has begun goes
/// on to its end.
///
///     const auto hits = co_await with_lock_for(m, 10ms, [&] { return ++map[key]; });
///     if (!hits) ...
template <class Mutex, std::invocable Section>
auto with_lock(Mutex& m, std::stop_token stop, Section section) {
  return detail::with_lock_limited(m, {std::nullopt, std::move(stop)}, std::move(section));
}
template <class Mutex, class Rep, class Period, std::invocable Section>
auto with_lock_for(Mutex& m, std::chrono::duration<Rep, Period> time, Section section,
                   std::stop_token stop = {}) {
  return detail::with_lock_limited(m, {deadline_after(time), std::move(stop)},
                                   std::move(section));
}
template <class Mutex, class Clock, class Duration, std::invocable Section>
auto with_lock_until(Mutex& m, std::chrono::time_point<Clock, Duration> due,
                     Section section, std::stop_token stop = {}) {
  return detail::with_lock_limited(m, {deadline_at(due), std::move(stop)},
                                   std::move(section));
}

}  // namespace hotseat
