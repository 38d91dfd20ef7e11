// hotseat/asio/await.hpp — hotseat's locks in asio::awaitable, on an io_context of yours.
// Read next: detail/context_executor.hpp.
#pragma once

#include <hotseat/asio/detail/asio.hpp>
#include <hotseat/asio/detail/context_executor.hpp>
#include <hotseat/core/awaitable.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/task/with_lock.hpp>

#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace hotseat::asio {

namespace detail {

/// Awaits in place of an asio::awaitable, and destroys itself at its end.
struct stand_in {
  struct promise_type {
    stand_in get_return_object() noexcept {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
  };
  std::coroutine_handle<> coroutine;
};

/// An operation that has not been ready.
template <class Operation>
struct unready {
  Operation& operation;
  static bool await_ready() noexcept { return false; }
  template <class Promise>
  auto await_suspend(std::coroutine_handle<Promise> self) {
    return operation.await_suspend(self);
  }
  decltype(auto) await_resume() { return operation.await_resume(); }
};

/// The handler continues the awaitable: here, at once, if its executor runs here.  Until
/// then the context has work.
template <class Result, class Operation, class Handler>
stand_in await_for(Operation& operation, Handler handler) {
  const auto where = net::get_associated_executor(handler);
  const auto work = net::make_work_guard(where);
  std::exception_ptr failure;
  if constexpr (std::is_void_v<Result>) {
    try {
      co_await unready<Operation>{operation};
    } catch (...) {
      failure = std::current_exception();
    }
    net::dispatch(where, [handler = std::move(handler), failure]() mutable {
      std::move(handler)(failure);
    });
  } else {
    std::optional<Result> result;
    try {
      result.emplace(co_await unready<Operation>{operation});
    } catch (...) {
      failure = std::current_exception();
    }
    net::dispatch(where, [handler = std::move(handler), failure,
                          result = std::move(result)]() mutable {
      std::move(handler)(failure, std::move(result));
    });
  }
}

/// Outside of our tasks nobody counts the locks of a coroutine, which may leave them on
/// another thread.
class uncounted_locks {
 public:
  uncounted_locks() = default;
  uncounted_locks(const uncounted_locks&) = delete;
  uncounted_locks& operator=(const uncounted_locks&) = delete;
  ~uncounted_locks() { hotseat::detail::current().locks_held = before_; }

 private:
  std::uint32_t before_ = hotseat::detail::current().locks_held;
};

template <class Result>
struct handler_signature {
  using type = void(std::exception_ptr, std::optional<Result>);
};
template <>
struct handler_signature<void> {
  using type = void(std::exception_ptr);
};

}  // namespace detail

/// Awaits what `make()` returns, which only tasks of hotseat could:
///
///     co_await hotseat::asio::await([&] { return items.acquire(); });
///
/// What need not wait costs no more than this call.  A `resume_inline` lock that is left so
/// schedules its heir: there is no task of ours here that the heir could run inside.
template <class Make>
auto await(Make make) -> net::awaitable<await_result_t<std::invoke_result_t<Make&>>> {
  using result = await_result_t<std::invoke_result_t<Make&>>;
  auto awaited = make();
  auto&& operation = get_awaiter(std::move(awaited));
  {
    const detail::uncounted_locks here;
    if (operation.await_ready()) co_return operation.await_resume();
  }
  const auto executor = co_await net::this_coro::executor;
  auto& where = net::use_service<detail::context_executor>(
      static_cast<net::io_context&>(net::query(executor, net::execution::context)));
  auto outcome = [&] {
    return net::async_initiate<const net::use_awaitable_t<>,
                               typename detail::handler_signature<result>::type>(
        [&where, &operation](auto handler) {
          where.run(detail::await_for<result>(operation, std::move(handler)).coroutine);
        },
        net::use_awaitable);
  };
  if constexpr (std::is_void_v<result>) {
    co_await outcome();
  } else {
    co_return *std::move(co_await outcome());
  }
}

template <class Mutex>
net::awaitable<void> lock(Mutex& m) {
  return await([&m] { return m.lock(); });
}
/// Yields whether the caller owns it.
template <class Mutex>
net::awaitable<bool> lock(Mutex& m, wait_limits limits) {
  return await([&m, limits = std::move(limits)] { return m.lock(limits); });
}
template <class Mutex>
net::awaitable<void> unlock(Mutex& m) {
  return await([&m] { return m.unlock(); });
}
/// Runs `section` inside the mutex, and yields its result.
template <class Mutex, class Section>
auto with_lock(Mutex& m, Section section) {
  return await([&m, section = std::move(section)]() mutable {
    return hotseat::with_lock(m, std::move(section));
  });
}

}  // namespace hotseat::asio
