// hotseat/tests/model/parking_model.cpp — no worker sleeps through what it waits for:
// parker, sleepers, and the guard that relies on the same fence.
#include <gtest/gtest.h>

#include <hotseat/core/owner_guard.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/sleepers.hpp>
#include <support/scenario.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using platform::parker;
using platform::thread;
using testing::explore_all;
using testing::explore_some;

// --- parker

TEST(ParkerModel, a_token_is_not_lost_and_brings_what_came_before) {
  explore_all(
      [] {
        parker bed;
        platform::var<int> message = 0;
        thread waker{[&] {
          message = 1;
          bed.unpark();
        }};
        bed.park();
        verify(message == 1, "what came before the unpark is there");
        waker.join();
      },
      {.preemptions = 8});
}

TEST(ParkerModel, a_token_that_comes_too_late_for_a_deadline_is_kept) {
  explore_all(
      [] {
        parker bed;
        platform::var<int> message = 0;
        thread waker{[&] {
          message = 1;
          bed.unpark();
        }};
        const bool was_woken = bed.park_until(platform::now() + 5us);
        if (was_woken) verify(message == 1, "what came before the unpark is there");
        waker.join();
        const bool is_left = bed.park_until(platform::now() + 5us);
        verify(was_woken != is_left, "one unpark wakes once");
      },
      {.preemptions = 6});
}

TEST(ParkerModel, there_is_at_most_one_token) {
  explore_all(
      [] {
        parker bed;
        platform::var<int> first = 0;
        platform::var<int> second = 0;
        thread one{[&] {
          first = 1;
          bed.unpark();
        }};
        thread other{[&] {
          second = 1;
          bed.unpark();
        }};
        bed.park();
        one.join();
        other.join();
        verify(first + second == 2, "both have been there");
        static_cast<void>(bed.park_until(platform::now()));
        verify(!bed.park_until(platform::now() + 5us), "no third token out of two");
      },
      {.preemptions = 4});
}

TEST(ParkerModel, it_may_be_destroyed_when_park_returns) {
  explore_all(
      [] {
        std::optional<parker> bed{std::in_place};
        thread waker{[&] { bed->unpark(); }};
        bed->park();
        bed.reset();
        waker.join();
      },
      {.preemptions = 8});
}

TEST(ParkerModel, a_late_wake_up_of_the_former_parker_at_the_same_place_does_not_count) {
  explore_all(
      [] {
        std::optional<parker> bed{std::in_place};
        platform::var<int> message = 0;
        thread waker{[&, former = &*bed] { former->unpark(); }};
        bed->park();
        bed.emplace();
        thread second{[&] {
          message = 1;
          bed->unpark();
        }};
        bed->park();
        verify(message == 1, "the second token has come");
        waker.join();
        second.join();
      },
      {.preemptions = 5});
}

// --- sleepers

/// Workers that run the protocol of sleepers.hpp, with a plain number for work.
class crew {
 public:
  /// Jobs that meet continue only when all of them have begun, like a task that waits for
  /// one queued behind a long task.
  enum class kind : std::uint8_t { short_jobs, jobs_that_meet };

  crew(std::uint32_t workers, int jobs, kind what = kind::short_jobs,
       std::uint32_t group_size = detail::sleepers::largest_group)
      : workers_{workers, UINT32_MAX, group_size},
        jobs_{jobs},
        what_{what},
        groups_{(workers + group_size - 1) / group_size} {
    for (std::uint32_t i = 0; i < workers; ++i) {
      threads_.emplace_back([this, i] { run(i); });
    }
  }

  /// From outside: make the work visible first, then look (S1).
  void submit(int count = 1) noexcept {
    waiting_.fetch_add(count, std::memory_order_relaxed);
    if (workers_.wake_if_needed(0)) ++wake_ups_;
  }

  /// Waits until all jobs are done and all workers sleep; then ends all of them.
  void finish() {
    while (done_.load(std::memory_order_acquire) != jobs_) owner_.park();
    is_draining_.store(true, std::memory_order_release);
    while (workers_.look().asleep != threads_.size() || shows_work()) owner_.park();
    is_over_.store(true, std::memory_order_release);
    workers_.wake_all();
    for (thread& each : threads_) each.join();
    const auto left = workers_.glance();
    verify(left.asleep == 0, "none is left asleep");
    // A worker that ends still counts as searching.
    verify(left.searching == (groups_ == 1 ? threads_.size() : groups_),
           "who is woken counts once");
  }

  void wait_until_all_sleep() noexcept {
    while (workers_.glance().asleep != threads_.size()) platform::relax();
  }

