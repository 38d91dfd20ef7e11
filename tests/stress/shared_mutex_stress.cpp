// hotseat/tests/stress/shared_mutex_stress.cpp — one writer or many readers, whichever
// tasks wait, leave and hand over.  Layer: sync.  All hand-offs on pools of several sizes.
// HOTSEAT_STRESS_SCALE (1) scales the numbers of sections.
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <hotseat/task/with_lock.hpp>

#include <gtest/gtest.h>

#include <support/scaled.hpp>
#include <support/shared_mutex_kinds.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::scaled;

/// What the mutex protects: plain data, so that ThreadSanitizer sees a missing edge, and
/// counts of tasks inside, so that an intruder is seen without it.
class data_of_many {
 public:
  void begin_read() noexcept {
    readers_.fetch_add(1, std::memory_order_relaxed);
    if (writers_.load(std::memory_order_relaxed) != 0 || first_ != second_) ++intruders_;
  }
  void end_read() noexcept {
    reads_.fetch_add(1, std::memory_order_relaxed);
    if (first_ != second_) ++intruders_;
    readers_.fetch_sub(1, std::memory_order_relaxed);
  }
  void begin_write() noexcept {
    if (writers_.fetch_add(1, std::memory_order_relaxed) != 0) ++intruders_;
    if (readers_.load(std::memory_order_relaxed) != 0) ++intruders_;
    ++first_;
  }
  void end_write() noexcept {
    ++second_;
    writers_.fetch_sub(1, std::memory_order_relaxed);
  }
  void write() noexcept {
    begin_write();
    end_write();
  }

  [[nodiscard]] std::size_t reads() const noexcept { return reads_.load(); }
  [[nodiscard]] std::size_t writes() const noexcept {
    EXPECT_EQ(intruders_.load(), 0U);
    EXPECT_EQ(first_, second_);
    return first_;
  }

 private:
  std::atomic<int> readers_{0};
  std::atomic<int> writers_{0};
  std::atomic<std::size_t> intruders_{0};
  std::atomic<std::size_t> reads_{0};
  std::size_t first_ = 0;
  std::size_t second_ = 0;
};

/// How often the tasks tried, and how often they got in.
struct shared_tally {
  std::atomic<std::size_t> writes{0};
  std::atomic<std::size_t> reads{0};
  std::atomic<std::size_t> departures{0};
};

template <class Mutex>
task<> enter_often(Mutex& m, data_of_many& data, std::size_t sections, std::size_t self) {
  for (std::size_t i = 0; i < sections; ++i) {
    const bool spans_a_suspension = (i + self) % 64 == 0;
    switch ((i * 7 + self) % 8) {
      case 0:
        co_await m.lock();
        data.begin_write();
        if (spans_a_suspension) co_await reschedule();
        data.end_write();
        co_await m.unlock();
        break;
      case 1:
        co_await with_lock(m, [&data] { data.write(); });
        break;
      default:
        co_await m.lock_shared();
        data.begin_read();
        if (spans_a_suspension) co_await reschedule();
        data.end_read();
        co_await m.unlock_shared();
    }
    if ((i + self) % 16 == 0) co_await reschedule();
  }
}

/// A random number decides whether it reads or writes, how long it waits, and whether it
/// suspends inside.  Half-way through, each task tells another one to stop.
template <class Mutex>
task<> enter_impatiently(Mutex& m, data_of_many& data, shared_tally& count,
                         std::size_t tries, std::uint32_t seed, std::stop_token stop,
                         std::stop_source other) {
  std::minstd_rand random{seed};
  for (std::size_t i = 0; i < tries; ++i) {
    const auto drawn = static_cast<std::uint32_t>(random());
    const std::chrono::nanoseconds patience{drawn / 32 % 4000};
    const bool spans_a_suspension = drawn / 16 % 2 == 0;
    bool is_inside = true;
    if (drawn % 4 == 0) {
      if (drawn / 4 % 4 == 0) {
        co_await m.lock();
      } else if (drawn / 4 % 4 == 1) {
        is_inside = co_await m.lock(stop);
      } else {
        is_inside = co_await m.try_lock_for(patience, stop);
      }
      if (is_inside) {
        data.begin_write();
        count.writes.fetch_add(1, std::memory_order_relaxed);
        if (spans_a_suspension) co_await reschedule();
        data.end_write();
        co_await m.unlock();
      }
    } else {
      if (drawn / 4 % 4 == 0) {
        co_await m.lock_shared();
      } else if (drawn / 4 % 4 == 1) {
        is_inside = co_await m.lock_shared(stop);
      } else {
        is_inside = co_await m.try_lock_shared_for(patience, stop);
      }
      if (is_inside) {
        data.begin_read();
        count.reads.fetch_add(1, std::memory_order_relaxed);
        if (spans_a_suspension) co_await reschedule();
        data.end_read();
        co_await m.unlock_shared();
      }
    }
    if (!is_inside) count.departures.fetch_add(1, std::memory_order_relaxed);
    if (i == tries / 2) other.request_stop();
  }
}

template <class Mutex>
task<> unlock_when_one_has_left(Mutex& m, const shared_tally& count) {
  while (count.departures.load(std::memory_order_relaxed) == 0) co_await reschedule();
  co_await m.unlock();
}

template <class Mutex>
class SharedMutexStress : public ::testing::Test {};

class shared_mutex_kind_names {
 public:
  template <class>
  static std::string GetName(int i) {
    constexpr const char* names[] = {"exchange", "dispatch", "inline"};
    return names[i];
  }
};

TYPED_TEST_SUITE(SharedMutexStress, testing::shared_mutex_kinds, shared_mutex_kind_names);

