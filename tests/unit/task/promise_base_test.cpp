// hotseat/tests/unit/task/promise_base_test.cpp — what a task continues with at its end.
#include <gtest/gtest.h>

#include <coroutine>
#include <exception>
#include <hotseat/sched/run.hpp>
#include <hotseat/task/detail/join_counter.hpp>
#include <hotseat/task/detail/promise_base.hpp>
#include <stop_token>
#include <string>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <utility>

namespace hotseat::detail {
namespace {

using testing::say_plainly;

/// The smallest promise made of promise_base.
class bare {
 public:
  struct promise_type : promise_base {
    bare get_return_object() noexcept {
      return bare{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
  };
  bare(bare&& other) noexcept : coroutine{std::exchange(other.coroutine, nullptr)} {}
  bare& operator=(bare&&) = delete;
  ~bare() {
    if (coroutine) coroutine.destroy();
  }

  std::coroutine_handle<promise_type> coroutine;

 private:
  explicit bare(std::coroutine_handle<promise_type> c) noexcept : coroutine{c} {}
};

bare say_bare(std::string& log, char what) {
  log += what;
  co_return;
}

TEST(PromiseBase, starts_suspended) {
  std::string log;
  const bare task = say_bare(log, 'a');
  EXPECT_EQ(log, "");
}

TEST(PromiseBase, at_its_end_a_task_continues_with_its_continuation) {
  std::string log;
  const testing::owned waiting = say_plainly(log, 'b');
  const bare task = say_bare(log, 'a');
  task.coroutine.promise().set_continuation(waiting.handle());
  run_until_idle(task.coroutine);
  EXPECT_EQ(log, "ab");
  EXPECT_TRUE(task.coroutine.done());
}

TEST(PromiseBase, the_last_of_several_continues_with_the_joiner) {
  std::string log;
  const testing::owned waiting = say_plainly(log, 'w');
  const bare a = say_bare(log, 'a');
  const bare b = say_bare(log, 'b');
  join_counter join;
  join.start(2, waiting.handle());
  a.coroutine.promise().set_join(join);
  b.coroutine.promise().set_join(join);
  run_until_idle(b.coroutine);
  EXPECT_EQ(log, "b");
  run_until_idle(a.coroutine);
  EXPECT_EQ(log, "baw");
}

TEST(PromiseBase, carries_a_pointer_to_a_stop_token) {
  std::string log;
  const bare task = say_bare(log, 'a');
  EXPECT_EQ(task.coroutine.promise().stop_token(), nullptr);
  const std::stop_token token;
  task.coroutine.promise().set_stop_token(&token);
  EXPECT_EQ(task.coroutine.promise().stop_token(), &token);
}

}  // namespace
}  // namespace hotseat::detail
