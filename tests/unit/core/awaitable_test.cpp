// hotseat/tests/unit/core/awaitable_test.cpp — what can be awaited, and what it yields.
#include <gtest/gtest.h>

#include <concepts>
#include <coroutine>
#include <hotseat/core/awaitable.hpp>
#include <memory>
#include <string>
#include <utility>

namespace hotseat {
namespace {

template <class Suspend, class Result>
struct awaiter_of {
  bool await_ready();
  Suspend await_suspend(std::coroutine_handle<>);
  Result await_resume();
};

static_assert(awaiter<std::suspend_always>);
static_assert(awaiter<awaiter_of<void, int>>);
static_assert(awaiter<awaiter_of<bool, int>>);
static_assert(awaiter<awaiter_of<std::coroutine_handle<>, int>>);
static_assert(awaiter<awaiter_of<std::noop_coroutine_handle, int>>);
static_assert(!awaiter<awaiter_of<std::string, int>>);
static_assert(!awaiter<int>);

struct no_resume {
  bool await_ready();
  void await_suspend(std::coroutine_handle<>);
};
static_assert(!awaiter<no_resume>);

struct by_member {
  awaiter_of<void, int> operator co_await() && { return {}; }
};
struct by_function {};
[[maybe_unused]] awaiter_of<bool, std::string&> operator co_await(const by_function&) {
  return {};
}
struct pretender {
  int operator co_await() { return 1; }
};

static_assert(awaitable<by_member>);
static_assert(!awaitable<by_member&>, "only a temporary can be awaited");
static_assert(awaitable<by_function>);
static_assert(awaitable<by_function&>);
static_assert(awaitable<awaiter_of<void, int>>);
static_assert(awaitable<awaiter_of<void, int>&>);
static_assert(!awaitable<pretender>);
static_assert(!awaitable<int>);

static_assert(std::same_as<await_result_t<by_member>, int>);
static_assert(std::same_as<await_result_t<by_function>, std::string&>);
static_assert(std::same_as<await_result_t<awaiter_of<void, std::unique_ptr<int>>&>,
                           std::unique_ptr<int>>);
static_assert(std::same_as<await_result_t<std::suspend_never>, void>);

struct tagged {
  explicit tagged(int n) : tag{n} {}
  static bool await_ready() noexcept { return true; }
  static void await_suspend(std::coroutine_handle<>) noexcept {}
  static void await_resume() noexcept {}
  int tag;
};
struct wraps {
  tagged operator co_await() const { return tagged{5}; }
};

TEST(GetAwaiter, an_awaiter_is_its_own_awaiter) {
  tagged original{3};
  auto&& same = get_awaiter(original);
  EXPECT_EQ(&same, &original);
}

TEST(GetAwaiter, an_awaitable_is_asked_for_its_awaiter) {
  EXPECT_EQ(get_awaiter(wraps{}).tag, 5);
}

}  // namespace
}  // namespace hotseat
