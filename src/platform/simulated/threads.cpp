// hotseat/platform/simulated/threads.cpp — how virtual threads start, sleep and end.
#include <hotseat/platform/simulated/machine.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>

#include "world.hpp"

namespace hotseat::platform::simulated {

namespace {

constexpr std::size_t stack_bytes = std::size_t{1} << 20U;
constexpr std::size_t most_threads = 8192;
constexpr duration thread_start = 10'000'000;

std::byte* stack_of(unsigned id) {
  // Kept for all simulations of the process: equal addresses make equal runs.
  static std::array<std::byte*, most_threads> stacks{};
  if (id >= most_threads) throw std::runtime_error{"simulate: more than 8192 threads"};
  if (stacks[id] == nullptr) stacks[id] = allocate_stack(stack_bytes);
  return stacks[id];
}

void thread_main() noexcept {
  virtual_thread& self = *here->self;
  try {
    self.body();
    self.body = nullptr;
  } catch (const std::exception& error) {
    fail(std::string{"an exception left a thread: "} + error.what());
  } catch (...) {
    fail("an exception left a thread");
  }
  if (self.last_words != nullptr) self.last_words();
  catch_up();
  self.count_time();
  self.is_finished = true;
  --here->core_load[self.core];
  wake(&self, std::numeric_limits<unsigned>::max());
  if (--here->alive == 0) leave_for_good();
  go_on();
  std::abort();  // A thread that has ended is never resumed.
}

}  // namespace

thread_id start_thread(std::function<void()> body) {
  if (here == nullptr) throw std::logic_error{"simulate: threads exist only inside it"};
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
  const virtual_thread& thread = *here->threads[other];
  while (!thread.is_finished) {
    catch_up();
    if (!thread.is_finished) sleep_on(&thread, nullptr);
  }
}

void sleep_on(const void* bed, const duration* deadline) noexcept {
  if (!is_running()) {
    if (deadline == nullptr) fail("a thread sleeps outside a simulation");
    return;
  }
  virtual_thread& self = *here->self;
  finish_stores();
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
  finish_stores();
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
    // It may still be falling asleep.
    each->clock = std::max(each->since, here->self->clock + picoseconds(latency));
    here->ready.push(*each);
    has_woken = true;
    --most;
  }
  if (has_woken) spend(picoseconds(here->machine.wake));
}

void settle_on(unsigned cpu) noexcept {
  if (!is_running() || cpu >= here->machine.cpus()) return;
  const machine_description& m = here->machine;
  virtual_thread& self = *here->self;
  // CPUs of a cache: first one hyperthread of each core, then the second ones.
  const unsigned per_cache = m.cores_per_cache * m.threads_per_core;
  --here->core_load[self.core];
  self.core = cpu / per_cache * m.cores_per_cache + cpu % m.cores_per_cache;
  ++here->core_load[self.core];
  self.is_worker = true;
  self.count_time();
  self.time = {};
}

void name_thread(const char* name) noexcept {
  if (is_running()) here->self->name = name;
}

void*& local(std::size_t kind) noexcept { return here->self->locals[kind]; }

void* allocate_local(std::size_t bytes) {
  auto& all = here->self->memory_of_locals;
  return all.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
}

std::uintptr_t stack_floor() noexcept {
  return is_running() ? here->self->stack_floor : UINTPTR_MAX;
}

void set_last_words(void (*last_words)() noexcept) noexcept {
  if (is_running()) here->self->last_words = last_words;
}

}  // namespace hotseat::platform::simulated
