// hotseat/tests/conformance/gates.cpp — what lets out all who wait, as subjects.
#include <hotseat/sync/barrier.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/sync/latch.hpp>
#include <hotseat/sync/wait_group.hpp>

#include <conformance/subject.hpp>

#include <vector>

namespace hotseat::conformance {
namespace {

template <class Handoff>
struct for_all {
  static constexpr traits what{
      .awaited = hand_over_of<Handoff>, .serves_all = true, .in_one_batch = true};
  static constexpr bool gives_back = false;
  static bool is_granted(bool result) { return result; }
};

template <class Handoff, class Gate>
struct gate_kind : for_all<Handoff> {
  explicit gate_kind(auto... arguments) : gate{arguments...} {}
  auto wait() { return gate.wait(); }
  auto wait(wait_limits until) {
    if (!until.due) return gate.wait(until.stop);
    if (is_a_duration(until)) return gate.wait_for(duration_of(until));
    return gate.wait_until(*until.due, until.stop);
  }
  void block() { gate.wait_blocking(); }
  Gate gate;
};

template <class Handoff>
struct event_kind : gate_kind<Handoff, basic_event<Handoff>> {
  explicit event_kind(unsigned) : gate_kind<Handoff, basic_event<Handoff>>{} {}
  auto let_in_awaited() { return this->gate.set(); }
  bool let_in() {
    this->gate.set_dispatch();
    return true;
  }
};
template <class Handoff>
using events = subject_of<event_kind<Handoff>>;

template <class Handoff>
struct latch_kind : gate_kind<Handoff, basic_latch<Handoff>> {
  explicit latch_kind(unsigned) : gate_kind<Handoff, basic_latch<Handoff>>{1U} {}
  auto let_in_awaited() { return this->gate.count_down(); }
  bool let_in() {
    this->gate.count_down_dispatch();
    return true;
  }
};
template <class Handoff>
using latches = subject_of<latch_kind<Handoff>>;

template <class Handoff>
struct wait_group_kind : gate_kind<Handoff, basic_wait_group<Handoff>> {
  explicit wait_group_kind(unsigned) : gate_kind<Handoff, basic_wait_group<Handoff>>{1U} {}
  auto let_in_awaited() { return this->gate.done(); }
  bool let_in() {
    this->gate.done_dispatch();
    return true;
  }
};
template <class Handoff>
using wait_groups = subject_of<wait_group_kind<Handoff>>;

/// All who wait have arrived; one more is missing.
template <class Handoff>
struct arriving_kind : for_all<Handoff> {
  static constexpr traits what{.awaited = hand_over_of<Handoff>,
                               .serves_all = true,
                               .in_one_batch = true,
                               .is_free_afterwards = false};
  explicit arriving_kind(unsigned waits) : all{waits + 1} {}
  auto wait() { return all.arrive_and_wait(); }
  auto wait(wait_limits until) {
    if (!until.due) return all.arrive_and_wait(until.stop);
    if (is_a_duration(until)) return all.arrive_and_wait_for(duration_of(until));
    return all.arrive_and_wait_until(*until.due, 1, until.stop);
  }
  void block() { all.arrive_and_wait_blocking(); }
  auto let_in_awaited() { return all.count_down(); }
  bool let_in() {
    all.count_down_dispatch();
    return true;
  }
  basic_latch<Handoff> all;
};
template <class Handoff>
using latch_arrivals = subject_of<arriving_kind<Handoff>>;

template <class Handoff>
struct barrier_kind : for_all<Handoff> {
  static constexpr traits what = arriving_kind<Handoff>::what;
  explicit barrier_kind(unsigned waits) : phase{waits + 1} {}
  auto wait() { return phase.arrive_and_wait(); }
  auto wait(wait_limits until) {
    if (!until.due) return phase.arrive_and_wait(until.stop);
    if (is_a_duration(until)) return phase.arrive_and_wait_for(duration_of(until));
    return phase.arrive_and_wait_until(*until.due, until.stop);
  }
  void block() { phase.arrive_and_wait_blocking(); }
  auto let_in_awaited() { return phase.arrive_and_drop(); }
  bool let_in() {
    phase.arrive_and_drop_dispatch();
    return true;
  }
  basic_barrier<Handoff> phase;
};
template <class Handoff>
using barriers = subject_of<barrier_kind<Handoff>>;

}  // namespace

std::vector<subject_kind> gates() {
  std::vector<subject_kind> all;
  add<events>(all, "event");
  add<latches>(all, "latch");
  add<latch_arrivals>(all, "latch_arrive_and_wait");
  add<wait_groups>(all, "wait_group");
  add<barriers>(all, "barrier");
  return all;
}

}  // namespace hotseat::conformance
