// hotseat/tests/unit/explore/explore_test.cpp — what explore() promises its users.
#include <gtest/gtest.h>

#include <hotseat/core/assert.hpp>
#include <hotseat/explore/explore.hpp>
#include <hotseat/hotseat.hpp>
#include <hotseat/platform/seam.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using kind = explore_result::kind;
using platform::thread;

/// These tests count schedules, whatever the environment asks of the models.
[[maybe_unused]] const bool is_left_alone =
    unsetenv("HOTSEAT_EXPLORE_SCALE") == 0 && unsetenv("HOTSEAT_EXPLORE_LIMIT") == 0;

explore_result quietly(const std::function<void()>& program,
                       strategy how = strategy::mixed) {
  return explore({.how = how, .schedules = 2000, .prints = false}, program);
}

/// Two threads that add without an atomic addition.
void lost_update() {
  platform::atomic<int> count{0};
  const auto add = [&] {
    const int seen = count.load(std::memory_order_relaxed);
    count.store(seen + 1, std::memory_order_relaxed);
  };
  thread other{add};
  add();
  other.join();
  verify(count.load(std::memory_order_relaxed) == 2, "no addition is lost");
}

TEST(Explore, a_good_program_runs_as_often_as_asked) {
  int runs = 0;
  const explore_result result = quietly([&] { ++runs; });
  EXPECT_FALSE(result.has_failed()) << result.report;
  EXPECT_EQ(result.schedules, 2000U);
  EXPECT_EQ(runs, 2000);
}

TEST(Explore, the_environment_can_ask_for_more_schedules_and_for_no_more_than_a_number) {
  int runs = 0;
  ASSERT_EQ(setenv("HOTSEAT_EXPLORE_SCALE", "3", 1), 0);
  quietly([&] { ++runs; });
  EXPECT_EQ(runs, 6000);
  runs = 0;
  ASSERT_EQ(setenv("HOTSEAT_EXPLORE_LIMIT", "500", 1), 0);
  quietly([&] { ++runs; });
  EXPECT_EQ(runs, 500);
  unsetenv("HOTSEAT_EXPLORE_SCALE");
  unsetenv("HOTSEAT_EXPLORE_LIMIT");
}

TEST(Explore, each_strategy_finds_a_lost_update) {
  for (const strategy how : {strategy::mixed, strategy::random_walk, strategy::priorities,
                             strategy::exhaustive}) {
    const explore_result result = quietly(&lost_update, how);
    EXPECT_EQ(result.failure, kind::assertion);
    EXPECT_NE(result.what.find("no addition is lost"), std::string::npos);
    EXPECT_FALSE(result.replay.empty());
  }
}

TEST(Explore, a_replay_fails_in_the_same_way) {
  for (const strategy how :
       {strategy::random_walk, strategy::priorities, strategy::exhaustive}) {
    const explore_result first = quietly(&lost_update, how);
    ASSERT_TRUE(first.has_failed());
    const explore_result second =
        explore({.prints = false, .replay = first.replay}, &lost_update);
    EXPECT_EQ(second.schedules, 1U);
    EXPECT_EQ(second.failure, first.failure);
    EXPECT_EQ(second.what, first.what);
    EXPECT_EQ(second.report.find("NOT THE SAME"), std::string::npos) << second.report;
  }
}

TEST(Explore, the_environment_can_ask_for_a_replay) {
  const explore_result first = quietly(&lost_update);
  const std::string wanted = "program " + first.replay;
  ASSERT_EQ(setenv("HOTSEAT_REPLAY", wanted.c_str(), 1), 0);
  const explore_result second = quietly(&lost_update);
  const explore_result other = explore({.name = "another", .schedules = 7}, [] {});
  unsetenv("HOTSEAT_REPLAY");
  EXPECT_EQ(second.schedules, 1U);
  EXPECT_EQ(second.what, first.what);
  EXPECT_EQ(other.schedules, 7U);
}

TEST(Explore, a_malformed_replay_is_an_error) {
  EXPECT_THROW(explore({.replay = "nonsense"}, [] {}), std::invalid_argument);
}

TEST(Explore, the_report_has_steps_with_their_places) {
  const explore_result result = quietly(&lost_update);
  EXPECT_NE(result.report.find("explore_test.cpp:"), std::string::npos) << result.report;
  EXPECT_NE(result.report.find("HOTSEAT_REPLAY=\"program "), std::string::npos);
  EXPECT_NE(result.report.find("main"), std::string::npos);
  EXPECT_NE(result.report.find("thread-1"), std::string::npos);
}

