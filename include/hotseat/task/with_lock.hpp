// hotseat/task/with_lock.hpp — a section as a function: the form to prefer.
// Layer: task.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/task/task.hpp>

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

template <class F>
concept returns_awaitable = awaitable<std::invoke_result_t<F&>>;

template <class F>
struct section_result {
  using type = std::invoke_result_t<F&>;
};
template <returns_awaitable F>
struct section_result<F> {
  using type = await_result_t<std::invoke_result_t<F&>>;
};

}  // namespace detail

/// Calls `section` while owning `m`, and gives its result.  Awaits `m.unlock()` in the end
/// whatever happens, so that the heir is exchanged with and not dispatched even when the
/// section throws.  If the section returns an awaitable, it is awaited inside.
///
///     const int hits = co_await with_lock(m, [&] { return ++map[key]; });
///
/// g++ 12 and 13: name a lambda that captures non-trivial objects by value before awaiting.
template <class Mutex, std::invocable Section>
auto with_lock(Mutex& m, Section section)
    -> task<typename detail::section_result<Section>::type> {
  using result = typename detail::section_result<Section>::type;
  std::exception_ptr error;
  co_await m.lock();
  if constexpr (std::is_void_v<result>) {
    try {
      if constexpr (detail::returns_awaitable<Section>) {
        co_await section();
      } else {
        section();
      }
    } catch (...) {
      error = std::current_exception();
    }
    co_await m.unlock();
    if (error) std::rethrow_exception(std::move(error));
  } else {
    std::optional<result> value;
    try {
      if constexpr (detail::returns_awaitable<Section>) {
        value.emplace(co_await section());
      } else {
        value.emplace(section());
      }
    } catch (...) {
      error = std::current_exception();
    }
    co_await m.unlock();
    if (error) std::rethrow_exception(std::move(error));
    co_return std::move(*value);
  }
}

}  // namespace hotseat
