// hotseat/platform/simulated/machine.cpp — what things cost, and which thread runs next.
#include <hotseat/platform/simulated/machine.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "world.hpp"

namespace hotseat::platform::simulated {

namespace {

/// A store completes in the background and costs the thread no more than a hit; an
/// operation that needs all stores to be done waits for them.
void make(access how, const void* address) noexcept {
  virtual_thread& self = *here->self;
  if (how == access::update) finish_stores();
  const duration time = here->lines.use(address, how, self.core, self.clock);
  if (how != access::store) return spend(time);
  self.stores_end = std::max(self.stores_end, self.clock + time);
  spend(picoseconds(here->machine.hit));
}

/// How far a thread may run ahead of others while it uses what no other thread wants.
constexpr duration slack = 50'000;

}  // namespace

world* here = nullptr;

double next_random() noexcept {
  here->random += 0x9E37'79B9'7F4A'7C15U;
  std::uint64_t z = here->random;
  z = (z ^ z >> 30U) * 0xBF58'476D'1CE4'E5B9U;
  z = (z ^ z >> 27U) * 0x94D0'49BB'1331'11EBU;
  return static_cast<double>((z ^ z >> 31U) >> 11U) * 0x1p-53;
}

void spend(duration time) noexcept {
  virtual_thread& self = *here->self;
  if (here->core_load[self.core] > 1) {
    time =
        static_cast<duration>(static_cast<double>(time) * here->machine.sibling_slowdown);
  }
  self.clock += time;
}

void finish_stores() noexcept {
  virtual_thread& self = *here->self;
  self.clock = std::max(self.clock, self.stores_end);
}

void go_on() noexcept {
  virtual_thread& former = *here->self;
  if (here->ready.is_empty()) fail("all threads sleep, and nobody will wake them");
  virtual_thread& next = here->ready.pop();
  if (next.is_asleep) {  // Its deadline has come.
    next.is_asleep = false;
    next.bed = nullptr;
    ++here->core_load[next.core];
  }
  here->self = &next;
  ++here->events;
  if (&next != &former) switch_stacks(former.stack, next.stack);
}

void leave_for_good() noexcept {
  parked_stack& last = here->self->stack;
  here->self = nullptr;
  switch_stacks(last, here->outside);
  std::abort();
}

bool is_running() noexcept { return here != nullptr && here->self != nullptr; }
const void* self() noexcept { return here != nullptr ? here->self : nullptr; }

void catch_up() noexcept {
  if (!is_running()) return;
  virtual_thread& self = *here->self;
  while (here->ready.earliest() < self.clock) {
    here->ready.push(self);
    go_on();
  }
}

void touch(const void* address, access how) noexcept {
  if (!is_running()) return;
  const virtual_thread& self = *here->self;
  ++here->accesses;
  spend(picoseconds(here->machine.instructions));
  const duration earliest = here->ready.earliest();
  if (earliest + slack < self.clock ||
      (earliest < self.clock &&
       here->lines.is_contended(address, how, self.core, self.clock))) {
    catch_up();
  }
  make(how, address);
}

void touch_private(const void* address, access how) noexcept {
  if (!is_running()) return;
  ++here->accesses;
  make(how, address);
}

void prefetch(const void* address) noexcept {
  if (!is_running() || address == nullptr) return;
  const virtual_thread& self = *here->self;
  spend(picoseconds(here->machine.instructions));
  if (here->lines.is_contended(address, access::store, self.core, self.clock)) catch_up();
  here->lines.send_for(address, self.core, self.clock);
}

void work(duration time) noexcept {
  if (!is_running()) return;
  // No two runs of the same code take the same time.
  spend(static_cast<duration>(static_cast<double>(time) * (0.95 + 0.1 * next_random())));
}

duration time() noexcept { return is_running() ? here->self->clock : 0; }

duration now() noexcept {
  if (is_running()) spend(picoseconds(here->machine.read_clock));
  return time();
}

void relax() noexcept {
  if (!is_running()) return;
  spend(picoseconds(here->machine.spin_hint));
  catch_up();
}

void heavy_fence() noexcept {
  if (!is_running()) return;
  finish_stores();
  catch_up();
  spend(picoseconds(here->machine.heavy_fence +
                    here->machine.heavy_fence_each * static_cast<double>(here->alive)));
}

void on_resume(const void* frame) noexcept {
  if (!is_running()) return;
  spend(picoseconds(here->machine.task_switch));
  const void* const second_line = static_cast<const std::byte*>(frame) + 64;
  for (const void* const line : {frame, second_line}) {
    touch_private(line, access::load);
    touch_private(line, access::store);
  }
}

activity spend_time(activity how) noexcept {
  if (!is_running()) return how;
  here->self->count_time();
  return std::exchange(here->self->doing, how);
}

void fail(const std::string& what) noexcept {
  if (!is_running()) {
    std::fprintf(stderr, "hotseat: simulation: %s\n", what.c_str());
    std::abort();
  }
  here->failure = what;
  leave_for_good();
}

const machine_description& description() noexcept { return here->machine; }

}  // namespace hotseat::platform::simulated