TEST(Explore, a_program_that_is_not_the_same_each_time_is_told_so) {
  int runs = 0;
  const explore_result result = quietly([&] { verify(++runs != 5, "not the fifth time"); });
  EXPECT_NE(result.report.find("NOT THE SAME"), std::string::npos);
}

TEST(Explore, an_exhaustive_search_ends) {
  const explore_result result =
      explore({.how = strategy::exhaustive, .schedules = 1'000'000, .preemptions = 2}, [] {
        platform::atomic<int> count{0};
        const auto add = [&] { count.fetch_add(1, std::memory_order_relaxed); };
        thread other{add};
        add();
        other.join();
        verify(count.load(std::memory_order_relaxed) == 2, "both have added");
      });
  EXPECT_FALSE(result.has_failed());
  EXPECT_TRUE(result.is_complete);
  EXPECT_GT(result.schedules, 5U);
}

TEST(Explore, all_orders_are_seen_by_an_exhaustive_search) {
  std::set<std::string> seen;
  explore({.how = strategy::exhaustive, .schedules = 1'000'000, .preemptions = 6}, [&] {
    platform::atomic<int> turn{0};
    std::string order;
    const auto write = [&](char name) {
      for (int i = 0; i < 2; ++i) {
        turn.fetch_add(1, std::memory_order_relaxed);
        order += name;
      }
    };
    thread a{[&] { write('a'); }};
    thread b{[&] { write('b'); }};
    a.join();
    b.join();
    seen.insert(order);
  });
  EXPECT_EQ(seen, (std::set<std::string>{"aabb", "abab", "abba", "baab", "baba", "bbaa"}));
}

TEST(Explore, threads_that_wait_for_each_other_are_a_deadlock) {
  const explore_result result = quietly([] {
    mutex a;
    mutex b;
    const auto both = [](mutex& first, mutex& second) {
      first.lock_blocking();
      second.lock_blocking();
      second.unlock_dispatch();
      first.unlock_dispatch();
    };
    thread other{[&] { both(b, a); }};
    both(a, b);
    other.join();
  });
  EXPECT_EQ(result.failure, kind::deadlock);
}

TEST(Explore, a_loop_without_end_is_a_livelock) {
  const explore_result result = quietly([] {
    for (;;) platform::relax();
  });
  EXPECT_EQ(result.failure, kind::livelock);
}

TEST(Explore, a_spin_loop_lets_the_others_run) {
  for (const strategy how :
       {strategy::random_walk, strategy::priorities, strategy::exhaustive}) {
    const explore_result result = quietly(
        [] {
          platform::atomic<bool> is_set{false};
          thread other{[&] { is_set.store(true, std::memory_order_relaxed); }};
          while (!is_set.load(std::memory_order_relaxed)) platform::relax();
          other.join();
        },
        how);
    EXPECT_FALSE(result.has_failed()) << result.report;
  }
}

TEST(Explore, a_spin_loop_may_outlast_the_others) {
  for (const strategy how : {strategy::random_walk, strategy::priorities}) {
    bool has_outlasted = false;
    const explore_result result = quietly(
        [&] {
          platform::atomic<bool> is_set{false};
          thread other{[&] { is_set.store(true, std::memory_order_relaxed); }};
          int turns = 0;
          for (; turns < 5 && !is_set.load(std::memory_order_relaxed); ++turns) {
            platform::relax();
          }
          has_outlasted |= turns == 5;
          other.join();
        },
        how);
    EXPECT_FALSE(result.has_failed()) << result.report;
    EXPECT_TRUE(has_outlasted);
  }
}

TEST(Explore, the_end_of_an_atomic_comes_after_its_last_use) {
  // Another thread's last use; the owner may have waited for it with or without an order.
  const auto program = [](std::memory_order how) {
    return [how] {
      platform::atomic<bool> is_over{false};
      thread other;
      {
        platform::atomic<int> count{0};
        other = thread{[&] {
          count.store(1, std::memory_order_relaxed);
          is_over.store(true, how);
        }};
        while (!is_over.load(std::memory_order_acquire)) platform::relax();
      }
      other.join();
    };
  };
  const explore_result ordered = quietly(program(std::memory_order_release));
  EXPECT_FALSE(ordered.has_failed()) << ordered.report;
  EXPECT_EQ(quietly(program(std::memory_order_relaxed)).failure, kind::race);
}

TEST(Explore, the_end_of_a_var_comes_after_its_last_use) {
  const auto program = [](std::memory_order how) {
    return [how] {
      platform::atomic<bool> is_over{false};
      thread other;
      {
        platform::var<int> value = 1;
        other = thread{[&] {
          static_cast<void>(int{value});
          is_over.store(true, how);
        }};
        while (!is_over.load(std::memory_order_acquire)) platform::relax();
      }
      other.join();
    };
  };
  const explore_result ordered = quietly(program(std::memory_order_release));
  EXPECT_FALSE(ordered.has_failed()) << ordered.report;
  EXPECT_EQ(quietly(program(std::memory_order_relaxed)).failure, kind::race);
}

