// hotseat/tests/model/timer_model.cpp — an alarm against whoever does not want it any more.
#include <gtest/gtest.h>

#include <hotseat/hotseat.hpp>
#include <hotseat/platform/clock.hpp>
#include <hotseat/platform/thread.hpp>
#include <hotseat/platform/var.hpp>
#include <hotseat/timer/timer_queue.hpp>
#include <support/scenario.hpp>

#include <chrono>
#include <optional>
#include <stop_token>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using platform::thread;
using testing::explore_all;
using testing::explore_some;

/// Any other deadline may pass at any time.
constexpr std::chrono::nanoseconds for_ever = std::chrono::nanoseconds::max();

thread_pool_options small(unsigned threads) {
  thread_pool_options result;
  result.threads = threads;
  result.block_size = 2;
  result.block_count = 2;
  result.machine = topology::flat(1);
  return result;
}

using alarm = alarm_clock::alarm;

/// Touches itself as it rings: a race, or a use after its end, if it may be gone by then.
struct bell : alarm {
  explicit bell(platform::clock::time_point when) {
    due = when;
    ring = [](alarm& self) noexcept {
      auto& which = static_cast<bell&>(self);
      which.times_rung = which.times_rung + 1;
    };
  }
  platform::var<int> times_rung = 0;
};

TEST(TimerQueueModel, T1_an_alarm_that_is_withdrawn_does_not_ring_afterwards) {
  explore_all([] {
    detail::timer_queue timers;
    timers.start();
    std::optional<bell> b{platform::now() + 5us};
    verify(timers.set(*b), "it is open");
    timers.withdraw(*b);
    verify(b->times_rung <= 1, "T1: once at most");
    b.reset();
  });
}

TEST(TimerQueueModel, T1_alarms_of_two_threads_are_set_and_withdrawn) {
  explore_some(200'000, [] {
    detail::timer_queue timers;
    const auto use = [&](std::chrono::microseconds time) {
      timers.start();
      bell b{platform::now() + time};
      verify(timers.set(b), "it is open");
      timers.withdraw(b);
      verify(b.times_rung <= 1, "T1: once at most");
    };
    thread other{[&] { use(3us); }};
    use(10us);
    other.join();
  });
}

TEST(TimerQueueModel, T1_an_alarm_rings_once_when_the_clock_is_closed) {
  explore_some(200'000, [] {
    detail::timer_queue timers;
    bell b{platform::now() + 8us};
    bool was_set = false;
    timers.start();
    thread setter{[&] { was_set = timers.set(b); }};
    timers.close();
    setter.join();
    verify(b.times_rung == (was_set ? 1 : 0), "it rings exactly if it was set");
  });
}

TEST(TimerQueueModel, T2_closing_against_withdrawing) {
  explore_some(200'000, [] {
    detail::timer_queue timers;
    timers.start();
    thread user{[&] {
      bell b{platform::now() + 5us};
      if (!timers.set(b)) return;
      timers.withdraw(b);
      verify(b.times_rung <= 1, "T1: once at most");
    }};
    timers.close();
    user.join();
  });
}

TEST(TimerQueueModel, an_earlier_alarm_does_not_wait_for_a_later_one) {
  explore_some(200'000, [] {
    detail::timer_queue timers;
    timers.start();
    event rung;
    struct announced : alarm {
      event* which = nullptr;
    } early;
    early.which = &rung;
    early.ring = [](alarm& self) noexcept {
      static_cast<announced&>(self).which->set_dispatch();
    };
    bell late{platform::clock::time_point::max()};
    verify(timers.set(late), "it is open");
    early.due = platform::now() + 5us;
    verify(timers.set(early), "it is open");
    block_on(rung.wait());
    timers.withdraw(early);
    timers.withdraw(late);
    verify(late.times_rung == 0, "the later one was withdrawn in time");
  });
}

task<bool> nap(std::chrono::nanoseconds time) {
  auto sleep = sleep_for(time);
  const bool in_time = co_await sleep;
  co_return in_time;
}

TEST(SleepModel, a_sleep_ends_at_its_time_or_when_it_is_stopped) {
  explore_some(80'000, [] {
    thread_pool pool{small(1)};
    std::stop_source stop;
    thread stopper{[&] { stop.request_stop(); }};
    const auto start = platform::now();
    const bool in_time = sync_wait(pool, nap(20us), stop.get_token());
    verify(!in_time || platform::now() - start >= 20us, "true means that the time is over");
    stopper.join();
  });
}

TEST(SleepModel, a_sleep_without_end_is_stopped) {
  explore_some(80'000, [] {
    thread_pool pool{small(2)};
    std::stop_source stop;
    thread stopper{[&] { stop.request_stop(); }};
    verify(!sync_wait(pool, nap(for_ever), stop.get_token()), "it was stopped");
    stopper.join();
  });
}

TEST(SleepModel, two_tasks_sleep_and_wake_in_their_order) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    const auto both = sync_wait(pool, when_all(nap(30us), nap(10us)));
    verify(std::get<0>(both) && std::get<1>(both), "both slept to their end");
  });
}

TEST(SleepModel, shutdown_wakes_those_who_sleep) {
  explore_some(80'000, [] {
    std::optional<thread_pool> pool{small(2)};
    task_group group{*pool};
    int woken = 0;
    const auto body = [&]() -> task<> {
      const bool in_time = co_await nap(for_ever);
      verify(!in_time, "it was woken early");
      ++woken;
    };
    group.spawn(body());
    pool.reset();
    verify(woken == 1, "it ran to its end");
  });
}

}  // namespace
}  // namespace hotseat
