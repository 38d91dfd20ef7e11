// hotseat/tests/model/timer_model.cpp — an alarm against a task that no longer wants it.
#include <gtest/gtest.h>

#include <hotseat/hotseat.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/timer_queue.hpp>
#include <support/scenario.hpp>

#include <chrono>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>

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
namespace explored = platform::explored;

[[noreturn]] void refuse_thread() {
  throw std::system_error{std::make_error_code(std::errc::resource_unavailable_try_again)};
}

/// Writes to itself as it rings: a race, or a use after free, if it may be gone by then.
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
    timer_queue timers;
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
    timer_queue timers;
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
    timer_queue timers;
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
    timer_queue timers;
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

/// Waits until an alarm that is due has rung.
void see_it_ring(timer_queue& timers) {
  event rung;
  struct announced : alarm {
    event* which = nullptr;
  } due_soon;
  due_soon.which = &rung;
  due_soon.ring = [](alarm& self) noexcept {
    static_cast<announced&>(self).which->set_dispatch();
  };
  due_soon.due = platform::now() + 5us;
  verify(timers.set(due_soon), "it is open");
  block_on(rung.wait());
  timers.withdraw(due_soon);
}

TEST(TimerQueueModel, T3_two_that_start_the_clock_at_once_start_one_thread) {
  explore_some(100'000, [] {
    timer_queue timers;
    int threads = 0;
    thread other{[&] {
      timers.start();
      see_it_ring(timers);
    }};
    explored::on_thread_start([&] { ++threads; });
    timers.start();
    see_it_ring(timers);
    other.join();
    verify(threads <= 1, "one of them has started the thread");
  });
}

TEST(TimerQueueModel, T3_a_start_that_fails_leaves_the_next_one_to_try_again) {
  explore_some(100'000, [] {
    timer_queue timers;
    int refused = 0;
    const auto use = [&] {
      try {
        timers.start();
      } catch (const std::system_error&) {
        ++refused;
        timers.start();
      }
      see_it_ring(timers);
    };
    thread other{use};
    explored::on_thread_start([is_first = true]() mutable {
      if (std::exchange(is_first, false)) refuse_thread();
    });
    use();
    other.join();
    verify(refused <= 1, "the one that did not fail has not been told of it");
  });
}

TEST(TimerQueueModel, T3_the_clock_is_closed_while_it_is_started) {
  explore_some(200'000, [] {
    timer_queue timers;
    bell b{platform::now() + 8us};
    bool was_set = false;
    thread user{[&] {
      timers.start();
      was_set = timers.set(b);
    }};
    timers.close();
    user.join();
    verify(b.times_rung == (was_set ? 1 : 0), "it rings exactly if it was set");
  });
}

TEST(TimerQueueModel, the_queue_can_be_used_while_its_thread_is_started) {
  explore_all([] {
    timer_queue timers;
    bell b{platform::clock::time_point::max()};
    explored::on_thread_start([&] {
      verify(timers.set(b), "it is open");
      timers.withdraw(b);
    });
    timers.start();
    verify(b.times_rung == 0, "it was withdrawn");
  });
}

TEST(TimerQueueModel, an_earlier_alarm_does_not_wait_for_a_later_one) {
  explore_some(200'000, [] {
    timer_queue timers;
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

TEST(SleepModel, shutdown_wakes_the_tasks_that_sleep) {
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

/// Tries until it gets a clock.  Returns how often a clock was refused.
task<int> lock_in_time(mutex& m, int& inside) {
  int refused = 0;
  for (;;) {
    bool is_owner = false;
    try {
      is_owner = co_await m.try_lock_for(for_ever);
    } catch (const std::system_error&) {
      ++refused;
      continue;
    }
    verify(is_owner, "there is no end to its patience");
    ++inside;
    co_await m.unlock();
    co_return refused;
  }
}

task<> lock_for_a_while(mutex& m) {
  co_await m.lock();
  co_await reschedule();
  co_await m.unlock();
}

TEST(LimitedLockModel, a_task_that_gets_no_clock_is_not_in_line_and_may_try_again) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    explored::on_thread_start([is_first = true]() mutable {
      if (std::exchange(is_first, false)) refuse_thread();
    });
    mutex m;
    int inside = 0;
    const auto all =
        sync_wait(pool, when_all(lock_in_time(m, inside), lock_for_a_while(m)));
    verify(std::get<0>(all) <= 1, "one start was refused");
    verify(inside == 1 && m.try_lock(), "none is left in line");
    m.unlock_dispatch();
  });
}

task<> wait_for_signal(mutex& m, condition_variable& changed, bool& is_set) {
  co_await m.lock();
  bool is_refused = false;
  try {
    static_cast<void>(co_await changed.wait_for(m, for_ever, [&] { return is_set; }));
  } catch (const std::system_error&) {
    is_refused = true;
  }
  // The task owns the mutex either way.
  if (is_refused) {
    co_await changed.wait(m, [&] { return is_set; });
  }
  verify(is_set, "it was signalled");
  co_await m.unlock();
}

task<> signal(mutex& m, condition_variable& changed, bool& is_set) {
  co_await m.lock();
  is_set = true;
  co_await m.unlock();
  co_await changed.notify_one();
}

TEST(LimitedLockModel,
     a_task_that_gets_no_clock_to_wait_for_a_condition_still_owns_the_mutex) {
  explore_some(60'000, [] {
    thread_pool pool{small(2)};
    explored::on_thread_start(&refuse_thread);
    mutex m;
    condition_variable changed;
    bool is_set = false;
    sync_wait(pool,
              when_all(wait_for_signal(m, changed, is_set), signal(m, changed, is_set)));
  });
}

}  // namespace
}  // namespace hotseat
