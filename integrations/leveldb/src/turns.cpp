// hotseat/rebound/turns.cpp — counting the sections of a turn, for each worker.
#include <hotseat/fiber/await.hpp>
#include <hotseat/rebound/turns.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sched/this_thread.hpp>

#include <algorithm>

namespace hotseat::rebound {
namespace {

struct turn {
  std::uint32_t sections = 0;
  std::uint32_t length = sections_in_a_turn;
};
constinit thread_local turn of_this_worker;

// Not inlined: they ask the thread, and the fiber is on another one when it comes back.

[[gnu::noinline]] bool is_turn_over() noexcept {
  turn& mine = of_this_worker;
  if (++mine.sections < mine.length || this_thread().locks_held != 0) return false;
  mine.sections = 0;
  return executor::current() != nullptr;
}

// To go to the back of the line may wake a worker, for nothing if the line was empty.
[[gnu::noinline]] void begin_turn() noexcept {
  turn& mine = of_this_worker;
  const bool was_alone = mine.sections == 0;
  mine.length = was_alone ? std::min(2 * mine.length, longest_turn) : sections_in_a_turn;
}

}  // namespace

void take_turns() noexcept {
  if (!is_turn_over()) [[likely]]
    return;
  await(reschedule());
  begin_turn();
}

}  // namespace hotseat::rebound
