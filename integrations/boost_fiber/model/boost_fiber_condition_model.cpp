// integrations/boost_fiber/model/boost_fiber_condition_model.cpp — the conditions of the
// drop-in under many schedules, on the modelled Boost.
#include <hotseat/boost_fiber/condition_variable.hpp>
#include <hotseat/boost_fiber/mutex.hpp>
#include <hotseat/boost_fiber/recursive_mutex.hpp>
#include <hotseat/boost_fiber/timed_mutex.hpp>
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/seam.hpp>
#include <model/crew.hpp>
#include <support/explored.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <mutex>

namespace hotseat::boost_fiber::test {
namespace {

using namespace std::chrono_literals;
using hotseat::testing::endings;
using hotseat::testing::explore_some;
using hotseat::testing::guarded_count;

class BoostFiberConditionModel : public ::testing::TestWithParam<order> {};
INSTANTIATE_TEST_SUITE_P(Orders, BoostFiberConditionModel, ::testing::ValuesIn(all_orders),
                         name_of_instance);

TEST_P(BoostFiberConditionModel, N1_a_notification_is_not_missed) {
  explore_some(10'000 / share, [] {
    mutex m;
    condition_variable changed;
    platform::var<bool> is_set = false;
    crew::run(GetParam(), {[&] {
                             {
                               const std::lock_guard held{m};
                               is_set = true;
                             }
                             changed.notify_one();
                           },
                           [&] {
                             run_fibers({[&] {
                               std::unique_lock held{m};
                               changed.wait(held, [&] { return bool{is_set}; });
                             }});
                           }});
  });
}

TEST_P(BoostFiberConditionModel, all_that_wait_are_notified) {
  explore_some(10'000 / share, [] {
    mutex m;
    condition_variable changed;
    platform::var<bool> is_set = false;
    guarded_count count;
    const auto wait = [&] {
      std::unique_lock held{m};
      changed.wait(held, [&] { return bool{is_set}; });
      count.increment();
    };
    crew::run(GetParam(), {[&] {
                             fibers::fiber one{wait};
                             {
                               const std::lock_guard held{m};
                               is_set = true;
                               changed.notify_all();
                             }
                             one.join();
                           },
                           [&] { run_fibers({wait, wait}); }});
    verify(count.value() == 3, "each was let go, and owned the mutex");
  });
}

/// If notified while the mutex is free, a fiber may wake on another thread than it waited
/// on, and find the mutex owned again.
TEST_P(BoostFiberConditionModel, a_notified_fiber_may_wait_at_another_thread) {
  explore_some(10'000 / share, [] {
    mutex m;
    condition_variable changed;
    platform::var<bool> is_set = false;
    guarded_count count;
    const auto wait = [&] {
      std::unique_lock held{m};
      changed.wait(held, [&] { return bool{is_set}; });
      count.increment();
    };
    const auto come_and_go = [&] {
      for (int times = 0; times < 2; ++times) {
        {
          const std::lock_guard held{m};
          is_set = true;
          for (int turns = 0; turns < 4; ++turns) platform::relax();
        }
        changed.notify_all();
        fibers::context::active()->yield();
      }
    };
    crew::run(GetParam(), {[&] { run_fibers({wait, come_and_go}); },
                           [&] { run_fibers({wait, come_and_go}); }});
    verify(count.value() == 2, "each was let go, and owned the mutex");
  });
}

/// A fiber that waits with a limit takes the notification, or leaves it to the other.
TEST_P(BoostFiberConditionModel, a_notification_is_not_lost_to_a_wait_that_is_over) {
  endings all;
  explore_some(10'000 / share, [&] {
    mutex m;
    condition_variable changed;
    platform::var<int> tokens = 0;
    platform::var<int> waiting = 0;
    bool is_notified = false;
    const auto limited = [&] {
      std::unique_lock held{m};
      waiting = waiting + 1;
      is_notified = changed.wait_for(held, 1ms) == cv_status::no_timeout;
      // The other one has no other chance.
      if (is_notified) changed.notify_one();
      tokens = tokens + 1;
    };
    const auto patient = [&] {
      std::unique_lock held{m};
      waiting = waiting + 1;
      changed.wait(held);
      tokens = tokens + 1;
    };
    crew::run(GetParam(), {[&] {
                             for (bool is_done = false; !is_done;) {
                               {
                                 const std::lock_guard held{m};
                                 is_done = waiting == 2;
                                 if (is_done) changed.notify_one();
                               }
                               fibers::context::active()->yield();
                               platform::relax();
                             }
                           },
                           [&] { run_fibers({limited, patient}); }});
    all.note(is_notified);
    verify(tokens == 2, "both have gone on");
  });
  EXPECT_TRUE(all.granted && all.left);
}