TEST(Explore, addresses_are_named_in_order_of_appearance) {
  const explore_result result = quietly([] {
    long one = 0;
    long other = 0;
    platform::atomic<long*> where{nullptr};
    where.store(&one);
    where.store(&other);
    where.store(&one);
    verify(false, "it is to be seen");
  });
  EXPECT_NE(result.report.find("store         a1                   p1"), std::string::npos)
      << result.report;
  EXPECT_NE(result.report.find("store         a1                   p2"), std::string::npos);
  EXPECT_EQ(result.report.find("0x7f"), std::string::npos);
}

TEST(Explore, an_unordered_access_is_a_race) {
  const explore_result result = quietly([] {
    platform::var<int> field = 0;
    thread other{[&] { field = 1; }};
    field = 2;
    other.join();
  });
  EXPECT_EQ(result.failure, kind::race);
  EXPECT_NE(result.what.find("var<int>"), std::string::npos) << result.what;
}

TEST(Explore, an_ordered_access_is_none) {
  const explore_result result = quietly([] {
    platform::var<int> field = 0;
    platform::atomic<bool> is_set{false};
    thread other{[&] {
      field = 1;
      is_set.store(true, std::memory_order_release);
    }};
    if (is_set.load(std::memory_order_acquire)) verify(field == 1, "it was written before");
    other.join();
    field = 2;
  });
  EXPECT_FALSE(result.has_failed()) << result.report;
}

TEST(Explore, a_violation_is_a_failure) {
  const explore_result result = quietly([] {
    mutex m;
    m.unlock_dispatch();
  });
  EXPECT_EQ(result.failure, kind::violation);
  EXPECT_NE(result.what.find("only the owner may unlock"), std::string::npos);
}

TEST(Explore, an_exception_that_leaves_a_thread_is_a_failure) {
  const explore_result result = quietly([] { throw std::runtime_error{"oh"}; });
  EXPECT_EQ(result.failure, kind::exception);
  EXPECT_NE(result.what.find("oh"), std::string::npos);
}

TEST(Explore, a_crash_is_a_failure) {
  EXPECT_EQ(quietly([] { std::abort(); }).failure, kind::crash);
  EXPECT_EQ(quietly([] {
              volatile int* volatile nowhere = nullptr;
              *nowhere = 1;
            }).failure,
            kind::crash);
}

TEST(Explore, a_task_that_is_never_freed_is_a_failure) {
  const auto leak = [] {
    auto* const lost = new task<>{[]() -> task<> { co_return; }()};
    static_cast<void>(lost);
  };
  EXPECT_EQ(quietly(leak).failure, kind::leak);
  EXPECT_FALSE(explore({.schedules = 3, .checks_leaks = false}, leak).has_failed());
}

TEST(Explore, an_atomic_in_a_frame_that_is_gone_is_found) {
  const explore_result result = quietly([] {
    platform::atomic<int>* dangling = nullptr;
    {
      thread_pool pool{{.threads = 1, .machine = topology::flat(1)}};
      const auto body = [&]() -> task<> {
        platform::atomic<int> local{0};
        dangling = &local;
        co_await reschedule();
      };
      sync_wait(pool, body());
    }
    dangling->store(1, std::memory_order_relaxed);
  });
  EXPECT_EQ(result.failure, kind::use_after_free);
}

TEST(Explore, time_is_virtual) {
  const explore_result result = explore({.schedules = 100}, [] {
    const auto start = platform::now();
    thread_pool pool{{.threads = 1, .machine = topology::flat(1)}};
    const auto sleeper = [](std::chrono::hours time) -> task<> {
      auto sleep = sleep_for(time);
      static_cast<void>(co_await sleep);
    };
    sync_wait(pool, sleeper(1000h));
    verify(platform::now() - start >= 1000h, "the sleep was long enough");
  });
  EXPECT_FALSE(result.has_failed()) << result.report;
}

TEST(Explore, a_deadline_may_pass_at_any_time) {
  bool was_in_time = false;
  bool was_late = false;
  const explore_result result = quietly([&] {
    mutex m;
    m.lock_blocking();
    thread other{[&] {
      const bool is_owner = block_on(m.try_lock_for(1ms));
      (is_owner ? was_in_time : was_late) = true;
      if (is_owner) m.unlock_dispatch();
    }};
    m.unlock_dispatch();
    other.join();
  });
  EXPECT_FALSE(result.has_failed()) << result.report;
  EXPECT_TRUE(was_in_time);
  EXPECT_TRUE(was_late);
}

