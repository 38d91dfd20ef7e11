// hotseat/task/with_lock.hpp — a section as a function: the form to prefer.
// Layer: task.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/result_slot.hpp>
#include <hotseat/task/task.hpp>

#include <concepts>
#include <exception>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

template <class F>
concept returns_awaitable = awaitable<std::invoke_result_t<F&>>;

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
auto with_lock(Mutex& m, Section section)
    -> task<await_result_t<std::invoke_result_t<Section&>>> {
  using result = await_result_t<std::invoke_result_t<Section&>>;
  detail::result_slot<result> slot;
  co_await m.lock();
  try {
    auto awaited = section();
    auto&& operation = get_awaiter(std::move(awaited));
    if constexpr (std::is_void_v<result>) {
      co_await operation;
      slot.set_value();
    } else {
      slot.set_value(co_await operation);
    }
  } catch (...) {
    slot.set_exception(std::current_exception());
  }
  co_await m.unlock();
  co_return slot.take();
}

}  // namespace hotseat