TEST_P(BoostFiberConditionModel, a_wait_with_a_limit_owns_the_mutex_in_any_case) {
  endings all;
  explore_some(10'000 / share, [&] {
    timed_mutex m;
    condition_variable_any changed;
    guarded_count count;
    bool is_notified = false;
    crew::run(GetParam(), {[&] {
                             {
                               const std::lock_guard held{m};
                               count.increment();
                             }
                             changed.notify_all();
                           },
                           [&] {
                             run_fibers({[&] {
                               std::unique_lock held{m};
                               is_notified =
                                   changed.wait_for(held, 1ms) == cv_status::no_timeout;
                               count.increment();
                             }});
                           }});
    all.note(is_notified);
    verify(count.value() == 2, "each was inside");
    verify(m.try_lock(), "it is free at the end");
  });
  EXPECT_TRUE(all.granted && all.left);
}

TEST_P(BoostFiberConditionModel, a_recursive_mutex_is_locked_once_after_a_wait) {
  explore_some(10'000 / share, [] {
    recursive_timed_mutex m;
    condition_variable_any changed;
    platform::var<bool> is_set = false;
    crew::run(GetParam(), {[&] {
                             const std::lock_guard outer{m};
                             const std::lock_guard inner{m};
                             is_set = true;
                             changed.notify_all();
                           },
                           [&] {
                             const auto wait = [&] {
                               std::unique_lock held{m};
                               if (!is_set) (void)changed.wait_for(held, 1ms);
                             };
                             run_fibers({wait, wait});
                           }});
    verify(m.try_lock(), "it is free at the end");
  });
}

/// A lock that is not ours: the fiber wakes first, then locks.
TEST_P(BoostFiberConditionModel, a_foreign_lock_misses_no_notification) {
  explore_some(10'000 / share, [] {
    spin_lock m;
    condition_variable_any changed;
    platform::var<bool> is_set = false;
    crew::run(GetParam(), {[&] {
                             {
                               const std::lock_guard held{m};
                               is_set = true;
                             }
                             changed.notify_all();
                           },
                           [&] {
                             const auto wait = [&] {
                               std::unique_lock held{m};
                               changed.wait(held, [&] { return bool{is_set}; });
                             };
                             run_fibers({wait, wait});
                           }});
  });
}

TEST_P(BoostFiberConditionModel, a_foreign_lock_with_a_limit) {
  endings all;
  explore_some(10'000 / share, [&] {
    spin_lock m;
    condition_variable_any changed;
    guarded_count count;
    bool is_notified = false;
    crew::run(GetParam(), {[&] {
                             {
                               const std::lock_guard held{m};
                               count.increment();
                             }
                             changed.notify_one();
                           },
                           [&] {
                             run_fibers({[&] {
                               std::unique_lock held{m};
                               is_notified =
                                   changed.wait_for(held, 1ms) == cv_status::no_timeout;
                               count.increment();
                             }});
                           }});
    all.note(is_notified);
    verify(count.value() == 2, "each was inside");
  });
  EXPECT_TRUE(all.granted && all.left);
}

TEST_P(BoostFiberConditionModel, a_condition_may_die_once_all_have_been_let_go) {
  explore_some(10'000 / share, [] {
    mutex m;
    auto changed = std::make_unique<condition_variable>();
    platform::var<bool> is_set = false;
    crew::run(GetParam(), {[&] {
                             const std::lock_guard held{m};
                             is_set = true;
                             changed->notify_all();
                           },
                           [&] {
                             run_fibers({[&] {
                               {
                                 std::unique_lock held{m};
                                 changed->wait(held, [&] { return bool{is_set}; });
                               }
                               changed.reset();
                             }});
                           }});
    verify(changed == nullptr, "it has been destroyed");
  });
}

/// The notified fiber ends, and so does its thread, while the notifier is still busy.
TEST_P(BoostFiberConditionModel, threads_end_right_after_fibers_that_were_notified) {
  explore_some(10'000 / share, [] {
    mutex m;
    condition_variable changed;
    platform::var<bool> is_set = false;
    const auto wait = [&] {
      std::unique_lock held{m};
      changed.wait(held, [&] { return bool{is_set}; });
    };
    const auto one_fiber = [&] { run_fibers({wait}); };
    crew::run({{order::round_robin,
                [&] {
                  {
                    const std::lock_guard held{m};
                    is_set = true;
                  }
                  changed.notify_all();
                }},
               {GetParam(), one_fiber},
               {GetParam(), one_fiber}});
  });
}

}  // namespace
}  // namespace hotseat::boost_fiber::test