TEST(Explore, exceptions_in_flight_belong_to_their_thread) {
  const explore_result result = quietly([] {
    platform::atomic<int> turns{0};
    const auto body = [&](int number) {
      try {
        throw number;
      } catch (int) {
        turns.fetch_add(1, std::memory_order_relaxed);
        try {
          throw;
        } catch (int again) {
          verify(again == number, "the exception of this thread");
        }
      }
    };
    thread other{[&] { body(1); }};
    body(2);
    other.join();
  });
  EXPECT_FALSE(result.has_failed()) << result.report;
}

TEST(Explore, threads_can_be_refused_until_the_execution_is_over) {
  int refused = 0;
  const explore_result result = quietly([&] {
    thread granted{[] {}};  // The refusal of the previous execution has ended.
    granted.join();
    platform::explored::on_thread_start([] { throw std::runtime_error{"no threads"}; });
    try {
      thread other{[] {}};
      other.join();
    } catch (const std::runtime_error&) {
      ++refused;
    }
  });
  EXPECT_FALSE(result.has_failed()) << result.report;
  EXPECT_EQ(refused, 2000);
}

TEST(Explore, an_order_can_be_weakened_to_see_whether_that_is_noticed) {
  unsigned line = 0;
  const auto program = [&] {
    platform::var<int> field = 0;
    platform::atomic<bool> is_set{false};
    thread other{[&] {
      field = 1;
      line = __LINE__ + 1;
      is_set.store(true, std::memory_order_release);
    }};
    if (is_set.load(std::memory_order_acquire)) verify(field == 1, "it was written before");
    other.join();
  };
  EXPECT_FALSE(quietly(program).has_failed());
  const std::string where = "explore_test.cpp:" + std::to_string(line);
  ASSERT_EQ(setenv("HOTSEAT_WEAKEN", where.c_str(), 1), 0);
  const explore_result weakened = quietly(program);
  unsetenv("HOTSEAT_WEAKEN");
  EXPECT_EQ(weakened.failure, kind::race);
}

TEST(Explore, a_half_of_an_order_can_be_weakened) {
  unsigned line = 0;
  const auto fails_without = [&](const char* part) {
    const std::string what = "explore_test.cpp:" + std::to_string(line) + part;
    setenv("HOTSEAT_WEAKEN", what.c_str(), 1);
    const bool fails = quietly([&] {
                         platform::var<int> field = 0;
                         platform::atomic<int> turns{0};
                         const auto use = [&] {
                           const int seen = field;
                           line = __LINE__ + 1;
                           if (turns.fetch_add(1, std::memory_order_acq_rel) == 1) {
                             field = seen + 1;
                           }
                         };
                         thread other{use};
                         use();
                         other.join();
                       }).has_failed();
    unsetenv("HOTSEAT_WEAKEN");
    return fails;
  };
  EXPECT_FALSE(fails_without(":acquire"));  // Not that line.
  EXPECT_TRUE(fails_without(":acquire"));
  EXPECT_TRUE(fails_without(":release"));
  EXPECT_TRUE(fails_without(""));
  EXPECT_FALSE(fails_without(":failure"));
}

TEST(Explore, what_could_be_weakened_is_listed) {
  const std::string file = ::testing::TempDir() + "hotseat_sites.txt";
  std::remove(file.c_str());
  ASSERT_EQ(setenv("HOTSEAT_SITES", file.c_str(), 1), 0);
  const unsigned line = __LINE__ + 3;
  quietly([] {
    platform::atomic<int> word{0};
    word.store(1, std::memory_order_release);
    int seen = 0;
    word.compare_exchange_strong(seen, 2, std::memory_order_acq_rel,
                                 std::memory_order_acquire);
    word.store(3, std::memory_order_relaxed);
  });
  unsetenv("HOTSEAT_SITES");
  std::ifstream list{file};
  std::set<std::string> lines;
  for (std::string text; std::getline(list, text);) {
    const std::size_t slash = text.rfind('/');
    lines.insert(text.substr(0, text.find('\t') + 1) + text.substr(slash + 1));
  }
  const auto site = [&](unsigned at, const char* part) {
    return "program\texplore_test.cpp:" + std::to_string(at) + ":" + part;
  };
  EXPECT_TRUE(lines.contains(site(line, "release")));
  EXPECT_TRUE(lines.contains(site(line + 2, "failure")));
  EXPECT_EQ(lines.size(), 2U);  // The exchange has never succeeded.
}

}  // namespace
}  // namespace hotseat
