// hotseat/tests/unit/task/join_counter_test.cpp — the last one, and only that, resumes.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <hotseat/platform/seam.hpp>
#include <hotseat/task/detail/join_counter.hpp>
#include <support/probes.hpp>
#include <support/threads.hpp>

namespace hotseat::detail {
namespace {

TEST(JoinCounter, the_last_arrival_gets_the_waiting_task) {
  const testing::owned waiting = testing::do_nothing();
  join_counter join;
  join.start(3, waiting.handle());
  EXPECT_FALSE(join.arrive());
  EXPECT_FALSE(join.arrive());
  EXPECT_EQ(join.arrive(), waiting.handle());
}

TEST(JoinCounter, one_child_is_the_last) {
  const testing::owned waiting = testing::do_nothing();
  join_counter join;
  join.start(1, waiting.handle());
  EXPECT_EQ(join.arrive(), waiting.handle());
}

TEST(JoinCounter, of_several_threads_one_is_the_last_and_sees_what_the_others_did) {
  constexpr std::size_t threads = 4;
  const testing::owned waiting = testing::do_nothing();
  for (int round = 0; round < 100; ++round) {
    join_counter join;
    join.start(threads, waiting.handle());
    std::array<int, threads> results{};
    platform::atomic<int> last{0};
    testing::on_threads(threads, [&](std::size_t i) {
      results[i] = 1;
      if (!join.arrive()) return;
      last.fetch_add(1);
      for (const int result : results) EXPECT_EQ(result, 1);
    });
    EXPECT_EQ(last.load(), 1);
  }
}

}  // namespace
}  // namespace hotseat::detail
