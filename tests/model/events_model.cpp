// hotseat/tests/model/events_model.cpp — no event, wake-up or alarm is lost by workers that
// wait in an event_source, and a busy worker's events are looked after.
#include <gtest/gtest.h>

#include <hotseat/hotseat.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/costs.hpp>
#include <hotseat/runtime/detail/pool_events.hpp>
#include <hotseat/runtime/detail/sleepers.hpp>
#include <support/posted_events.hpp>
#include <support/scenario.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using platform::thread;
using testing::explore_some;
using testing::posted_events;

thread_pool_options small(unsigned threads, event_source& events) {
  thread_pool_options result;
  result.threads = threads;
  result.block_size = 2;
  result.block_count = 2;
  result.machine = topology::flat(1);
  result.events = &events;
  return result;
}

task<> wait_for(one_shot<>& what) { co_await what.wait(); }

void one_event(unsigned workers, unsigned whose) {
  posted_events events;
  thread_pool pool{small(workers, events)};
  one_shot<> what;
  platform::var<int> message = 0;
  thread kernel{[&] {
    message = 1;
    events.post(whose, what);
  }};
  sync_wait(pool, wait_for(what));
  verify(message == 1, "what came before the event is there");
  kernel.join();
}

TEST(EventsModel, an_event_that_comes_while_the_worker_falls_asleep_is_completed) {
  explore_some(60'000, [] { one_event(1, 0); });
}
TEST(EventsModel, an_event_without_membarrier_is_completed) {
  explore_some(30'000, [] { one_event(1, 0); }, {.has_membarrier = false});
}
TEST(EventsModel, an_event_of_one_of_two_workers_is_completed) {
  explore_some(60'000, [] { one_event(2, 1); });
}

TEST(EventsModel, a_task_from_outside_interrupts_a_worker_that_waits) {
  explore_some(60'000, [] {
    posted_events events;
    thread_pool pool{small(1, events)};
    int done = 0;
    for (int i = 0; i < 2; ++i) {
      sync_wait(pool, [](int& count) -> task<> {
        ++count;
        co_return;
      }(done));
    }
    verify(done == 2, "each was run");
  });
}

TEST(EventsModel, two_events_and_a_task_from_outside_are_all_run) {
  explore_some(60'000, [] {
    posted_events events;
    thread_pool pool{small(2, events)};
    one_shot<> first;
    one_shot<> second;
    thread kernel{[&] {
      events.post(0, first);
      events.post(1, second);
    }};
    sync_wait(pool, when_all(wait_for(first), wait_for(second)));
    kernel.join();
  });
}

/// The worker whose event it is runs a task that ends only when the next event has come: it
/// polls no more, so the watch must.
void two_events_of_a_busy_worker() {
  posted_events events;
  thread_pool pool{small(2, events)};
  one_shot<> first;
  one_shot<> second;
  platform::atomic<int> ended{0};
  const auto hold_up = [](one_shot<>& mine, platform::atomic<int>& count) -> task<> {
    co_await mine.wait();
    count.fetch_add(1, std::memory_order_relaxed);
    while (count.load(std::memory_order_relaxed) != 2) platform::relax();
  };
  thread kernel{[&] {
    events.post(0, first);
    events.post(0, second);
  }};
  sync_wait(pool, when_all(hold_up(first, ended), hold_up(second, ended)));
  kernel.join();
}

TEST(EventsModel, E3_the_watch_polls_for_a_worker_that_is_busy_for_long) {
  explore_some(60'000, &two_events_of_a_busy_worker);
}
TEST(EventsModel, E3_the_watch_polls_for_a_busy_worker_without_membarrier) {
  explore_some(60'000, &two_events_of_a_busy_worker, {.has_membarrier = false});
}

/// Nothing happens, but it notices whether the watch looks.
struct quiet_source final : event_source {
  void open(unsigned) override {}
  void poll(unsigned) noexcept override { polls.fetch_add(1, std::memory_order_relaxed); }
  void wait(unsigned, platform::clock::time_point) noexcept override {}
  void interrupt(unsigned) noexcept override {}
  platform::atomic<int> polls{0};
};

/// A worker that sleeps about as long as the watch takes to fall asleep, and is then busy.
void a_worker_gets_up_as_the_watch_falls_asleep() {
  struct : executor {
    void schedule(waiter&) noexcept override {}
  } pool;
  quiet_source source;
  detail::sleepers workers{1, UINT32_MAX, 1, &source};
  detail::pool_events events{source, workers, pool};
  events.start_watch();
  workers.fall_asleep(0, false);
  platform::parker place;
  place.park_until(platform::now() +
                   detail::costs::watch_interval * detail::costs::quiet_looks);
  workers.stay_up(0, [] { return false; });
  events.note_awake();
  const int before = source.polls.load(std::memory_order_relaxed);
  while (source.polls.load(std::memory_order_relaxed) == before) platform::relax();
  events.stop();
}

TEST(EventsModel, E3_a_worker_that_gets_up_wakes_the_watch) {
  explore_some(40'000, &a_worker_gets_up_as_the_watch_falls_asleep);
}
TEST(EventsModel, E3_a_worker_that_gets_up_wakes_the_watch_without_membarrier) {
  explore_some(40'000, &a_worker_gets_up_as_the_watch_falls_asleep,
               {.has_membarrier = false});
}

/// Longer than the watch stays awake.
constexpr auto long_after = 50ms;

task<> sleep_twice() {
  co_await sleep_for(long_after);
  co_await sleep_for(long_after);
}

TEST(EventsModel, E2_alarms_ring_while_all_workers_wait) {
  explore_some(40'000, [] {
    posted_events events;
    thread_pool pool{small(2, events)};
    sync_wait(pool, when_all(sleep_twice(), sleep_twice()));
  });
}
TEST(EventsModel, E2_alarms_of_one_worker_ring_one_after_the_other) {
  explore_some(40'000, [] {
    posted_events events;
    thread_pool pool{small(1, events)};
    sync_wait(pool, sleep_twice());
  });
}

TEST(EventsModel, E2_a_wait_with_a_limit_ends_by_the_event_or_by_the_alarm) {
  bool came = false;
  bool was_late = false;
  explore_some(60'000, [&] {
    posted_events events;
    thread_pool pool{small(1, events)};
    one_shot<> what;
    auto done = what.get_completer();
    thread other{[&] { done.set_value(); }};
    const bool has_come = sync_wait(
        pool, [](one_shot<>& it) -> task<bool> { co_return co_await it.wait(5us); }(what));
    came = came || has_come;
    was_late = was_late || !has_come;
    other.join();
  });
  EXPECT_TRUE(came && was_late);
}

}  // namespace
}  // namespace hotseat
