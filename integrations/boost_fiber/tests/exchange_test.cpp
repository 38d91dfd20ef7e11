// integrations/boost_fiber/tests/exchange_test.cpp — what our locks do that Boost's do not.
#include <tests/kinds.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

namespace hotseat::boost_fiber::test {
namespace {

using namespace std::chrono_literals;

/// On one thread, two fibers: what they write down when the first unlocks and the second
/// waits.  A third is ready, and would run in between if the second were dispatched.
template <class Mutex, class Leave>
std::string order_of(Mutex& m, Leave leave) {
  std::string trace;
  run_here({[&] {
              m.lock();
              fibers::context::active()->yield();  // The second comes, and waits.
              trace += 'a';
              leave(trace);
            },
            [&] {
              m.lock();
              trace += 'b';
              m.unlock();
            },
            [&] {
              fibers::context::active()->yield();
              trace += 'c';
            }});
  return trace;
}

TEST(BoostFiberExchange, unlock_resumes_the_waiter_at_once_and_the_owner_later) {
  ours::mutex m;
  EXPECT_EQ(order_of(m,
                     [&](std::string& trace) {
                       m.unlock();
                       trace += 'A';
                     }),
            "abcA");
}

TEST(BoostFiberExchange, boosts_own_unlock_goes_on) {
  boosts::mutex m;
  EXPECT_EQ(order_of(m,
                     [&](std::string& trace) {
                       m.unlock();
                       trace += 'A';
                     }),
            "aAcb");
}

TEST(BoostFiberExchange, the_owner_of_another_lock_goes_on) {
  ours::mutex outer;
  ours::mutex m;
  std::string trace = order_of(m, [&](std::string& so_far) {
    // The outer mutex is locked only now, so that no fiber yields as its owner.
    outer.lock();
    m.unlock();
    so_far += 'A';
    outer.unlock();
  });
  EXPECT_EQ(trace, "aAcb");
}

TEST(BoostFiberExchange, a_fiber_that_handles_an_exception_goes_on) {
  ours::mutex m;
  EXPECT_EQ(order_of(m,
                     [&](std::string& trace) {
                       try {
                         throw std::runtime_error{"over"};
                       } catch (const std::runtime_error&) {
                         m.unlock();
                         trace += 'A';
                       }
                     }),
            "aAcb");
}

TEST(BoostFiberExchange, a_fiber_that_an_exception_unwinds_goes_on) {
  ours::mutex m;
  EXPECT_EQ(order_of(m,
                     [&](std::string& trace) {
                       try {
                         const std::unique_lock held{m, std::adopt_lock};
                         throw std::runtime_error{"over"};
                       } catch (const std::runtime_error&) {
                         trace += 'A';
                       }
                     }),
            "aAcb");
}

TEST(BoostFiberExchange, a_waiter_with_a_timeout_is_resumed_at_once_too) {
  ours::timed_mutex m;
  std::string trace;
  run_here({[&] {
              m.lock();
              fibers::context::active()->yield();
              trace += 'a';
              m.unlock();
              trace += 'A';
            },
            [&] {
              ASSERT_TRUE(m.try_lock_for(1h));
              trace += 'b';
              m.unlock();
            }});
  EXPECT_EQ(trace, "abA");
}

TEST(BoostFiberExchange, a_fiber_that_was_granted_a_limited_wait_can_sleep_afterwards) {
  ours::timed_mutex m;
  m.lock();
  fibers::fiber other{[&] {
    ASSERT_TRUE(m.try_lock_for(1h));
    m.unlock();
    fibers::context::active()->wait_until(std::chrono::steady_clock::now() + 1ms);
  }};
  fibers::context::active()->yield();
  m.unlock();
  other.join();
}

TEST(BoostFiberExchange, who_waits_for_a_condition_lets_the_next_owner_run_at_once) {
  ours::mutex m;
  ours::condition_variable changed;
  std::string trace;
  run_here({[&] {
              std::unique_lock held{m};
              fibers::context::active()->yield();
              trace += 'a';
              changed.wait(held);
              trace += 'A';
            },
            [&] {
              const std::lock_guard held{m};
              trace += 'b';
              changed.notify_one();
            },
            [&] {
              fibers::context::active()->yield();
              trace += 'c';
            }});
  // The waiter owns the mutex when the notifier unlocks it: it runs before the third.
  EXPECT_EQ(trace, "abAc");
}

/// Fibers of all threads count under one lock.  Returns the percentage of sections that
/// were followed by a section on another thread.
template <class Mutex, class Algorithm>
double moves_of_the_section() {
  Mutex m;
  std::thread::id last;
  std::size_t sections = 0;
  std::size_t moves = 0;
  crew<Algorithm>::instance().run(400, [&](std::size_t) {
    for (int n = 0; n < 50; ++n) {
      m.lock();
      // Long enough for others to come and wait.
      const auto until = std::chrono::steady_clock::now() + 5us;
      while (std::chrono::steady_clock::now() < until) {
      }
      moves += last != std::this_thread::get_id();
      last = std::this_thread::get_id();
      ++sections;
      m.unlock();
    }
  });
  return 100.0 * static_cast<double>(moves) / static_cast<double>(sections);
}

TEST(BoostFiberExchange, a_contended_section_stays_on_its_thread) {
  EXPECT_LT((moves_of_the_section<ours::mutex, fibers::algo::round_robin>()), 5);
  EXPECT_LT((moves_of_the_section<ours::mutex, fibers::algo::shared_work>()), 5);
  EXPECT_LT((moves_of_the_section<ours::mutex, fibers::algo::work_stealing>()), 5);
}

TEST(BoostFiberExchange, fibers_change_threads_only_where_the_algorithm_shares_them) {
  ours::mutex m;
  std::atomic<std::size_t> moves{0};
  const auto work = [&](std::size_t) {
    const std::thread::id before = std::this_thread::get_id();
    for (int n = 0; n < 100; ++n) {
      const std::lock_guard held{m};
      const auto until = std::chrono::steady_clock::now() + 2us;
      while (std::chrono::steady_clock::now() < until) {
      }
    }
    moves += std::this_thread::get_id() != before;
  };
  crew<fibers::algo::round_robin>::instance().run(100, work);
  EXPECT_EQ(moves.load(), 0U);
}

TEST(BoostFiberExchange, threads_with_different_algorithms_share_a_lock) {
  ours::mutex m;
  std::size_t sections = 0;
  const auto work = [&](std::size_t) {
    for (int n = 0; n < 100; ++n) {
      const std::lock_guard held{m};
      ++sections;
      if (n % 10 == 0) fibers::context::active()->yield();
    }
  };
  std::jthread keeps{[&] { crew<fibers::algo::round_robin>::instance().run(40, work); }};
  std::jthread shares{[&] { crew<fibers::algo::shared_work>::instance().run(40, work); }};
  std::jthread plain{[&] { work(0); }};
  crew<fibers::algo::work_stealing>::instance().run(40, work);
  keeps.join();
  shares.join();
  plain.join();
  EXPECT_EQ(sections, 100U * 121);
}

TEST(BoostFiberExchange, a_time_that_is_too_far_away_is_for_ever) {
  using coarse = std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds>;
  const auto is_had = [](auto lock) {
    ours::timed_mutex m;
    bool was_owner = false;
    run_here({[&] {
                m.lock();
                fibers::context::active()->yield();
                m.unlock();
              },
              [&] {
                was_owner = lock(m);
                if (was_owner) m.unlock();
              }});
    return was_owner;
  };
  EXPECT_TRUE(is_had([](auto& m) { return m.try_lock_for(std::chrono::hours::max()); }));
  EXPECT_TRUE(is_had([](auto& m) { return m.try_lock_until(coarse::max()); }));
  EXPECT_FALSE(is_had([](auto& m) { return m.try_lock_for(std::chrono::hours::min()); }));
  EXPECT_FALSE(is_had([](auto& m) { return m.try_lock_until(coarse::min()); }));
}

}  // namespace
}  // namespace hotseat::boost_fiber::test
