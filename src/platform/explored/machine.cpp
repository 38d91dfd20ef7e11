// hotseat/platform/explored/machine.cpp — which thread runs next.
#include <hotseat/platform/explored/machine.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "context.hpp"
#include "machine_state.hpp"

namespace hotseat::platform::explored {

namespace {

constexpr std::int64_t step_time = 1000;
/// A thread that runs this long while others could is assumed to wait for them.
constexpr std::uint32_t longest_turn = 2000;

thread_set bit(const thread_record& thread) noexcept { return thread_set{1} << thread.id; }

thread_record& at(unsigned id) noexcept { return here.all[id]; }

thread_set candidates() noexcept {
  if ((here.ready & ~here.yielding) == 0) here.yielding = 0;
  return here.ready & ~here.yielding;
}

void make_ready(thread_record& thread, bool was_woken) noexcept {
  here.ready |= bit(thread);
  here.timed &= ~bit(thread);
  here.yielding = 0;
  thread.bed = nullptr;
  thread.was_woken = was_woken;
}

thread_record& earliest_sleeper() noexcept {
  thread_record* earliest = nullptr;
  for (thread_set left = here.timed; left != 0; left &= left - 1) {
    thread_record& each = at(static_cast<unsigned>(std::countr_zero(left)));
    if (earliest == nullptr || each.deadline < earliest->deadline) earliest = &each;
  }
  return *earliest;
}

void pass_deadline() noexcept {
  thread_record& sleeper = earliest_sleeper();
  here.now = std::max(here.now, sleeper.deadline);
  make_ready(sleeper, false);
}

void go_to(thread_record& next) noexcept {
  thread_record& self = *running;
  if (&next == &self) return;
  here.turn = 0;
  running = &next;
  switch_context(self, next);
}

/// Goes on with a thread that may run.  Returns when the caller runs again.
void reschedule() noexcept {
  while (here.ready == 0) {
    if (here.timed == 0) {
      std::string who;
      for (unsigned i = 0; i < here.threads; ++i) {
        if (!at(i).is_finished) who += std::string{" "} + at(i).name.data();
      }
      fail(failure_kind::deadlock, "all threads sleep, and nobody will wake them:" + who);
    }
    pass_deadline();
  }
  const thread_set may = candidates();
  unsigned next = static_cast<unsigned>(std::countr_zero(may));
  if (!std::has_single_bit(may)) next = here.decisions->pick_thread(may, running->id);
  go_to(at(next));
}

void count_step() noexcept {
  here.now += step_time;
  if (++here.steps > here.options->most_steps) {
    fail(failure_kind::livelock,
         "more than " + std::to_string(here.options->most_steps) + " steps");
  }
}

[[noreturn]] void leave_for_good() noexcept {
  thread_record& self = *running;
  running = nullptr;
  switch_context(self, here.outside);
  std::abort();
}

void thread_main() noexcept {
  thread_record& self = *running;
  try {
    self.body();
    self.body = nullptr;
  } catch (const std::exception& error) {
    fail(failure_kind::exception,
         std::string{"an exception left a thread: "} + error.what());
  } catch (...) {
    fail(failure_kind::exception, "an exception left a thread");
  }
  if (self.last_words != nullptr) self.last_words();
  step();
  note(verb::end_thread, nullptr, 0, std::memory_order_relaxed, place::current());
  self.is_finished = true;
  here.ready &= ~bit(self);
  wake(&self, most_threads);
  const auto is_finished = [](const thread_record& each) { return each.is_finished; };
  if (std::all_of(here.all.begin(), here.all.begin() + here.threads, is_finished)) {
    leave_for_good();
  }
  reschedule();
  std::abort();  // A thread that has ended is never resumed.
}

vector_clock everything() noexcept {
  vector_clock all;
  for (unsigned i = 0; i < here.threads; ++i) all[i] = at(i).happened[i];
  return all;
}

using thread_names = std::array<decltype(thread_record::name), most_threads>;

/// Made once: threads are started a hundred million times.
const thread_names& first_names() noexcept {
  static const thread_names names = [] {
    thread_names made{};
    for (unsigned i = 0; i < most_threads; ++i) {
      std::snprintf(made[i].data(), made[i].size(), i == 0 ? "main" : "thread-%u", i);
    }
    return made;
  }();
  return names;
}

}  // namespace

machine here;

thread_record& new_thread(std::function<void()> body) {
  if (here.threads == most_threads) {
    fail(failure_kind::violation, "an execution has at most 16 threads");
  }
  thread_record& fresh = here.all[here.threads];
  fresh = thread_record{};
  fresh.id = here.threads++;
  clock_width = (fresh.id / vector_clock::stride + 1) * vector_clock::stride;
  fresh.body = std::move(body);
  fresh.name = first_names()[fresh.id];
  prepare_context(fresh, &thread_main);
  here.ready |= bit(fresh);
  here.decisions->on_start(fresh.id);
  return fresh;
}

const char* thread_name(unsigned thread) noexcept { return at(thread).name.data(); }

void step() noexcept {
  if (running == nullptr) return;
  count_step();
  if (here.timed != 0 && here.decisions->pick(choice::time_out, 2) != 0) {
    note(verb::time_out, nullptr, earliest_sleeper().id, std::memory_order_relaxed,
         place::current());
    pass_deadline();
  }
  const thread_set may = candidates();
  if (may == bit(*running)) return;
  if (++here.turn > longest_turn) return yield();
  go_to(at(here.decisions->pick_thread(may, running->id)));
}

void yield() noexcept {
  if (running == nullptr) return;
  thread_record& self = *running;
  count_step();
  if (here.turn <= longest_turn && candidates() != bit(self) &&
      here.decisions->pick(choice::spin_on, 2) != 0) {
    ++here.turn;
    return;
  }
  if (here.timed != 0 && here.ready == bit(self)) {
    // It waits for another thread, and all others wait for time to pass.
    if (here.now >= earliest_sleeper().deadline) pass_deadline();
  }
  here.turn = 0;
  here.yielding |= bit(self);
  here.decisions->on_yield(self.id);
  reschedule();
  here.yielding &= ~bit(self);
  self.visible.join(everything());
}

void notice_change() noexcept { here.yielding = 0; }

unsigned choose(choice what, unsigned options) noexcept {
  return here.decisions->pick(what, options);
}

bool sleep_on(const void* bed, const std::int64_t* deadline) noexcept {
  thread_record& self = *running;
  if (deadline != nullptr && *deadline <= here.now) return false;
  self.bed = bed;
  here.ready &= ~bit(self);
  if (deadline != nullptr) {
    self.deadline = *deadline;
    here.timed |= bit(self);
  }
  reschedule();
  return self.was_woken;
}

void wake(const void* bed, unsigned most) noexcept {
  for (unsigned i = 0; i < here.threads && most > 0; ++i) {
    if (at(i).bed != bed || at(i).is_finished) continue;
    make_ready(at(i), true);
    --most;
  }
}

thread_record& start_thread(std::function<void()> body) {
  if (running == nullptr) {
    fail(failure_kind::violation, "threads can be started only inside explore()");
  }
  step();
  if (here.on_thread_start) here.on_thread_start();
  thread_record& fresh = new_thread(std::move(body));
  fresh.learn(running->publish());
  fresh.tick();
  note(verb::start_thread, nullptr, fresh.id, std::memory_order_release, place::current());
  return fresh;
}

void on_thread_start(std::function<void()> call) { here.on_thread_start = std::move(call); }

void join_thread(thread_record& other) noexcept {
  step();
  while (!other.is_finished) sleep_on(&other, nullptr);
  running->learn({other.happened, other.fenced});
  note(verb::join_thread, nullptr, other.id, std::memory_order_acquire, place::current());
}

std::int64_t time() noexcept { return here.now; }

bool has_membarrier() noexcept {
  return here.options == nullptr || here.options->has_membarrier;
}
bool shows_stale_values() noexcept { return here.options->shows_stale_values; }

void note(verb what, const void* object, std::uint64_t value, std::memory_order order,
          const place& where, bool is_stale) noexcept {
  if (running == nullptr || here.options->trace == nullptr) return;
  here.options->trace->push_back(
      {running->id, what, order, is_stale, object, value, where});
}

void fail(failure_kind kind, const std::string& what) noexcept {
  if (running == nullptr) {
    std::fprintf(stderr, "hotseat: explorer: %s\n", what.c_str());
    std::abort();
  }
  here.failed = {kind, what};
  leave_for_good();
}

}  // namespace hotseat::platform::explored
