// hotseat/tests/unit/core/lazy_start_test.cpp — a coroutine starts once.
#include <gtest/gtest.h>

#include <exception>
#include <hotseat/core/lazy_start.hpp>
#include <hotseat/platform/config.hpp>
#include <string>
#include <utility>

#include <coroutine>

namespace hotseat {
namespace {

class lazy {
 public:
  struct promise_type : lazy_start {
    lazy get_return_object() noexcept {
      return lazy{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static std::suspend_always final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
  };
  lazy(lazy&& other) noexcept : coroutine_{std::exchange(other.coroutine_, nullptr)} {}
  lazy& operator=(lazy&&) = delete;
  ~lazy() {
    if (coroutine_) coroutine_.destroy();
  }
  void resume() const { coroutine_.resume(); }
  [[nodiscard]] bool done() const { return coroutine_.done(); }

 private:
  explicit lazy(std::coroutine_handle<promise_type> coroutine) noexcept
      : coroutine_{coroutine} {}
  std::coroutine_handle<promise_type> coroutine_;
};

class answer {
 public:
  explicit answer(bool value) noexcept : value_{value} {}
  static bool await_ready() noexcept { return false; }
  static void await_suspend(std::coroutine_handle<>) noexcept {}
  [[nodiscard]] bool await_resume() const noexcept { return value_; }

 private:
  bool value_;
};

// No variable in the outermost block: the shape that g++ 12 starts twice.
lazy await_in_a_condition(std::string& log) {
  log += 'a';
  if (co_await answer{true}) log += 'b';
  log += 'c';
}

lazy plain(std::string& log) {
  log += 'a';
  const bool b = co_await answer{true};
  if (b) log += 'b';
}

TEST(LazyStart, nothing_runs_before_the_first_resumption) {
  std::string log;
  const lazy coroutine = plain(log);
  EXPECT_EQ(log, "");
  coroutine.resume();
  EXPECT_EQ(log, "a");
  coroutine.resume();
  EXPECT_EQ(log, "ab");
  EXPECT_TRUE(coroutine.done());
}

TEST(LazyStart, one_resumption_starts_it) {
  if constexpr (config::may_start_twice) return;
  std::string log;
  const lazy condition = await_in_a_condition(log);
  condition.resume();
  EXPECT_EQ(log, "a");
  condition.resume();
  EXPECT_EQ(log, "abc");
  EXPECT_TRUE(condition.done());
}

TEST(LazyStartDeathTest, a_coroutine_that_begins_anew_is_stopped_and_the_reason_named) {
  EXPECT_DEATH(
      {
        struct : detail::starts_once {
        } promise;
        promise.initial_suspend();
        promise.initial_suspend();
      },
      "g\\+\\+ 12 miscompiles a coroutine that awaits in a condition");
}

TEST(LazyStart, a_coroutine_that_was_never_started_can_be_destroyed) {
  std::string log;
  {
    const lazy coroutine = plain(log);
  }
  EXPECT_EQ(log, "");
}

}  // namespace
}  // namespace hotseat
