// hotseat/tests/stress/mutex_stress.cpp — one owner at a time, however the mutex is passed
// on.  Layer: sync.  All hand-offs and both states on pools of all sizes.
// HOTSEAT_STRESS_SCALE (1) scales the numbers of sections and waiters.
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <support/scaled.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::scaled;

/// What a mutex protects: plain data, so that ThreadSanitizer sees a missing edge, and the
/// owner's number, so that a second owner is seen without it.
class data_of_one {
 public:
  void enter(std::size_t owner) noexcept {
    if (owner_.exchange(owner, std::memory_order_relaxed) != nobody) ++intruders_;
  }
  void leave(std::size_t owner) noexcept {
    ++sections_;
    if (owner_.exchange(nobody, std::memory_order_relaxed) != owner) ++intruders_;
  }
  [[nodiscard]] std::size_t sections() const noexcept {
    EXPECT_EQ(intruders_.load(), 0U);
    return sections_;
  }

 private:
  static constexpr std::size_t nobody = SIZE_MAX;
  std::atomic<std::size_t> owner_{nobody};
  std::atomic<std::size_t> intruders_{0};
  std::size_t sections_ = 0;
};

template <class Mutex>
task<> enter_often(Mutex& m, data_of_one& data, std::size_t sections, std::size_t self) {
  for (std::size_t i = 0; i < sections; ++i) {
    co_await m.lock();
    data.enter(self);
    // Sometimes the section spans a suspension.
    if ((i + self) % 64 == 0) co_await reschedule();
    data.leave(self);
    co_await m.unlock();
    if ((i + self) % 16 == 0) co_await reschedule();
  }
}

template <class Mutex>
std::vector<task<>> crowd(Mutex& m, data_of_one& data, std::size_t tasks,
                          std::size_t sections) {
  std::vector<task<>> result;
  for (std::size_t i = 0; i < tasks; ++i) {
    result.push_back(enter_often(m, data, sections, i));
  }
  return result;
}

template <class Mutex>
class MutexStress : public ::testing::Test {};

class mutex_kind_names {
 public:
  template <class>
  static std::string GetName(int i) {
    constexpr const char* names[] = {"exchange",      "exchange_spin", "dispatch",
                                     "dispatch_spin", "inline",        "inline_spin"};
    return names[i];
  }
};

TYPED_TEST_SUITE(MutexStress, testing::mutex_kinds, mutex_kind_names);

TYPED_TEST(MutexStress, has_one_owner_at_a_time_on_pools_of_any_size) {
  for (const unsigned workers : {1U, 2U, 4U, 8U, 16U}) {
    for (const queue_order order : {queue_order::fifo, queue_order::lifo}) {
      thread_pool pool{{.threads = workers, .order = order}};
      TypeParam m;
      data_of_one data;
      const std::size_t tasks = 200;
      const std::size_t sections = scaled(800);
      sync_wait(pool, when_all(crowd(m, data, tasks, sections)));
      EXPECT_EQ(data.sections(), tasks * sections);
    }
  }
}

TYPED_TEST(MutexStress, has_one_owner_at_a_time_whatever_the_chain_limit_and_the_queues) {
  for (const std::uint32_t limit : {1U, 2U, 1024U}) {
    for (const std::uint32_t size : {1U, 2U, 32U}) {
      thread_pool pool{
          {.threads = 4, .chain_limit = limit, .block_size = size, .block_count = 2}};
      TypeParam m;
      data_of_one data;
      const std::size_t tasks = 100;
      const std::size_t sections = scaled(500);
      sync_wait(pool, when_all(crowd(m, data, tasks, sections)));
      EXPECT_EQ(data.sections(), tasks * sections);
    }
  }
}

template <class Mutex>
void enter_often_blocking(Mutex& m, data_of_one& data, std::size_t sections,
                          std::size_t self) {
  for (std::size_t i = 0; i < sections; ++i) {
    m.lock_blocking();
    data.enter(self);
    data.leave(self);
    m.unlock_dispatch();
  }
}

