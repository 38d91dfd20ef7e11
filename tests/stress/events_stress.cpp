// hotseat/tests/stress/events_stress.cpp — workers that wait in an event_source, under a
// storm of events, tasks from outside, alarms and completers that come too late.
#include <gtest/gtest.h>

#include <hotseat/hotseat.hpp>

#include <support/posted_events.hpp>
#include <support/scaled.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::posted_events;
using testing::scaled;

class EventsStress : public ::testing::TestWithParam<unsigned> {
 protected:
  posted_events events;
};

task<> wait_again_and_again(posted_events& events, unsigned workers, unsigned seed,
                            std::size_t rounds) {
  for (std::size_t i = 0; i < rounds; ++i) {
    one_shot<> what;
    seed = seed * 1'664'525U + 1'013'904'223U;
    events.post((seed >> 16) % workers, what);
    co_await what.wait();
  }
}

TEST_P(EventsStress, each_event_is_completed) {
  thread_pool pool{{.threads = GetParam(), .events = &events}};
  std::vector<task<>> tasks;
  for (unsigned i = 0; i < 50; ++i) {
    tasks.push_back(wait_again_and_again(events, GetParam(), i, scaled(2'000)));
  }
  sync_wait(pool, when_all(std::move(tasks)));
}

TEST_P(EventsStress, a_pool_that_falls_asleep_again_and_again_misses_nothing) {
  thread_pool pool{{.threads = GetParam(), .events = &events}};
  for (std::size_t i = 0; i < scaled(2'000); ++i) {
    one_shot<> what;
    std::thread kernel;
    if (i % 2 == 0) {
      kernel = std::thread{
          [&] { events.post(static_cast<unsigned>(i / 2) % GetParam(), what); }};
    } else {
      what.set_value();
    }
    sync_wait(pool, [](one_shot<>& it) -> task<> { co_await it.wait(); }(what));
    if (kernel.joinable()) kernel.join();
  }
}

/// Half of the waits end by their time, and the completer finds nothing.
TEST_P(EventsStress, completers_and_limits_race) {
  thread_pool pool{{.threads = GetParam(), .events = &events}};
  std::atomic<std::size_t> came{0};
  std::atomic<std::size_t> late{0};
  const std::size_t rounds = scaled(2'000);
  channel<one_shot<int>::completer> calls{16};
  std::thread other{[&] {
    for (;;) {
      auto next = block_on(calls.receive());
      if (!next) break;
      std::this_thread::sleep_for(std::chrono::microseconds{came.load() % 50});
      next->set_value(1);
    }
  }};
  const auto call = [&](std::size_t n) -> task<> {
    for (std::size_t i = 0; i < rounds / 8; ++i) {
      one_shot<int> answer;
      static_cast<void>(co_await calls.send(answer.get_completer()));
      const std::optional<int> value =
          co_await answer.wait(std::chrono::microseconds{(i + n) % 100});
      (value ? came : late).fetch_add(1);
    }
  };
  std::vector<task<>> tasks;
  for (std::size_t i = 0; i < 8; ++i) tasks.push_back(call(i));
  sync_wait(pool, when_all(std::move(tasks)));
  calls.close();
  other.join();
  EXPECT_EQ(came + late, rounds / 8 * 8);
}

INSTANTIATE_TEST_SUITE_P(Workers, EventsStress, ::testing::Values(1U, 2U, 4U));

}  // namespace
}  // namespace hotseat