TYPED_TEST(SharedMutexStress, has_one_writer_or_readers_on_pools_of_any_size) {
  for (const unsigned workers : {1U, 2U, 4U, 8U}) {
    for (const queue_order order : {queue_order::fifo, queue_order::lifo}) {
      thread_pool pool{{.threads = workers, .order = order}};
      TypeParam m;
      data_of_many data;
      const std::size_t tasks = 128;
      const std::size_t sections = scaled(800) / 8 * 8;
      std::vector<task<>> all;
      for (std::size_t i = 0; i < tasks; ++i) {
        all.push_back(enter_often(m, data, sections, i));
      }
      sync_wait(pool, when_all(std::move(all)));
      EXPECT_EQ(data.writes(), tasks * sections / 4);
      EXPECT_EQ(data.reads(), tasks * sections * 3 / 4);
    }
  }
}

TYPED_TEST(SharedMutexStress, tasks_that_leave_early_lose_no_other) {
  for (const unsigned workers : {1U, 4U}) {
    thread_pool pool{workers};
    TypeParam m;
    data_of_many data;
    shared_tally count;
    const std::size_t tasks = 256;
    const std::size_t tries = scaled(400);
    std::vector<std::stop_source> sources(tasks);
    std::vector<task<>> all;
    ASSERT_TRUE(m.try_lock());
    all.push_back(unlock_when_one_has_left(m, count));
    for (std::size_t i = 0; i < tasks; ++i) {
      all.push_back(
          enter_impatiently(m, data, count, tries, static_cast<std::uint32_t>(i + 1),
                            sources[i].get_token(), sources[(i + tasks / 2) % tasks]));
    }
    sync_wait(pool, when_all(std::move(all)));
    EXPECT_EQ(count.writes + count.reads + count.departures, tasks * tries);
    EXPECT_GT(count.departures.load(), 0U);
    EXPECT_EQ(data.writes(), count.writes.load());
    EXPECT_EQ(data.reads(), count.reads.load());
    EXPECT_TRUE(m.try_lock()) << "all have left";
    m.unlock_dispatch();
    detail::current().locks_held = 0;  // The test locked it first, a task unlocked it.
  }
}

template <class Mutex>
void enter_often_blocking(Mutex& m, data_of_many& data, std::size_t sections) {
  for (std::size_t i = 0; i < sections; ++i) {
    const std::chrono::microseconds patience{i % 20};
    if (block_on(m.try_lock_for(patience))) {
      data.write();
      m.unlock_dispatch();
    }
    m.lock_shared_blocking();
    data.begin_read();
    data.end_read();
    m.unlock_shared_dispatch();
  }
}

TYPED_TEST(SharedMutexStress, serves_two_pools_and_plain_threads_at_once) {
  thread_pool first{{.threads = 2}};
  thread_pool second{{.threads = 3, .order = queue_order::lifo}};
  TypeParam m;
  data_of_many data;
  const std::size_t tasks = 48;
  const std::size_t sections = scaled(400) / 8 * 8;
  const auto crowd = [&](thread_pool& pool) {
    std::vector<task<>> all;
    for (std::size_t i = 0; i < tasks; ++i) {
      all.push_back(enter_often(m, data, sections, i));
    }
    sync_wait(pool, when_all(std::move(all)));
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] { enter_often_blocking(m, data, sections); });
  }
  threads.emplace_back([&] { crowd(first); });
  threads.emplace_back([&] { crowd(second); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(data.writes(), 2 * tasks * sections / 4);
  EXPECT_EQ(data.reads(), 2 * tasks * sections * 3 / 4 + 2 * sections);
}

/// How many tasks have not entered as often as they should.
using unfinished = std::atomic<std::size_t>;

template <class Mutex>
task<> read_until_all_have_enough(Mutex& m, unfinished& others, std::size_t enough) {
  for (std::size_t i = 1; others.load(std::memory_order_relaxed) != 0; ++i) {
    co_await m.lock_shared();
    // So there is always a reader inside, except for the writers' turns.
    co_await reschedule();
    co_await m.unlock_shared();
    if (i == enough) others.fetch_sub(1, std::memory_order_relaxed);
  }
}

template <class Mutex>
task<> write_until_all_have_enough(Mutex& m, unfinished& others, std::size_t enough) {
  for (std::size_t i = 1; others.load(std::memory_order_relaxed) != 0; ++i) {
    co_await m.lock();
    co_await reschedule();
    co_await m.unlock();
    if (i == enough) others.fetch_sub(1, std::memory_order_relaxed);
  }
}

// No task stops before all have got in often enough: if one side kept the other out, the
// test would not end.
TYPED_TEST(SharedMutexStress, neither_side_starves_the_other) {
  struct mixture {
    std::size_t readers;
    std::size_t writers;
  };
  for (const unsigned workers : {1U, 4U}) {
    for (const mixture who : {mixture{16, 1}, mixture{1, 16}, mixture{8, 8}}) {
      thread_pool pool{workers};
      TypeParam m;
      unfinished others{who.readers + who.writers};
      const std::size_t enough = scaled(5000);
      std::vector<task<>> all;
      for (std::size_t i = 0; i < who.readers; ++i) {
        all.push_back(read_until_all_have_enough(m, others, enough));
      }
      for (std::size_t i = 0; i < who.writers; ++i) {
        all.push_back(write_until_all_have_enough(m, others, enough));
      }
      sync_wait(pool, when_all(std::move(all)));
      EXPECT_EQ(others.load(), 0U);
    }
  }
}

}  // namespace
}  // namespace hotseat
