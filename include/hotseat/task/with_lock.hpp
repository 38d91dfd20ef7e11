// hotseat/task/with_lock.hpp — a section as a function: the form to prefer.
// Layer: task.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/result_slot.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/section_operation.hpp>
#include <hotseat/task/task.hpp>

#include <concepts>
#include <exception>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

template <class F>
concept returns_awaitable = awaitable<std::invoke_result_t<F&>>;

/// Awaits what the section returns while owning `m`.  `Limits` are the wait_limits of the
/// lock, or `unlimited`; `Result` is the result of the section, or its if_called.
template <class Result, class Mutex, class Limits, class Section>
task<Result> hold_lock(Mutex& m, Limits limits, Section section) {
  using given = await_result_t<std::invoke_result_t<Section&>>;
  constexpr bool is_limited = std::same_as<Limits, wait_limits>;
  result_slot<given> slot;
  if constexpr (is_limited) {
    auto attempt = m.lock(std::move(limits));
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

}  // namespace detail

/// Calls `section` while owning `m`, and yields its result.
///
///     const int hits = co_await with_lock(m, [&] { return ++map[key]; });
///
/// The section is an ordinary function, so the worker that has the mutex may call it: if
/// another task owns `m`, the call is delegated to that worker, and this task is resumed
/// when the call is done.  It must not depend on the thread it runs on.  Its exceptions are
/// thrown here.
///
/// g++ 12 and 13: name a lambda that captures non-trivial objects by value before awaiting.
template <class Mutex, std::invocable Section>
  requires(!detail::returns_awaitable<Section>)
auto with_lock(Mutex& m, Section section) {
  return detail::run_section(m, std::move(section));
}

/// If the section returns an awaitable, such as a task, this task awaits it while it owns
/// `m`.  It always awaits `m.unlock()` at the end, so that even when the section throws,
/// the heir is exchanged with and not dispatched.
template <class Mutex, std::invocable Section>
  requires detail::returns_awaitable<Section>
auto with_lock(Mutex& m, Section section) {
  using result = await_result_t<std::invoke_result_t<Section&>>;
  return detail::hold_lock<result>(m, detail::unlimited{}, std::move(section));
}

/// The same with limits: yields a std::optional of the result, or, if there is none,
/// whether the section was called.  On timeout or stop it is not called.  A section that
/// has begun runs to its end.
///
///     const auto hits = co_await with_lock(m, 10ms, [&] { return ++map[key]; });
///     if (!hits) ...
template <class Mutex, std::invocable Section>
auto with_lock(Mutex& m, wait_limits limits, Section section) {
  if constexpr (detail::returns_awaitable<Section>) {
    using given = await_result_t<std::invoke_result_t<Section&>>;
    return detail::hold_lock<detail::if_called<given>>(m, std::move(limits),
                                                       std::move(section));
  } else {
    return detail::run_section(m, std::move(section), std::move(limits));
  }
}
template <class Mutex, std::invocable Section>
auto with_lock_for(Mutex& m, detail::any_duration auto time, Section section,
                   std::stop_token stop = {}) {
  return with_lock(m, {time, std::move(stop)}, std::move(section));
}
template <class Mutex, std::invocable Section>
auto with_lock_until(Mutex& m, detail::any_time auto due, Section section,
                     std::stop_token stop = {}) {
  return with_lock(m, {due, std::move(stop)}, std::move(section));
}

}  // namespace hotseat
