// hotseat/tests/unit/task/stop_token_of_test.cpp — the stop token of a suspended coroutine.
#include <gtest/gtest.h>

#include <coroutine>
#include <hotseat/task/stop_token_of.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <stop_token>
#include <support/probes.hpp>

namespace hotseat {
namespace {

/// What an awaited operation sees.
class look {
 public:
  explicit look(bool& is_asked) noexcept : is_asked_{is_asked} {}
  static bool await_ready() noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
    is_asked_ = stop_token_of(self).stop_requested();
    return false;
  }
  static void await_resume() noexcept {}

 private:
  bool& is_asked_;
};

task<bool> look_as_a_task() {
  bool is_asked = false;
  co_await look{is_asked};
  co_return is_asked;
}

TEST(StopTokenOf, an_operation_sees_the_token_of_the_task_that_awaits_it) {
  testing::immediate_executor now;
  std::stop_source source;
  EXPECT_FALSE(sync_wait(now, look_as_a_task(), source.get_token()));
  source.request_stop();
  EXPECT_TRUE(sync_wait(now, look_as_a_task(), source.get_token()));
}

TEST(StopTokenOf, a_coroutine_of_another_type_has_none) {
  EXPECT_FALSE(stop_token_of(std::coroutine_handle<>{}).stop_possible());
  EXPECT_FALSE(
      stop_token_of(std::coroutine_handle<testing::owned::promise_type>{}).stop_possible());
}

}  // namespace
}  // namespace hotseat
