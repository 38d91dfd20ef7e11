// integrations/boost_fiber/tests/threads_test.cpp — threads that end right after their
// fibers.
#include <tests/kinds.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace hotseat::boost_fiber::test {
namespace {

using namespace std::chrono_literals;

/// Looks for work by itself, so that its thread may end after another thread has made a
/// fiber ready there, but before that thread has notified it.
class impatient : public fibers::algo::round_robin {
 public:
  struct life {
    std::atomic<bool> is_over{false};
    std::atomic<bool> was_over_when_notified{false};
  };

  explicit impatient(life& its) noexcept : life_{its} {}
  ~impatient() override { life_.is_over = true; }

  void suspend_until(const detail::time_point&) noexcept override {
    std::this_thread::yield();
  }
  void notify() noexcept override {
    life& its = life_;
    // A thread that may end now does so meanwhile.
    for (int i = 0; i < 100 && !its.is_over; ++i) std::this_thread::sleep_for(100us);
    if (its.is_over) its.was_over_when_notified = true;
  }

 private:
  life& life_;
};

/// Calls `wait` on a thread that ends right afterwards, and meanwhile `wake` on this one.
template <class Wait, class Wake>
bool outlives_its_waker(Wait wait, Wake wake) {
  impatient::life its;
  {
    const std::jthread other{[&] {
      fibers::use_scheduling_algorithm<impatient>(its);
      wait();
    }};
    wake();
  }
  return !its.was_over_when_notified;
}

TEST(BoostFiberThreads,
     a_thread_does_not_end_before_the_one_that_unlocked_has_notified_it) {
  ours::timed_mutex m;
  std::atomic<bool> is_coming{false};
  const auto lock_and_leave = [&](auto lock) {
    is_coming = false;
    m.lock();
    EXPECT_TRUE(outlives_its_waker(
        [&] {
          is_coming = true;
          lock();
          m.unlock();
        },
        [&] {
          while (!is_coming) std::this_thread::yield();
          std::this_thread::sleep_for(2ms);  // It spins first, then waits.
          m.unlock();
        }));
  };
  lock_and_leave([&] { m.lock(); });
  lock_and_leave([&] { EXPECT_TRUE(m.try_lock_for(1h)); });
}

TEST(BoostFiberThreads, a_thread_does_not_end_before_a_condition_has_notified_it) {
  const auto wait_and_leave = [&](auto& m, auto wait) {
    ours::condition_variable_any changed;
    bool is_waiting = false;
    EXPECT_TRUE(outlives_its_waker(
        [&] {
          std::unique_lock held{m};
          is_waiting = true;
          wait(changed, held);
        },
        [&] {
          for (bool waits = false; !waits; std::this_thread::yield()) {
            const std::lock_guard held{m};
            waits = is_waiting;
          }
          changed.notify_one();
        }));
  };
  const auto for_ever = [](auto& changed, auto& held) { changed.wait(held); };
  const auto with_limit = [](auto& changed, auto& held) {
    EXPECT_EQ(changed.wait_for(held, 1h), fibers::cv_status::no_timeout);
  };
  ours::mutex our_mutex;
  wait_and_leave(our_mutex, for_ever);
  wait_and_leave(our_mutex, with_limit);
  std::mutex foreign;
  wait_and_leave(foreign, for_ever);
  wait_and_leave(foreign, with_limit);
}

/// Older than Boost's scheduler of the thread, so destroyed after it.
struct witness {
  std::atomic<bool>* is_over = nullptr;
  ~witness() {
    if (is_over != nullptr) *is_over = true;
  }
};
thread_local witness of_this_thread;

/// One of two sharing threads, the host, runs a fiber of the other.  The host has nothing
/// else to do, but the fiber waits there.
template <class Mutex>
void end_a_thread_whose_guest_waits() {
  Mutex m;
  std::atomic<bool> is_waiting{false};
  std::atomic<bool> is_host_leaving{false};
  std::atomic<bool> is_host_over{false};
  m.lock();
  {
    std::jthread owner{[&] {
      fibers::use_scheduling_algorithm<fibers::algo::shared_work>();
      fibers::fiber guest{[&] {
        is_waiting = true;
        const std::lock_guard held{m};
      }};
      while (!is_waiting) std::this_thread::yield();  // So this thread does not run it.
      guest.join();
    }};
    std::jthread host{[&] {
      of_this_thread.is_over = &is_host_over;
      fibers::use_scheduling_algorithm<fibers::algo::shared_work>();
      while (!is_waiting) fibers::context::active()->yield();
      is_host_leaving = true;
    }};
    while (!is_host_leaving) std::this_thread::yield();
    // Long enough for a thread to end if it does not wait for its guest.
    for (int i = 0; i < 20 && !is_host_over; ++i) std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(is_host_over);
    m.unlock();
  }
  EXPECT_TRUE(is_host_over);
}

TEST(BoostFiberThreads, a_thread_does_not_end_before_the_guest_that_waits_there) {
  end_a_thread_whose_guest_waits<ours::mutex>();
}
TEST(BoostFiberThreads, nor_does_it_with_boosts_own_mutex) {
  end_a_thread_whose_guest_waits<boosts::mutex>();
}

}  // namespace
}  // namespace hotseat::boost_fiber::test