TYPED_TEST(MutexStress, serves_two_pools_and_plain_threads_at_once) {
  thread_pool first{{.threads = 2}};
  thread_pool second{{.threads = 3, .order = queue_order::lifo}};
  TypeParam m;
  data_of_one data;
  const std::size_t tasks = 50;
  const std::size_t sections = scaled(400);
  std::vector<std::thread> threads;
  for (const std::size_t self : {1000U, 1001U}) {
    threads.emplace_back([&, self] { enter_often_blocking(m, data, sections, self); });
  }
  threads.emplace_back(
      [&] { sync_wait(first, when_all(crowd(m, data, tasks, sections))); });
  threads.emplace_back(
      [&] { sync_wait(second, when_all(crowd(m, data, tasks, sections))); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(data.sections(), (2 * tasks + 2) * sections);
}

template <class Mutex>
task<> nest(std::vector<Mutex>& locks, std::vector<data_of_one>& data, std::size_t times,
            std::size_t self) {
  for (std::size_t i = 0; i < times; ++i) {
    // Always in ascending order, so that there is no deadlock.
    const std::size_t outer = (i + self) % (locks.size() - 2);
    co_await locks[outer].lock();
    data[outer].enter(self);
    co_await locks[outer + 1].lock();
    data[outer + 1].enter(self);
    co_await locks[outer + 2].lock();
    data[outer + 2].enter(self);
    data[outer + 2].leave(self);
    co_await locks[outer + 2].unlock();
    data[outer + 1].leave(self);
    co_await locks[outer + 1].unlock();
    data[outer].leave(self);
    co_await locks[outer].unlock();
  }
}

TYPED_TEST(MutexStress, can_be_held_inside_others) {
  for (const unsigned workers : {1U, 4U}) {
    thread_pool pool{workers};
    std::vector<TypeParam> locks(5);
    std::vector<data_of_one> data(5);
    const std::size_t times = scaled(2000);
    std::vector<task<>> all;
    for (std::size_t i = 0; i < 60; ++i) all.push_back(nest(locks, data, times, i));
    sync_wait(pool, when_all(std::move(all)));
    std::size_t sections = 0;
    for (const data_of_one& each : data) sections += each.sections();
    EXPECT_EQ(sections, 3 * 60 * times);
  }
}

/// How deep the stacks of the workers became.
class stack_gauge {
 public:
  [[gnu::noinline]] void measure() noexcept {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    thread_local std::uintptr_t first = here;
    const std::uintptr_t depth = here > first ? here - first : first - here;
    std::size_t seen = deepest_.load(std::memory_order_relaxed);
    while (depth > seen &&
           !deepest_.compare_exchange_weak(seen, depth, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] std::size_t deepest() const noexcept { return deepest_; }

 private:
  std::atomic<std::size_t> deepest_{0};
};

template <class Mutex>
task<> measure_sections(Mutex& m, stack_gauge& gauge, std::size_t& left) {
  for (;;) {
    co_await m.lock();
    gauge.measure();
    const bool is_over = left == 0;
    if (!is_over) --left;
    co_await m.unlock();
    if (is_over) break;
  }
}

TYPED_TEST(MutexStress, hands_over_ten_million_times_on_a_bounded_stack) {
  // resume_inline nests, up to a bound; the others use no stack at all.
  const bool nests =
      std::is_same_v<TypeParam, basic_mutex<handoff::resume_inline>> ||
      std::is_same_v<TypeParam,
                     basic_mutex<handoff::resume_inline, lock_state::spin_locked>>;
  thread_pool pool{2U};
  TypeParam m;
  stack_gauge gauge;
  std::size_t left = scaled(nests ? 1'000'000 : 10'000'000);
  std::vector<task<>> all;
  for (int i = 0; i < 100; ++i) all.push_back(measure_sections(m, gauge, left));
  sync_wait(pool, when_all(std::move(all)));
  EXPECT_LT(gauge.deepest(), nests ? std::size_t{8} << 20 : std::size_t{16} << 10);
}

template <class Mutex>
task<> wait_in_line(Mutex& m, std::atomic<std::size_t>& arrived, std::size_t& served) {
  ++arrived;
  co_await m.lock();
  ++served;
  co_await m.unlock();
}

template <class Mutex>
task<> own_until(Mutex& m, const std::atomic<std::size_t>& arrived, std::size_t waiters) {
  co_await m.lock();
  while (arrived != waiters) co_await reschedule();
  co_await m.unlock();
}

TYPED_TEST(MutexStress, takes_a_million_waiters) {
  thread_pool pool{2U};
  TypeParam m;
  std::atomic<std::size_t> arrived{0};
  std::size_t served = 0;
  const std::size_t waiters = scaled(1'000'000);
  std::vector<task<>> all;
  all.reserve(waiters + 1);
  all.push_back(own_until(m, arrived, waiters));
  for (std::size_t i = 0; i < waiters; ++i) all.push_back(wait_in_line(m, arrived, served));
  sync_wait(pool, when_all(std::move(all)));
  EXPECT_EQ(served, waiters);
}

template <class Mutex>
testing::detached wait_without_executor(Mutex& m, std::size_t& served) {
  co_await m.lock();
  ++served;
  co_await m.unlock();
}

TYPED_TEST(MutexStress, takes_a_million_waiters_on_a_thread_without_an_executor) {
  TypeParam m;
  std::size_t served = 0;
  const std::size_t waiters = scaled(1'000'000, 200'000);
  ASSERT_TRUE(m.try_lock());
  for (std::size_t i = 0; i < waiters; ++i) wait_without_executor(m, served);
  EXPECT_EQ(served, 0U);
  m.unlock_dispatch();
  EXPECT_EQ(served, waiters);
}

/// How many tries were granted, and how many ended early.
struct ends {
  std::atomic<std::size_t> granted{0};
  std::atomic<std::size_t> left{0};
};

/// The current try of one task, which another thread may tell to stop.
class stop_slot {
 public:
  [[nodiscard]] std::stop_token begin_try() {
    const std::lock_guard guard{lock_};
    source_ = std::stop_source{};
    return source_.get_token();
  }
  void stop() {
    std::stop_source current{std::nostopstate};
    {
      const std::lock_guard guard{lock_};
      current = source_;
    }
    current.request_stop();
  }

 private:
  std::mutex lock_;
  std::stop_source source_;
};

/// Tries to enter, mostly with too little patience: it waits for a short time, until it is
/// told to stop, for whichever comes first, or without a limit.
template <class Mutex>
task<> enter_in_time(Mutex& m, data_of_one& data, ends& count, std::size_t tries,
                     std::size_t self, stop_slot& slot) {
  std::minstd_rand random{static_cast<unsigned>(self + 1)};
  for (std::size_t i = 0; i < tries; ++i) {
    const std::chrono::microseconds patience{random() % 200};
    const std::stop_token stop = slot.begin_try();
    bool is_owner = true;
    switch (random() % 4) {
      case 0:
        is_owner = co_await m.try_lock_for(patience);
        break;
      case 1:
        is_owner = co_await m.lock(stop);
        break;
      case 2:
        is_owner = co_await m.try_lock_for(patience, stop);
        break;
      default:
        co_await m.lock();
    }
    if (is_owner) {
      data.enter(self);
      if ((i + self) % 32 == 0) co_await reschedule();
      data.leave(self);
      co_await m.unlock();
    }
    (is_owner ? count.granted : count.left).fetch_add(1, std::memory_order_relaxed);
    if ((i + self) % 16 == 0) co_await reschedule();
  }
}

/// Tells every task to stop, one after the other, again and again.
void stop_often(std::vector<stop_slot>& slots, const std::atomic<bool>& is_over) {
  while (!is_over) {
    for (stop_slot& each : slots) each.stop();
    std::this_thread::yield();
  }
}

TYPED_TEST(MutexStress, can_be_left_by_late_and_stopped_tasks) {
  for (const unsigned workers : {1U, 2U, 4U}) {
    thread_pool pool{workers};
    TypeParam m;
    data_of_one data;
    ends count;
    constexpr std::size_t tasks = 100;
    const std::size_t tries = scaled(400);
    std::vector<stop_slot> slots(tasks);
    std::vector<task<>> all;
    for (std::size_t i = 0; i < tasks; ++i) {
      all.push_back(enter_in_time(m, data, count, tries, i, slots[i]));
    }
    std::atomic<bool> is_over{false};
    std::thread stopper{[&] { stop_often(slots, is_over); }};
    sync_wait(pool, when_all(std::move(all)));
    is_over = true;
    stopper.join();
    EXPECT_EQ(data.sections(), count.granted.load());
    EXPECT_EQ(count.granted.load() + count.left.load(), tasks * tries);
    EXPECT_TRUE(m.try_lock()) << "it is free when all have returned";
    m.unlock_dispatch();
  }
}

template <class Mutex>
void enter_in_time_blocking(Mutex& m, data_of_one& data, ends& count, std::size_t tries,
                            std::size_t self) {
  std::minstd_rand random{static_cast<unsigned>(self)};
  for (std::size_t i = 0; i < tries; ++i) {
    const bool is_owner =
        block_on(m.try_lock_for(std::chrono::microseconds{random() % 100}));
    if (is_owner) {
      data.enter(self);
      data.leave(self);
      m.unlock_dispatch();
    }
    (is_owner ? count.granted : count.left).fetch_add(1, std::memory_order_relaxed);
  }
}

TYPED_TEST(MutexStress, can_be_left_by_plain_threads) {
  thread_pool pool{2U};
  TypeParam m;
  data_of_one data;
  ends count;
  constexpr std::size_t tasks = 20;
  const std::size_t tries = scaled(1000);
  std::vector<std::thread> threads;
  for (const std::size_t self : {1000U, 1001U, 1002U}) {
    threads.emplace_back(
        [&, self] { enter_in_time_blocking(m, data, count, tries, self); });
  }
  sync_wait(pool, when_all(crowd(m, data, tasks, tries)));
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count.granted.load() + count.left.load(), 3 * tries);
  EXPECT_EQ(data.sections(), tasks * tries + count.granted.load());
}

}  // namespace
}  // namespace hotseat
