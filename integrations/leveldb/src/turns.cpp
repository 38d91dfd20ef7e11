// hotseat/rebound/turns.cpp — counting the sections of a turn, for each worker.
#include <hotseat/fiber/await.hpp>
#include <hotseat/rebound/turns.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sched/worker_scope.hpp>

namespace hotseat::rebound {
namespace {

constinit thread_local std::uint32_t sections_of_this_worker = 0;

// Not inlined: it asks the thread, and the fiber may return from suspension on another one.
// It does not end a turn when the line is empty: that would wake an idle worker, which
// takes the fiber away from its cache.
[[gnu::noinline]] bool is_turn_over() noexcept {
  std::uint32_t& sections = sections_of_this_worker;
  if (++sections < sections_in_a_turn || detail::current().locks_held != 0) return false;
  sections = 0;
  const worker_scope* const here = worker_scope::current();
  return here != nullptr && here->has_ready();
}

}  // namespace

void take_turns() noexcept {
  if (is_turn_over()) [[unlikely]]
    await(reschedule());
}

}  // namespace hotseat::rebound