  [[nodiscard]] int wake_ups() const noexcept { return wake_ups_; }

  // The questions that the protocol asks.
  [[nodiscard]] bool shows_work() const noexcept {
    return waiting_.load(std::memory_order_relaxed) > 0;
  }
  [[nodiscard]] bool is_over() const noexcept {
    return is_over_.load(std::memory_order_acquire);
  }

  detail::sleepers workers_;

 private:
  void run(std::uint32_t self) noexcept {
    bool is_searching = workers_.start_searching(self);
    for (;;) {
      if (is_searching && take()) {
        if (workers_.found_work(self, *this)) ++wake_ups_;
        work();
        is_searching = workers_.start_searching(self);
        continue;
      }
      workers_.sleep_if_idle(self, is_searching, detail::eagerness::usual, *this, [this] {
        if (is_draining_.load(std::memory_order_relaxed)) owner_.unpark();
      });
      is_searching = true;
      if (is_over()) return;
    }
  }

  bool take() noexcept {
    int seen = waiting_.load(std::memory_order_relaxed);
    while (seen > 0) {
      if (waiting_.compare_exchange_weak(seen, seen - 1, std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }
  void work() noexcept {
    begun_.fetch_add(1, std::memory_order_relaxed);
    while (what_ == kind::jobs_that_meet &&
           begun_.load(std::memory_order_relaxed) != jobs_) {
      platform::relax();
    }
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == jobs_) owner_.unpark();
  }

  const int jobs_;
  const kind what_;
  const std::uint32_t groups_;
  platform::atomic<int> waiting_{0};
  platform::atomic<int> begun_{0};
  platform::atomic<int> done_{0};
  platform::atomic<bool> is_draining_{false};
  platform::atomic<bool> is_over_{false};
  parker owner_;
  int wake_ups_ = 0;
  std::vector<thread> threads_;
};

void one_job_for_one_worker() {
  crew c{1, 1};
  c.submit();
  c.finish();
}

TEST(SleepersModel, S1_work_that_comes_while_a_worker_falls_asleep_is_done) {
  explore_all(&one_job_for_one_worker, {.preemptions = 3});
}
TEST(SleepersModel, S1_work_that_comes_while_a_worker_falls_asleep_without_membarrier) {
  explore_all(&one_job_for_one_worker, {.preemptions = 3, .has_membarrier = false});
}

void two_jobs_from_two_threads(std::uint32_t group_size) {
  crew c{2, 2, crew::kind::short_jobs, group_size};
  thread other{[&] { c.submit(); }};
  c.submit();
  other.join();
  c.finish();
}
void two_jobs_for_one_group() {
  two_jobs_from_two_threads(detail::sleepers::largest_group);
}
void two_jobs_for_two_groups() { two_jobs_from_two_threads(1); }

TEST(SleepersModel, S1_two_submitters_and_two_workers_lose_nothing) {
  explore_some(400'000, &two_jobs_for_one_group);
}
TEST(SleepersModel, S1_two_submitters_and_two_workers_lose_nothing_without_membarrier) {
  explore_some(400'000, &two_jobs_for_one_group, {.has_membarrier = false});
}

TEST(SleepersModel, S1_the_last_searcher_passes_the_search_on) {
  explore_some(400'000, [] {
    crew c{2, 3};
    c.wait_until_all_sleep();
    c.submit(3);
    c.finish();
  });
}

void jobs_that_meet() {
  crew c{2, 2, crew::kind::jobs_that_meet};
  thread other{[&] { c.submit(); }};
  c.submit();
  other.join();
  c.finish();
}

TEST(SleepersModel, S1_a_job_is_not_left_to_a_worker_that_is_busy_for_long) {
  explore_some(300'000, &jobs_that_meet);
}
TEST(SleepersModel, S1_a_job_is_not_left_to_a_busy_worker_without_membarrier) {
  explore_some(300'000, &jobs_that_meet, {.has_membarrier = false});
}

// --- sleepers in several groups

TEST(SleepersModel, S1_two_groups_lose_nothing) {
  explore_some(300'000, &two_jobs_for_two_groups);
}
TEST(SleepersModel, S1_two_groups_lose_nothing_without_membarrier) {
  explore_some(300'000, &two_jobs_for_two_groups, {.has_membarrier = false});
}

TEST(SleepersModel, S1_the_last_searcher_of_all_groups_passes_the_search_on) {
  explore_some(300'000, [] {
    crew c{3, 3, crew::kind::short_jobs, 2};
    c.wait_until_all_sleep();
    c.submit(3);
    c.finish();
  });
}

TEST(SleepersModel, S1_a_job_is_not_left_to_a_busy_worker_of_another_group) {
  explore_some(300'000, [] {
    crew c{2, 2, crew::kind::jobs_that_meet, 1};
    thread other{[&] { c.submit(); }};
    c.submit();
    other.join();
    c.finish();
  });
}

/// One worker searches of low eagerness and falls asleep; another one of its group
/// finds work; then more work comes, which only the sleeper can take.
void one_falls_asleep_and_one_finds_work(bool has_other_group) {
  detail::sleepers workers{5, UINT32_MAX, 4};
  struct {
    [[nodiscard]] bool shows_work() const noexcept {
      return has_work.load(std::memory_order_relaxed);
    }
    [[nodiscard]] static bool is_over() noexcept { return false; }
    platform::atomic<bool> has_work{false};
  } place;
  verify(workers.start_searching(0) && workers.start_searching(1),
         "two of four may search");
  if (has_other_group) verify(workers.start_searching(4), "and one elsewhere");
  thread sleeper{
      [&] { workers.sleep_if_idle(0, true, detail::eagerness::low, place, [] {}); }};
  thread finder{[&] { workers.found_work(1, place); }};
  std::optional<thread> elsewhere;
  if (has_other_group) elsewhere.emplace([&] { workers.found_work(4, place); });
  place.has_work.store(true, std::memory_order_relaxed);
  workers.wake_if_needed(0);
  sleeper.join();
  finder.join();
  if (elsewhere) elsewhere->join();
  verify(workers.glance().asleep == 0, "none sleeps beside work");
}

TEST(SleepersModel, S3_one_that_falls_asleep_in_a_group_is_not_overlooked) {
  explore_all([] { one_falls_asleep_and_one_finds_work(false); }, {.preemptions = 4});
}
TEST(SleepersModel, S3_one_that_falls_asleep_in_one_of_two_groups_is_not_overlooked) {
  explore_some(300'000, [] { one_falls_asleep_and_one_finds_work(true); });
}

TEST(SleepersModel, a_worker_that_passes_no_fence_does_not_miss_the_end) {
  explore_all(
      [] {
        detail::sleepers workers{2};
        struct {
          [[nodiscard]] static bool shows_work() noexcept {
            verify(false, "another one searches, so it passes no fence and does not look");
            return false;
          }
          [[nodiscard]] bool is_over() const noexcept {
            return has_ended.load(std::memory_order_relaxed);
          }
          platform::atomic<bool> has_ended{false};
        } place;
        verify(workers.start_searching(0), "none searches");  // The other worker.
        thread sleeper{
            [&] { workers.sleep_if_idle(0, false, detail::eagerness::low, place, [] {}); }};
        place.has_ended.store(true, std::memory_order_relaxed);
        workers.wake_all();
        sleeper.join();
      },
      {.preemptions = 4});
}

TEST(SleepersModel, one_job_wakes_one_of_two_sleepers) {
  explore_some(300'000, [] {
    crew c{2, 1};
    c.wait_until_all_sleep();
    c.submit();
    c.finish();
    verify(c.wake_ups() <= 1, "no herd");
  });
}

TEST(SleepersModel, S2_one_of_two_wakers_wakes_the_only_sleeper) {
  explore_all(
      [] {
        detail::sleepers workers{1};
        platform::atomic<int> woken{0};
        const auto wake = [&] {
          if (workers.wake_one(0)) woken.fetch_add(1, std::memory_order_relaxed);
        };
        workers.fall_asleep(0, false);
        thread first{wake};
        thread second{wake};
        workers.sleep(0);
        first.join();
        second.join();
        verify(woken.load(std::memory_order_relaxed) == 1, "one of them has woken it");
        verify(workers.glance().asleep == 0, "it does not count as asleep any more");
        verify(workers.glance().searching == 1, "it searches, and counts once");
      },
      {.preemptions = 4});
}

TEST(SleepersModel, S2_a_sleeper_that_stays_up_and_a_waker_move_the_count_once) {
  explore_all(
      [] {
        detail::sleepers workers{1};
        workers.fall_asleep(0, false);
        thread waker{[&] { workers.wake_one(0); }};
        workers.stay_up(0);
        waker.join();
        verify(workers.glance().asleep == 0, "it does not count as asleep any more");
        verify(workers.glance().searching == 1, "it searches, and counts once");
      },
      {.preemptions = 8});
}

TEST(SleepersModel, S2_a_token_that_is_left_over_does_not_end_the_next_sleep) {
  explore_all(
      [] {
        detail::sleepers workers{1};
        platform::atomic<bool> is_up{false};
        workers.fall_asleep(0, false);
        thread waker{[&] {
          workers.wake_one(0);
          while (!is_up.load(std::memory_order_relaxed)) {
            if (!workers.wake_one(0)) platform::relax();
          }
        }};
        workers.stay_up(0);
        workers.fall_asleep(0, true);
        workers.sleep(0);
        verify(workers.glance().asleep == 0, "awake only when it does not count as asleep");
        is_up.store(true, std::memory_order_relaxed);
        waker.join();
        verify(workers.glance().searching == 1, "it searches, and counts once");
      },
      {.preemptions = 4});
}

TEST(SleepersModel, a_worker_that_dozes_can_be_woken_and_sleeps_well_afterwards) {
  explore_all(
      [] {
        detail::sleepers workers{1};
        platform::atomic<bool> is_up{false};
        verify(workers.start_searching(0), "the first may search");
        thread waker{[&] {
          workers.wake(0);
          while (!is_up.load(std::memory_order_relaxed)) {
            if (!workers.wake_one(0)) platform::relax();
          }
        }};
        workers.doze(0, platform::now() + 10us);
        workers.fall_asleep(0, true);
        workers.sleep(0);
        verify(workers.glance().asleep == 0, "awake only when it does not count as asleep");
        is_up.store(true, std::memory_order_relaxed);
        waker.join();
        verify(workers.glance().searching == 1, "it searches, and counts once");
      },
      {.preemptions = 3});
}

// Workers that start at the same moment may be more than half; later ones are refused.
TEST(SleepersModel, about_half_of_the_awake_workers_search) {
  explore_all([] {
    detail::sleepers workers{4};
    platform::atomic<unsigned> searching{0};
    const auto search = [&] {
      if (workers.start_searching(0)) searching.fetch_add(1, std::memory_order_relaxed);
    };
    thread first{search};
    thread second{search};
    thread third{search};
    search();
    first.join();
    second.join();
    third.join();
    const unsigned started = searching.load(std::memory_order_relaxed);
    verify(started >= 2, "half of four, or more");
    verify(workers.glance().searching == started, "and they are counted");
    verify(!workers.start_searching(0), "no other is let in");
  });
}

// --- owner_guard

/// An owner that enters `entries` times, and visitors that enter once each.
void owner_and_visitors(int entries, int visitors) {
  owner_guard guard;
  platform::var<int> count = 0;
  const auto add = [&] { count = count + 1; };
  std::vector<thread> threads;
  for (int i = 0; i < visitors; ++i) {
    threads.emplace_back([&] {
      guard.visit();
      add();
      guard.end_visit();
    });
  }
  for (int i = 0; i < entries; ++i) {
    guard.enter();
    add();
    guard.leave();
  }
  for (thread& each : threads) each.join();
  verify(count == entries + visitors, "G1: one at a time");
}

TEST(OwnerGuardModel, G1_an_owner_and_a_visitor_keep_apart) {
  explore_all([] { owner_and_visitors(2, 1); }, {.preemptions = 4});
}
TEST(OwnerGuardModel, G1_an_owner_and_a_visitor_keep_apart_without_membarrier) {
  explore_all([] { owner_and_visitors(2, 1); },
              {.preemptions = 4, .has_membarrier = false});
}
TEST(OwnerGuardModel, G1_two_visitors_keep_apart_too) {
  explore_some(400'000, [] { owner_and_visitors(2, 2); });
}
TEST(OwnerGuardModel, G1_two_visitors_keep_apart_too_without_membarrier) {
  explore_some(400'000, [] { owner_and_visitors(2, 2); }, {.has_membarrier = false});
}

TEST(OwnerGuardModel, G1_holds_when_the_owner_changes) {
  explore_some(400'000, [] {
    owner_guard guard;
    platform::var<int> count = 0;
    platform::atomic<bool> is_passed_on{false};
    const auto enter = [&] {
      guard.enter();
      count = count + 1;
      guard.leave();
    };
    thread visitor{[&] {
      guard.visit();
      count = count + 1;
      guard.end_visit();
    }};
    thread next{[&] {
      while (!is_passed_on.load(std::memory_order_acquire)) platform::relax();
      enter();
    }};
    enter();
    is_passed_on.store(true, std::memory_order_release);
    visitor.join();
    next.join();
    verify(count == 3, "G1: one at a time");
  });
}

}  // namespace
}  // namespace hotseat
