// hotseat/tests/conformance/gates.cpp — primitives that let out all waiters, as subjects.
#include <hotseat/sync/barrier.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/sync/latch.hpp>
#include <hotseat/sync/one_shot.hpp>
#include <hotseat/sync/wait_group.hpp>

#include <conformance/subject.hpp>

#include <coroutine>
#include <utility>
#include <vector>

namespace hotseat::conformance {
namespace {

struct for_all {
  static constexpr traits what{
      .awaited = hand_over::exchanged, .serves_all = true, .in_one_batch = true};
  static constexpr bool gives_back = false;
  static bool is_granted(bool result) { return result; }
};

template <class Gate>
struct gate_kind : for_all {
  explicit gate_kind(auto... arguments) : gate{arguments...} {}
  auto wait() { return gate.wait(); }
  auto wait(wait_limits until) { return gate.wait(std::move(until)); }
  void block() { gate.wait_blocking(); }
  Gate gate;
};

struct open_event : gate_kind<event> {
  explicit open_event(unsigned) {}
  auto let_in_awaited() { return gate.set(); }
  bool let_in() {
    gate.set_dispatch();
    return true;
  }
};

struct open_latch : gate_kind<latch> {
  explicit open_latch(unsigned) : gate_kind{1U} {}
  auto let_in_awaited() { return gate.count_down(); }
  bool let_in() {
    gate.count_down_dispatch();
    return true;
  }
};

struct open_wait_group : gate_kind<wait_group> {
  explicit open_wait_group(unsigned) : gate_kind{1U} {}
  auto let_in_awaited() { return gate.done(); }
  bool let_in() {
    gate.done_dispatch();
    return true;
  }
};

/// All waiters have arrived; one arrival is missing.
struct arrive_at_latch : for_all {
  static constexpr traits what{.awaited = hand_over::exchanged,
                               .serves_all = true,
                               .in_one_batch = true,
                               .is_free_afterwards = false};
  explicit arrive_at_latch(unsigned waits) : all{waits + 1} {}
  auto wait() { return all.arrive_and_wait(); }
  auto wait(wait_limits until) { return all.arrive_and_wait(std::move(until)); }
  void block() { all.arrive_and_wait_blocking(); }
  auto let_in_awaited() { return all.count_down(); }
  bool let_in() {
    all.count_down_dispatch();
    return true;
  }
  latch all;
};

struct arrive_at_barrier : for_all {
  static constexpr traits what = arrive_at_latch::what;
  explicit arrive_at_barrier(unsigned waits) : phase{waits + 1} {}
  auto wait() { return phase.arrive_and_wait(); }
  auto wait(wait_limits until) { return phase.arrive_and_wait(std::move(until)); }
  void block() { phase.arrive_and_wait_blocking(); }
  auto let_in_awaited() { return phase.arrive_and_drop(); }
  bool let_in() {
    phase.arrive_and_drop_dispatch();
    return true;
  }
  barrier<> phase;
};

/// Whatever completes it does not suspend.
struct completed_one_shot : for_all {
  static constexpr traits what{
      .awaited = hand_over::dispatched, .serves_all = true, .in_one_batch = true};
  explicit completed_one_shot(unsigned) {}
  auto wait() { return shot.wait(); }
  auto wait(wait_limits until) { return shot.wait(std::move(until)); }
  void block() { shot.wait_blocking(); }
  struct completion {
    completed_one_shot& of;
    bool await_ready() { return of.let_in(); }
    void await_suspend(std::coroutine_handle<>) noexcept {}
    void await_resume() noexcept {}
  };
  auto let_in_awaited() { return completion{*this}; }
  bool let_in() {
    if (!shot.is_complete()) shot.set_value();
    return true;
  }
  one_shot<> shot;
};

}  // namespace

std::vector<subject_kind> gates() {
  std::vector<subject_kind> all;
  add_one<subject_of<open_event>>(all, "event");
  add_one<subject_of<open_latch>>(all, "latch");
  add_one<subject_of<arrive_at_latch>>(all, "latch_arrive_and_wait");
  add_one<subject_of<open_wait_group>>(all, "wait_group");
  add_one<subject_of<arrive_at_barrier>>(all, "barrier");
  add_one<subject_of<completed_one_shot>>(all, "one_shot");
  return all;
}

}  // namespace hotseat::conformance
