// hotseat/platform/simulated/machine.cpp — the thread that is furthest behind runs.
#include <hotseat/platform/simulated/machine.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "../virtual/stack_switch.hpp"
#include "lines.hpp"
#include "ready_heap.hpp"

namespace hotseat::platform::simulated {

namespace {

constexpr std::size_t stack_bytes = std::size_t{1} << 20U;
/// A thread may be that far ahead of others as long as it needs nothing of them.
constexpr duration slack = 50'000;
constexpr duration thread_start = 10'000'000;

duration picoseconds(double nanoseconds) noexcept {
  return static_cast<duration>(nanoseconds * 1000);
}

struct world {
  explicit world(const machine_description& of, std::uint64_t seed)
      : machine{of}, lines{machine}, core_load(most_cores, 0), random{seed} {}

  const machine_description machine;
  line_table lines;
  std::vector<std::unique_ptr<virtual_thread>> threads;
  std::vector<unsigned> core_load;  // threads that are awake
  ready_heap ready;                 // all that can go on, or have a deadline, but for self
  virtual_thread* self = nullptr;
  parked_stack outside;
  std::uint64_t random;
  std::uint64_t events = 0;
  std::uint64_t accesses = 0;
  unsigned alive = 0;
  std::string failure;
};

world* here = nullptr;
std::vector<std::byte*> stacks;  // for all simulations of the process

std::byte* stack_of(unsigned id) {
  while (stacks.size() <= id) stacks.push_back(allocate_stack(stack_bytes));
  return stacks[id];
}

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

/// Goes on with the thread that is furthest behind.
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

[[noreturn]] void leave_for_good() noexcept {
  parked_stack& last = here->self->stack;
  here->self = nullptr;
  switch_stacks(last, here->outside);
  std::abort();
}

void thread_main() noexcept {
  virtual_thread& self = *here->self;
  self.body();
  self.body = nullptr;
  if (self.last_words != nullptr) self.last_words();
  catch_up();
  self.count_time();
  self.is_finished = true;
  --here->core_load[self.core];
  wake(&self, std::numeric_limits<unsigned>::max());
  if (--here->alive == 0) leave_for_good();
  go_on();
  std::abort();  // Nobody resumes a thread that has ended.
}

void move_to(virtual_thread& thread, unsigned core) noexcept {
  --here->core_load[thread.core];
  thread.core = core;
  ++here->core_load[core];
}

}  // namespace

bool is_running() noexcept { return here != nullptr && here->self != nullptr; }
const void* self() noexcept { return here != nullptr ? here->self : nullptr; }

void catch_up() noexcept {
  virtual_thread& self = *here->self;
  while (here->ready.earliest() < self.clock) {
    here->ready.push(self);
    go_on();
  }
}

void touch(const void* address, access how) noexcept {
  if (!is_running()) return;
  virtual_thread& self = *here->self;
  ++here->accesses;
  spend(picoseconds(here->machine.instructions));
  if (!here->lines.is_hit(address, how, self.core) ||
      here->ready.earliest() + slack < self.clock) {
    catch_up();
  }
  spend(here->lines.use(address, how, self.core, self.clock));
}

void touch_private(const void* address, access how) noexcept {
  if (!is_running()) return;
  const virtual_thread& self = *here->self;
  ++here->accesses;
  spend(here->lines.use(address, how, self.core, self.clock));
}

void work(duration time) noexcept {
  if (!is_running()) return;
  // No two runs of the same code take equally long.
  spend(static_cast<duration>(static_cast<double>(time) * (0.95 + 0.1 * next_random())));
}

duration now() noexcept {
  if (!is_running()) return 0;
  spend(picoseconds(here->machine.read_clock));
  return here->self->clock;
}

void relax() noexcept {
  if (!is_running()) return;
  spend(picoseconds(here->machine.spin_hint));
  catch_up();
}

void heavy_fence() noexcept {
  if (!is_running()) return;
  catch_up();
  spend(picoseconds(here->machine.heavy_fence +
                    here->machine.heavy_fence_each * static_cast<double>(here->alive)));
}

void on_resume(const void* frame) noexcept {
  if (!is_running()) return;
  spend(picoseconds(here->machine.task_switch));
  touch_private(frame, access::store);
  touch_private(static_cast<const std::byte*>(frame) + 64, access::store);
}

activity spend_time(activity how) noexcept {
  if (!is_running()) return how;
  here->self->count_time();
  return std::exchange(here->self->doing, how);
}

void sleep_on(const void* bed, const duration* deadline) noexcept {
  virtual_thread& self = *here->self;
  spend(picoseconds(here->machine.fall_asleep));
  if (deadline != nullptr && *deadline <= self.clock) return;
  const activity before = spend_time(activity::asleep);
  self.bed = bed;
  self.is_asleep = true;
  --here->core_load[self.core];
  if (deadline != nullptr) {
    self.clock = *deadline;
    here->ready.push(self);
  }
  go_on();
  spend_time(before);
}

void wake(const void* bed, unsigned most) noexcept {
  if (!is_running()) return;
  catch_up();
  bool has_woken = false;
  for (const auto& each : here->threads) {
    if (most == 0) break;
    if (!each->is_asleep || each->bed != bed) continue;
    each->is_asleep = false;
    each->bed = nullptr;
    ++here->core_load[each->core];
    here->ready.remove(*each);  // It may have waited for its deadline.
    const double latency = here->machine.wake_latency * (0.8 + 0.4 * next_random());
    each->clock = here->self->clock + picoseconds(latency);
    here->ready.push(*each);
    has_woken = true;
    --most;
  }
  if (has_woken) spend(picoseconds(here->machine.wake));
}

thread_id start_thread(std::function<void()> body) {
  if (here == nullptr) throw std::logic_error{"simulate: threads exist only inside run()"};
  auto fresh = std::make_unique<virtual_thread>();
  fresh->id = static_cast<thread_id>(here->threads.size());
  fresh->body = std::move(body);
  // Beside the CPUs of the machine, until it settles on one.
  fresh->core = here->machine.cores() + fresh->id % (most_cores - here->machine.cores());
  fresh->clock = here->self != nullptr ? here->self->clock + thread_start : 0;
  fresh->since = fresh->clock;
  std::byte* const lowest = stack_of(fresh->id);
  prepare_stack(fresh->stack, lowest, stack_bytes, &thread_main);
  fresh->stack_floor = reinterpret_cast<std::uintptr_t>(lowest) + stack_bytes / 4;
  ++here->core_load[fresh->core];
  ++here->alive;
  if (here->self != nullptr) spend(thread_start);
  here->threads.push_back(std::move(fresh));
  here->ready.push(*here->threads.back());
  return here->threads.back()->id;
}

void join_thread(thread_id other) noexcept {
  virtual_thread& thread = *here->threads[other];
  while (!thread.is_finished) {
    catch_up();
    if (!thread.is_finished) sleep_on(&thread, nullptr);
  }
}

void settle_on(unsigned cpu) noexcept {
  if (!is_running() || cpu >= here->machine.cpus()) return;
  const machine_description& m = here->machine;
  // CPUs of a cache: first one thread of each core, then the second ones.
  const unsigned per_cache = m.cores_per_cache * m.threads_per_core;
  move_to(*here->self, cpu / per_cache * m.cores_per_cache + cpu % m.cores_per_cache);
  here->self->is_worker = true;
  here->self->count_time();
  here->self->time = {};
}

void name_thread(const char* name) noexcept {
  if (is_running()) here->self->name = name;
}

void*& local(std::size_t kind) noexcept { return here->self->locals[kind]; }
std::uintptr_t stack_floor() noexcept {
  return is_running() ? here->self->stack_floor : UINTPTR_MAX;
}
void set_last_words(void (*last_words)() noexcept) noexcept {
  if (is_running()) here->self->last_words = last_words;
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

counts so_far() noexcept {
  counts result;
  result.transfers = here->lines.transfers;
  result.waited = here->lines.waited;
  result.events = here->events;
  result.accesses = here->accesses;
  for (const auto& each : here->threads) {
    result.end = std::max(result.end, each->is_asleep ? each->since : each->clock);
    if (!each->is_worker) continue;
    if (!each->is_finished && !each->is_asleep) each->count_time();
    for (std::size_t i = 0; i < activities; ++i) result.time[i] += each->time[i];
  }
  return result;
}

counts run(const machine_description& machine, std::uint64_t seed,
           const std::function<void()>& program) {
  if (here != nullptr) throw std::logic_error{"simulate: one at a time"};
  if (machine.cpus() == 0 || machine.cores() > most_cores - 16) {
    throw std::invalid_argument{"simulate: a machine has 1 to 304 cores"};
  }
  world whole{machine, seed};
  here = &whole;
  static_cast<void>(start_thread([&program] { program(); }));
  here->self = &here->ready.pop();
  switch_stacks(here->outside, here->self->stack);
  const counts result = so_far();
  here = nullptr;
  if (!whole.failure.empty()) throw std::runtime_error{"simulate: " + whole.failure};
  return result;
}

}  // namespace hotseat::platform::simulated
