// hotseat/tests/unit/trace/recording_test.cpp — many threads, little room: every lost event
// is counted.
#include <hotseat/trace/recording.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace hotseat::trace {
namespace {

class TraceRecording : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!config::records_traces) GTEST_SKIP() << "built without the recorder";
  }
};

struct total {
  std::size_t kept = 0;
  std::uint64_t dropped = 0;
};

total count(const recording& what) {
  total sum;
  for (const thread_events& each : what.threads) {
    sum.kept += each.events.size();
    sum.dropped += each.dropped;
  }
  return sum;
}

TEST_F(TraceRecording, each_thread_has_its_own_events_in_its_own_order) {
  constexpr std::uint32_t each = 10'000;
  start();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (std::uint32_t n = 0; n < each; ++n) note(kind::stolen, nullptr, n);
      });
    }
  }
  const recording what = stop();
  ASSERT_EQ(what.threads.size(), 4);
  for (const thread_events& thread : what.threads) {
    ASSERT_EQ(thread.events.size(), each);
    for (std::uint32_t n = 0; n < each; ++n) ASSERT_EQ(thread.events[n].number, n);
    EXPECT_EQ(thread.dropped, 0);
  }
}

TEST_F(TraceRecording, what_finds_no_room_is_counted) {
  constexpr std::uint32_t each = 5'000;
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{3'000},
                                 std::size_t{12'345}, std::size_t{30'000}}) {
    start(most);
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([] {
          for (std::uint32_t n = 0; n < each; ++n) note(kind::stolen, nullptr, n);
        });
      }
    }
    const total sum = count(stop());
    EXPECT_LE(sum.kept, most);
    EXPECT_EQ(sum.kept + sum.dropped, 4 * each);
    if (most == 30'000) EXPECT_EQ(sum.dropped, 0);
  }
}

TEST_F(TraceRecording, a_new_one_has_nothing_of_the_one_before) {
  start();
  note(kind::stolen, nullptr, 1);
  EXPECT_EQ(count(stop()).kept, 1);
  start();
  note(kind::stolen, nullptr, 2);
  const recording what = stop();
  ASSERT_EQ(count(what).kept, 1);
  EXPECT_EQ(what.threads[0].events[0].number, 2);
}

TEST_F(TraceRecording, it_can_be_ended_while_threads_go_on) {
  start(100'000);
  std::jthread busy{[](const std::stop_token& enough) {
    while (!enough.stop_requested()) note(kind::stolen, nullptr, 1);
  }};
  total sum;
  while (sum.kept == 0) {
    sum = count(stop());
    start(100'000);
  }
  EXPECT_LE(sum.kept, 100'000);
  stop();
}

TEST_F(TraceRecording, a_worker_is_shown_under_its_number) {
  start();
  std::jthread{[] {
    detail::this_thread_is_worker(3);
    note(kind::task_ends);
  }}.join();
  const recording what = stop();
  ASSERT_EQ(what.threads.size(), 1);
  EXPECT_EQ(what.threads[0].name, "worker 3");
}

}  // namespace
}  // namespace hotseat::trace
