// hotseat/tests/unit/runtime/sleepers_test.cpp — every edge between busy, searching and
// asleep.
// Layer: runtime.  Invariants S1 to S3 are those of sleepers.hpp.  A worker that is woken
// before it lies down does not sleep, so most tests need only one thread.
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/sleepers.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace hotseat::detail {
namespace {

void expect_counts(sleepers& all, std::uint32_t asleep, std::uint32_t searching) {
  EXPECT_EQ(all.look().asleep, asleep);
  EXPECT_EQ(all.look().searching, searching);
  EXPECT_EQ(all.count().asleep, asleep);
  EXPECT_EQ(all.count().searching, searching);
  EXPECT_EQ(all.glance().asleep, asleep);
  EXPECT_EQ(all.glance().searching, searching);
}

TEST(Sleepers, all_workers_start_busy) {
  sleepers all{4};
  EXPECT_EQ(all.workers(), 4U);
  expect_counts(all, 0, 0);
  EXPECT_FALSE(all.look().some_are_idle());
  EXPECT_FALSE(all.look().needs_wake());
  EXPECT_FALSE(all.wake_one(0));
}

TEST(Sleepers, a_waker_is_needed_only_if_one_sleeps_and_none_searches) {
  sleepers all{4};
  ASSERT_TRUE(all.start_searching(0));
  EXPECT_TRUE(all.look().some_are_idle());
  EXPECT_FALSE(all.look().needs_wake());
  all.fall_asleep(0, true);
  EXPECT_TRUE(all.look().some_are_idle());
  EXPECT_TRUE(all.look().needs_wake());
  ASSERT_TRUE(all.start_searching(0));
  EXPECT_FALSE(all.look().needs_wake());
}

TEST(Sleepers, at_most_half_of_the_awake_workers_search) {
  sleepers all{8};
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(all.start_searching(0));
  EXPECT_FALSE(all.start_searching(0));
  expect_counts(all, 0, 4);
  all.fall_asleep(0, true);
  all.fall_asleep(1, true);
  expect_counts(all, 2, 2);  // 6 awake, 2 search
  EXPECT_TRUE(all.start_searching(0));
  EXPECT_FALSE(all.start_searching(0));
}

TEST(Sleepers, the_last_awake_worker_may_search) {
  sleepers one{1};
  EXPECT_TRUE(one.start_searching(0));
  sleepers two{2};
  two.fall_asleep(1, false);
  EXPECT_TRUE(two.start_searching(0));
}

TEST(Sleepers, the_cpus_are_busy_when_there_are_as_many_busy_workers) {
  sleepers all{4, 2};
  EXPECT_TRUE(all.are_cpus_busy());
  ASSERT_TRUE(all.start_searching(0));
  all.fall_asleep(0, false);
  EXPECT_TRUE(all.are_cpus_busy()) << "two are busy";
  all.fall_asleep(1, false);
  EXPECT_FALSE(all.are_cpus_busy()) << "the searcher has a CPU for itself";
}

TEST(Sleepers, low_eagerness_does_not_search_beside_another_if_the_cpus_are_busy) {
  sleepers all{8, 2};
  EXPECT_TRUE(all.start_searching(0, eagerness::low)) << "none searches yet";
  EXPECT_FALSE(all.start_searching(0, eagerness::low));
  EXPECT_TRUE(all.start_searching(0, eagerness::usual));
  for (std::uint32_t i = 0; i < 4; ++i) all.fall_asleep(i, false);
  expect_counts(all, 4, 2);
  all.fall_asleep(4, true);
  EXPECT_TRUE(all.start_searching(0, eagerness::low)) << "one of two CPUs is free";
}

TEST(Sleepers, S1_only_a_worker_of_low_eagerness_leaves_the_last_look_to_others) {
  sleepers all{4};
  EXPECT_TRUE(all.fall_asleep(0, false, eagerness::low)) << "none searches";
  ASSERT_TRUE(all.start_searching(0));
  EXPECT_FALSE(all.fall_asleep(1, false, eagerness::low));
  EXPECT_TRUE(all.fall_asleep(2, false, eagerness::usual));
  EXPECT_TRUE(all.fall_asleep(3, true, eagerness::low)) << "it was the last searcher";
}

TEST(Sleepers, the_last_searcher_is_told_so) {
  sleepers all{4};
  ASSERT_TRUE(all.start_searching(0));
  ASSERT_TRUE(all.start_searching(0));
  EXPECT_FALSE(all.stop_searching(0));
  EXPECT_TRUE(all.stop_searching(0));
  expect_counts(all, 0, 0);
}

TEST(Sleepers, a_sleeper_is_counted_once_whether_it_searched_before_or_not) {
  sleepers all{4};
  ASSERT_TRUE(all.start_searching(0));
  all.fall_asleep(0, true);
  expect_counts(all, 1, 0);
  all.fall_asleep(1, false);
  expect_counts(all, 2, 0);
}

TEST(Sleepers, staying_up_means_searching) {
  sleepers all{4};
  all.fall_asleep(2, false);
  all.stay_up(2);
  expect_counts(all, 0, 1);
  EXPECT_FALSE(all.wake_one(0)) << "none sleeps any more";
}

TEST(Sleepers, a_woken_worker_is_searching_before_it_is_awake) {
  sleepers all{4};
  all.fall_asleep(3, false);
  EXPECT_TRUE(all.wake_one(0));
  expect_counts(all, 0, 1);
  EXPECT_FALSE(all.look().needs_wake()) << "no other worker is woken for the same work";
  all.sleep(3);  // Returns at once.
  expect_counts(all, 0, 1);
}

TEST(Sleepers, S2_a_worker_that_stays_up_and_is_woken_is_counted_once) {
  sleepers all{2};
  all.fall_asleep(0, false);
  EXPECT_TRUE(all.wake_one(0));
  all.stay_up(0);
  expect_counts(all, 0, 1);
}

TEST(Sleepers, S2_a_leftover_token_wakes_no_worker) {
  sleepers all{2};
  all.fall_asleep(0, false);
  EXPECT_TRUE(all.wake_one(0));
  all.stay_up(0);  // The waker's token stays.
  all.fall_asleep(0, true);
  std::atomic<bool> is_woken{false};
  bool was_woken_first = false;
  std::thread sleeper{[&] {
    all.sleep(0);
    was_woken_first = is_woken;
  }};
  std::this_thread::yield();
  is_woken = true;
  EXPECT_TRUE(all.wake_one(1));
  sleeper.join();
  EXPECT_TRUE(was_woken_first);
  expect_counts(all, 0, 1);
}

TEST(Sleepers, S2_each_sleeper_is_woken_by_one_waker_only) {
  sleepers all{3};
  all.fall_asleep(0, false);
  all.fall_asleep(2, false);
  EXPECT_TRUE(all.wake_one(0));
  EXPECT_TRUE(all.wake_one(0));
  EXPECT_FALSE(all.wake_one(0));
  expect_counts(all, 0, 2);
  all.sleep(0);
  all.sleep(2);
}

/// Returns which worker is woken if those in `asleep` sleep, and a waker near `near` asks.
std::uint32_t woken(std::uint32_t workers, const std::vector<std::uint32_t>& asleep,
                    std::uint32_t near) {
  sleepers all{workers};
  for (const std::uint32_t worker : asleep) all.fall_asleep(worker, false);
  EXPECT_TRUE(all.wake_one(near));
  std::uint32_t result = ~0U;
  for (const std::uint32_t worker : asleep) {
    const std::uint32_t before = all.glance().asleep;
    all.stay_up(worker);  // Moves the count only if it was still asleep.
    if (all.glance().asleep == before) result = worker;
  }
  return result;
}

TEST(Sleepers, the_sleeper_nearest_behind_the_waker_is_woken) {
  EXPECT_EQ(woken(8, {1, 3, 6}, 3), 3U);
  EXPECT_EQ(woken(8, {1, 3, 6}, 4), 6U);
  EXPECT_EQ(woken(8, {1, 3, 6}, 0), 1U);
}

TEST(Sleepers, the_search_for_a_sleeper_wraps_around) {
  EXPECT_EQ(woken(8, {1, 3}, 4), 1U);
  EXPECT_EQ(woken(sleepers::largest_group, {0}, sleepers::largest_group - 1), 0U);
}

TEST(Sleepers, pools_of_several_groups_are_searched_completely) {
  constexpr std::uint32_t group = sleepers::largest_group;
  constexpr std::uint32_t third = 2 * group;        // The first worker of that group.
  constexpr std::uint32_t workers = 3 * group + 4;  // The last group is not full.
  EXPECT_EQ(woken(workers, {third + 2}, 5), third + 2);
  EXPECT_EQ(woken(workers, {5}, third + 2), 5U);
  EXPECT_EQ(woken(workers, {third + 1, third + 3}, third + 2), third + 3);
  EXPECT_EQ(woken(workers, {third + 1}, third + 2), third + 1);
  EXPECT_EQ(woken(workers, {third, workers - 1}, workers - 1), workers - 1);
  EXPECT_EQ(woken(group + 1, {group}, 0), group);
}

TEST(Sleepers, a_given_worker_can_be_woken) {
  sleepers all{4};
  all.fall_asleep(1, false);
  all.fall_asleep(2, false);
  all.wake(2);
  expect_counts(all, 1, 1);
  all.sleep(2);  // Returns at once.
  EXPECT_TRUE(all.wake_one(2));
  all.sleep(1);
}

TEST(Sleepers, all_can_be_woken) {
  sleepers all{4};
  all.wake_all();
  expect_counts(all, 0, 0);
  all.fall_asleep(1, false);
  all.fall_asleep(2, false);
  all.fall_asleep(3, false);
  all.wake_all();
  expect_counts(all, 0, 3);
  for (const std::uint32_t worker : {1U, 2U, 3U}) all.sleep(worker);  // Returns at once.
}

TEST(Sleepers, waking_an_awake_worker_changes_no_count) {
  sleepers all{2};
  all.wake(0);
  expect_counts(all, 0, 0);
}

TEST(Sleepers, a_doze_ends_when_the_worker_is_woken) {
  sleepers all{2};
  ASSERT_TRUE(all.start_searching(0));
  std::thread dozer{[&] { all.doze(0, platform::clock::time_point::max()); }};
  all.wake(0);
  dozer.join();
  expect_counts(all, 0, 1);
}

TEST(Sleepers, a_doze_ends_at_its_time) {
  sleepers all{1};
  const platform::clock::time_point end = platform::now() + std::chrono::milliseconds{1};
  all.doze(0, end);
  EXPECT_GE(platform::now(), end);
}

// --- Several groups: of 4, so that two of each may search.

TEST(Sleepers, of_several_groups_those_that_have_searchers_are_counted) {
  sleepers all{8, UINT32_MAX, 4};
  ASSERT_TRUE(all.start_searching(0));
  ASSERT_TRUE(all.start_searching(1));
  expect_counts(all, 0, 1);
  ASSERT_TRUE(all.start_searching(4));
  expect_counts(all, 0, 2);
  EXPECT_FALSE(all.stop_searching(0)) << "one of its group still searches";
  expect_counts(all, 0, 2);
  EXPECT_FALSE(all.stop_searching(1)) << "one of another group still searches";
  expect_counts(all, 0, 1);
  EXPECT_TRUE(all.stop_searching(4));
  expect_counts(all, 0, 0);
}

TEST(Sleepers, at_most_half_of_the_awake_workers_of_a_group_search) {
  sleepers all{6, UINT32_MAX, 4};
  EXPECT_TRUE(all.start_searching(0));
  EXPECT_TRUE(all.start_searching(1));
  EXPECT_FALSE(all.start_searching(2));
  EXPECT_TRUE(all.start_searching(4)) << "the other group has none yet";
  EXPECT_FALSE(all.start_searching(5)) << "there are two in the last group";
  all.fall_asleep(1, true);
  EXPECT_TRUE(all.start_searching(2)) << "three are awake, and one searches";
  EXPECT_FALSE(all.start_searching(3));
  all.stay_up(1);
  expect_counts(all, 0, 2);
}

TEST(Sleepers, while_few_are_awake_in_a_group_all_are_looked_at) {
  sleepers all{12, UINT32_MAX, 4};
  for (const std::uint32_t worker : {1U, 2U, 3U}) all.fall_asleep(worker, false);
  ASSERT_TRUE(all.start_searching(4));
  ASSERT_TRUE(all.start_searching(5));
  ASSERT_TRUE(all.start_searching(8));
  EXPECT_TRUE(all.start_searching(0)) << "three of nine search";
  all.fall_asleep(0, true);
  for (const std::uint32_t worker : {9U, 10U}) all.fall_asleep(worker, false);
  EXPECT_FALSE(all.start_searching(11)) << "in its group one of two";
  all.fall_asleep(8, true);
  EXPECT_TRUE(all.start_searching(11)) << "it is alone, and two of five search";
  all.fall_asleep(11, true);
  all.stay_up(0);
  EXPECT_FALSE(all.start_searching(0)) << "three of five";
}

TEST(Sleepers, S3_a_worker_that_falls_asleep_leaves_its_group) {
  sleepers all{8, UINT32_MAX, 4};
  ASSERT_TRUE(all.start_searching(0));
  ASSERT_TRUE(all.start_searching(1));
  all.fall_asleep(0, true);
  expect_counts(all, 1, 1);
  EXPECT_FALSE(all.look().needs_wake());
  all.fall_asleep(1, true);
  expect_counts(all, 2, 0);
  EXPECT_TRUE(all.look().needs_wake());
  EXPECT_TRUE(all.wake_one(0));
  EXPECT_TRUE(all.wake_one(0));
  expect_counts(all, 0, 1);
}

TEST(Sleepers, S1_the_last_look_can_be_left_to_the_same_or_another_group) {
  sleepers all{8, UINT32_MAX, 4};
  ASSERT_TRUE(all.start_searching(0));
  ASSERT_TRUE(all.start_searching(1));
  EXPECT_FALSE(all.fall_asleep(0, true, eagerness::low)) << "1 searches";
  EXPECT_FALSE(all.fall_asleep(4, false, eagerness::low)) << "1 searches, elsewhere";
  EXPECT_TRUE(all.fall_asleep(1, true, eagerness::low)) << "it was the last searcher";
}

TEST(Sleepers, the_crowd_is_counted_over_all_groups) {
  sleepers all{8, 3, 4};
  ASSERT_TRUE(all.start_searching(0));
  ASSERT_TRUE(all.start_searching(1));
  ASSERT_TRUE(all.start_searching(4));
  all.fall_asleep(3, false);
  all.fall_asleep(5, false);
  EXPECT_TRUE(all.are_cpus_busy()) << "three are busy: 2, 6 and 7";
  EXPECT_TRUE(all.start_searching(7, eagerness::low)) << "it does not count itself";
  EXPECT_FALSE(all.are_cpus_busy());
}

/// One token of work per round; the worker that takes it puts it back and wakes the next.
/// After a lost wake-up all workers sleep, and the test hangs.
void pass_a_token(std::uint32_t group_size) {
  constexpr std::uint32_t workers = 3;
  constexpr int rounds = 10'000;
  sleepers all{workers, UINT32_MAX, group_size};
  std::atomic<int> visible{0};
  std::atomic<int> left{rounds};
  std::vector<std::thread> threads;
  const auto worker = [&](std::uint32_t self) {
    bool is_searching = all.start_searching(self);
    for (;;) {
      int one = 1;
      if (is_searching && visible.compare_exchange_strong(one, 0)) {
        static_cast<void>(all.stop_searching(self));
        if (left.fetch_sub(1) == 1) {
          for (std::uint32_t other = 0; other < workers; ++other) all.wake(other);
          return;
        }
        visible.store(1, std::memory_order_relaxed);
        if (all.look().needs_wake()) all.wake_one(self);
        is_searching = all.start_searching(self);
        // Leave the token to another worker.
        if (is_searching) static_cast<void>(all.stop_searching(self));
        is_searching = false;
      }
      all.fall_asleep(self, is_searching);
      if (visible.load(std::memory_order_relaxed) != 0 || left.load() == 0) {
        all.stay_up(self);
      } else {
        all.sleep(self);
      }
      if (left.load() == 0) return;
      is_searching = true;
    }
  };
  for (std::uint32_t i = 0; i < workers; ++i) threads.emplace_back(worker, i);
  visible.store(1, std::memory_order_relaxed);
  if (all.look().needs_wake()) all.wake_one(0);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(left, 0);
}

TEST(Sleepers, S1_work_that_was_made_visible_does_not_meet_only_sleepers) {
  pass_a_token(sleepers::largest_group);
}
TEST(Sleepers,
     S1_work_that_was_made_visible_does_not_meet_only_sleepers_of_several_groups) {
  pass_a_token(1);
  pass_a_token(2);
}

}  // namespace
}  // namespace hotseat::detail
