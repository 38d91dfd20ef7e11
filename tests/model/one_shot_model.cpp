// hotseat/tests/model/one_shot_model.cpp — a result and the task that waits for it: both
// sides may move or go at any time.
#include <gtest/gtest.h>

#include <hotseat/hotseat.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/link_state.hpp>
#include <support/scenario.hpp>

#include <chrono>
#include <optional>
#include <utility>

namespace hotseat {
namespace {

using detail::link_end;
using platform::thread;
using testing::explore_all;
using testing::explore_some;

// --- link_end

/// Counts what its holders do, which is a race if two hold it.
struct object {
  explicit object(link_end::role which) : end{which} {}
  link_end end;
  platform::var<int> touches = 0;
};

void end_link(object& self, object& other) {
  if (link_end* const peer = self.end.hold()) {
    self.touches = self.touches + 1;
    other.touches = other.touches + 1;
    self.end.part(*peer);
  }
}

TEST(LinkStateModel, P1_one_of_two_that_end_it_touches_both) {
  explore_all(
      [] {
        object a{link_end::role::leading};
        object b{link_end::role::yielding};
        a.end.link(b.end);
        thread other{[&] { end_link(b, a); }};
        end_link(a, b);
        verify(a.touches == 1, "it was ended once, and that is visible");
        other.join();
        verify(b.touches == 1, "the same here");
      },
      {.preemptions = 4});
}

TEST(LinkStateModel, P2_an_object_goes_when_its_end_is_alone) {
  explore_all(
      [] {
        std::optional<object> a{std::in_place, link_end::role::leading};
        std::optional<object> b{std::in_place, link_end::role::yielding};
        a->end.link(b->end);
        thread other{[&] {
          end_link(*b, *a);
          b.reset();
        }};
        end_link(*a, *b);
        a.reset();
        other.join();
      },
      {.preemptions = 4});
}

TEST(LinkStateModel, P2_an_object_that_moves_is_found_or_gone) {
  explore_all(
      [] {
        std::optional<object> a{std::in_place, link_end::role::leading};
        std::optional<object> b{std::in_place, link_end::role::yielding};
        a->end.link(b->end);
        thread other{[&] {
          object moved{link_end::role::yielding};
          if (link_end* const peer = b->end.hold()) b->end.move_to(moved.end, *peer);
          b.reset();
          if (link_end* const peer = moved.end.hold()) {
            a->touches = a->touches + 1;
            moved.end.part(*peer);
          }
        }};
        if (link_end* const peer = a->end.hold()) a->end.part(*peer);
        verify(a->touches == 0 || a->touches == 1, "touched before it was left, or not");
        a.reset();
        other.join();
      },
      {.preemptions = 3});
}

// --- one_shot

thread_pool_options small() {
  thread_pool_options result;
  result.threads = 1;
  result.block_size = 2;
  result.block_count = 2;
  result.machine = topology::flat(1);
  return result;
}

/// On a plain thread, which waits without an executor.
TEST(OneShotModel, the_waiter_sees_the_value_and_may_destroy_it_at_once) {
  explore_all(
      [] {
        std::optional<one_shot<int>> shot{std::in_place};
        platform::var<int> message = 0;
        auto done = shot->get_completer();
        thread caller{[&] {
          message = 1;
          done.set_value(7);
        }};
        verify(shot->wait_blocking() == 7, "the value");
        verify(message == 1, "and what came before it");
        shot.reset();
        caller.join();
      },
      {.preemptions = 3});
}

TEST(OneShotModel, a_completer_that_is_dropped_ends_the_wait) {
  explore_all(
      [] {
        one_shot<> shot;
        auto done = shot.get_completer();
        thread caller{[&] { const one_shot<>::completer mine{std::move(done)}; }};
        bool was_told = false;
        try {
          shot.wait_blocking();
        } catch (const one_shot_dropped&) {
          was_told = true;
        }
        verify(was_told, "no result will come");
        caller.join();
      },
      {.preemptions = 3});
}

TEST(OneShotModel, it_may_go_before_it_is_completed) {
  explore_all(
      [] {
        std::optional<one_shot<int>> shot{std::in_place};
        auto done = shot->get_completer();
        thread caller{[&] { done.set_value(7); }};
        shot.reset();
        caller.join();
      },
      {.preemptions = 4});
}

struct callback {
  std::optional<one_shot<int>::completer> done;
  std::optional<thread> caller;
};

task<> wait_twice(callback& call, bool& was_late, bool& came_later) {
  using namespace std::chrono_literals;
  one_shot<int> shot;
  call.done.emplace(shot.get_completer());
  call.caller.emplace([&call] { call.done->set_value(7); });
  std::optional<int> value = co_await shot.wait(5us);
  if (!value) {
    was_late = true;
    value = co_await shot.wait(5us);
    came_later = came_later || value.has_value();
  }
  verify(!value || *value == 7, "the value, or nothing");
}

TEST(OneShotModel, a_wait_that_ends_early_leaves_the_value_or_nothing) {
  bool was_late = false;
  bool came_later = false;
  explore_some(100'000, [&] {
    callback call;
    thread_pool pool{small()};
    sync_wait(pool, wait_twice(call, was_late, came_later));
    call.caller->join();
  });
  EXPECT_TRUE(was_late && came_later);
}

}  // namespace
}  // namespace hotseat
