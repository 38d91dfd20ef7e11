// hotseat/platform/simulated/run.cpp — one simulation from its start to its end.
#include <hotseat/platform/simulated/machine.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <initializer_list>
#include <stdexcept>

#include "heap.hpp"
#include "world.hpp"

namespace hotseat::platform::simulated {

namespace {

void require_possible(const machine_description& m) {
  if (m.cpus() == 0 || m.cores() > most_cores - 16) {
    throw std::invalid_argument{"simulate: a machine has 1 to 304 cores"};
  }
  for (const double price :
       {m.hit, m.update, m.from_cache, m.from_node, m.from_remote, m.from_memory,
        m.arbitration, m.instructions, m.task_switch, m.read_clock, m.spin_hint,
        m.fall_asleep, m.wake, m.wake_latency, m.heavy_fence, m.heavy_fence_each}) {
    if (std::isnan(price) || price < 0 || price > 1e9) {
      throw std::invalid_argument{"simulate: a price is 0 to 1e9 nanoseconds"};
    }
  }
  if (m.instructions == 0 || m.spin_hint == 0) {
    throw std::invalid_argument{"simulate: instructions and spin_hint must take time"};
  }
  if (std::isnan(m.sibling_slowdown) || m.sibling_slowdown < 1 ||
      m.sibling_slowdown > 1000) {
    throw std::invalid_argument{"simulate: siblings do not make each other faster"};
  }
}

}  // namespace

counts so_far() {
  counts result;
  if (here == nullptr) return result;
  result.transfers = here->lines.transfers;
  result.waited = here->lines.waited;
  result.events = here->events;
  result.accesses = here->accesses;
  for (const auto& each : here->threads) {
    result.end = std::max(result.end, each->is_asleep ? each->since : each->clock);
    if (!each->is_worker) continue;
    if (!each->is_finished && !each->is_asleep) each->count_time();
    time_by_activity& time_of = result.worker_time.emplace_back(each->time);
    if (each->is_asleep) {
      time_of[static_cast<std::size_t>(activity::asleep)] +=
          std::max<duration>(0, time() - each->since);
    }
  }
  return result;
}

counts run(const machine_description& machine, std::uint64_t seed,
           const std::function<void()>& program) {
  if (here != nullptr) throw std::logic_error{"simulate: one at a time"};
  require_possible(machine);
  world whole{machine, seed};
  std::exception_ptr thrown;
  here = &whole;
  begin_heap();
  static_cast<void>(start_thread([&] {
    try {
      program();
    } catch (...) {
      thrown = std::current_exception();
    }
  }));
  here->self = &here->ready.pop();
  switch_stacks(here->outside, here->self->stack);
  const counts result = so_far();
  here = nullptr;
  if (!whole.failure.empty()) throw std::runtime_error{"simulate: " + whole.failure};
  if (thrown != nullptr) std::rethrow_exception(thrown);
  return result;
}

}  // namespace hotseat::platform::simulated
