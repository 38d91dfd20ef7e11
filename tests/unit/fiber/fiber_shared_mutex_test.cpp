// hotseat/tests/unit/fiber/fiber_shared_mutex_test.cpp — readers together, writers alone.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/fiber/fiber_shared_mutex.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <support/probes.hpp>
#include <thread>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;

TEST(FiberSharedMutex, readers_are_inside_together) {
  manual_executor one;
  fiber_shared_mutex m;
  int inside = 0;
  int most = 0;
  const auto read = [&] {
    const std::shared_lock held{m};
    most = std::max(most, ++inside);
    await(reschedule());
    --inside;
  };
  fiber a{one, read};
  fiber b{one, read};
  one.run_all();
  EXPECT_EQ(most, 2);
  a.join();
  b.join();
}

TEST(FiberSharedMutex, the_last_reader_exchanges_with_the_writer) {
  manual_executor one;
  fiber_shared_mutex m;
  std::vector<std::string> log;
  fiber reader{one, [&] {
                 m.lock_shared();
                 await(reschedule());
                 m.unlock_shared();
                 log.emplace_back("reader");
               }};
  fiber writer{one, [&] {
                 m.lock();
                 log.emplace_back("writer");
                 m.unlock();
               }};
  for (int i = 0; i < 3; ++i) one.step();
  EXPECT_EQ(log, std::vector<std::string>{"writer"});
  one.run_all();
  reader.join();
  writer.join();
}

TEST(FiberSharedMutex, a_writer_inside_another_section_dispatches_the_readers) {
  manual_executor one;
  fiber_shared_mutex m;
  fiber_shared_mutex outer;
  std::vector<std::string> log;
  fiber writer{one, [&] {
                 const std::shared_lock around{outer};
                 m.lock();
                 await(reschedule());
                 m.unlock();
                 log.emplace_back("writer");
               }};
  fiber reader{one, [&] {
                 const std::shared_lock held{m};
                 log.emplace_back("reader");
               }};
  one.run_all();
  EXPECT_EQ(log, (std::vector<std::string>{"writer", "reader"}));
  reader.join();
  writer.join();
}

TEST(FiberSharedMutex, limits_and_tries) {
  thread_pool pool{1};
  fiber_shared_mutex m;
  m.lock_shared();
  std::vector<bool> got;
  fiber f{pool, [&] {
            got.push_back(m.try_lock());
            got.push_back(m.try_lock_for(1ms));
            got.push_back(m.try_lock_until(std::chrono::steady_clock::now()));
            got.push_back(m.try_lock_shared());
            got.push_back(m.try_lock_shared_for(1ms));
            got.push_back(m.try_lock_shared_until(std::chrono::steady_clock::now()));
            for (int i = 0; i < 3; ++i) m.unlock_shared();
          }};
  f.join();
  m.unlock_shared();
  EXPECT_EQ(got, (std::vector<bool>{false, false, false, true, true, true}));
}

TEST(FiberSharedMutex, either_side_may_be_told_to_stop) {
  thread_pool pool{1};
  fiber_shared_mutex m;
  m.lock_shared();
  std::stop_source source;
  source.request_stop();
  std::vector<bool> got;
  fiber f{pool, [&] {
            got.push_back(m.lock(source.get_token()));
            got.push_back(m.lock({1h, source.get_token()}));
            got.push_back(m.lock_shared(source.get_token()));
            got.push_back(m.lock_shared({1h, source.get_token()}));
            for (int i = 0; i < 2; ++i) m.unlock_shared();
          }};
  f.join();
  m.unlock_shared();
  EXPECT_EQ(got, (std::vector<bool>{false, false, true, true}));
}

TEST(FiberSharedMutex, fibers_and_threads_keep_the_rule) {
  thread_pool pool{3};
  fiber_shared_mutex m;
  int value = 0;
  std::atomic<int> odd{0};
  const auto use = [&](bool writes) {
    return [&, writes] {
      for (int i = 0; i < 300; ++i) {
        if (writes) {
          const std::lock_guard held{m};
          ++value;
          ++value;
        } else {
          const std::shared_lock held{m};
          if (value % 2 != 0) ++odd;
        }
      }
    };
  };
  std::vector<fiber> fibers;
  for (int i = 0; i < 8; ++i) fibers.emplace_back(pool, use(i % 4 == 0));
  std::thread plain{use(true)};
  for (fiber& each : fibers) each.join();
  plain.join();
  EXPECT_EQ(odd, 0);
  EXPECT_EQ(value, 3 * 600);
}

}  // namespace
}  // namespace hotseat
