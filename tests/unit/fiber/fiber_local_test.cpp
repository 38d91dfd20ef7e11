// hotseat/tests/unit/fiber/fiber_local_test.cpp — a value for each fiber.
#include <gtest/gtest.h>

#include <atomic>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/fiber/fiber_local.hpp>
#include <hotseat/fiber/this_fiber.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <string>
#include <support/probes.hpp>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;

TEST(FiberLocal, each_fiber_has_its_own_and_keeps_it) {
  thread_pool pool{2};
  fiber_local<int> mine;
  std::atomic<int> wrong{0};
  std::vector<fiber> all;
  for (int i = 1; i <= 50; ++i) {
    all.emplace_back(pool, [&, i] {
      if (*mine != 0) ++wrong;
      *mine = i;
      for (int j = 0; j < 10; ++j) {
        await(reschedule());
        if (*mine != i) ++wrong;
      }
    });
  }
  for (fiber& each : all) each.join();
  EXPECT_EQ(wrong, 0);
}

/// Notes when it ends, and whether on a fiber; even waits in between.
struct witness {
  std::string name;
  std::vector<std::string>* log = nullptr;
  ~witness() {
    if (log == nullptr) return;
    await(reschedule());
    log->push_back(name + (this_task::is_fiber() ? " inside" : " outside"));
  }
};

TEST(FiberLocal, values_end_on_the_fiber_newest_first) {
  manual_executor one;
  fiber_local<witness> first;
  fiber_local<witness> second;
  std::vector<std::string> log;
  fiber f{one, [&] {
            first->name = "first";
            first->log = &log;
            second->name = "second";
            second->log = &log;
          }};
  one.run_all();
  f.join();
  EXPECT_EQ(log, (std::vector<std::string>{"second inside", "first inside"}));
}

TEST(FiberLocal, a_value_at_a_reused_address_starts_anew) {
  manual_executor one;
  std::vector<int> seen;
  fiber f{one, [&] {
            for (int i = 0; i < 2; ++i) {
              fiber_local<int> same_address;
              seen.push_back(++*same_address);
            }
          }};
  one.run_all();
  f.join();
  EXPECT_EQ(seen, (std::vector<int>{1, 1}));
}

}  // namespace
}  // namespace hotseat
