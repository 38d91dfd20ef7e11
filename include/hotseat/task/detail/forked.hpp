// hotseat/task/detail/forked.hpp — starts several children of one waiting task.
// Layer: task/detail.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <hotseat/task/detail/join_counter.hpp>
#include <hotseat/task/task.hpp>

#include <coroutine>
#include <span>
#include <stop_token>

namespace hotseat::detail {

/// Makes `child` arrive at `join`, and writes it into its place.
template <class T>
void prepare(waiter& place, task<T>& child, join_counter& join,
             const std::stop_token* token) noexcept {
  const auto coroutine = task_access::coroutine(child);
  require(!coroutine.done(), "task", &child,
          "it has run already and cannot be awaited again");
  coroutine.promise().set_join(join);
  coroutine.promise().set_stop_token(token);
  place.task = coroutine;
}

/// Offers all children but the first to the other workers and continues with the first.
/// Without an executor they run one after the other, in order.
/// REQUIRES: there is at least one; all are prepared.
[[nodiscard]] inline std::coroutine_handle<> fork_all(std::span<waiter> places) noexcept {
  const thread_state& here = current();
  // The child that we continue with has not started, so whatever holds the places is still
  // there.
  if (here.worker != nullptr) [[likely]] {
    for (waiter& place : places) place.home = here.here;
    here.worker->fork_all(places.subspan(1));
    return transfer_to(places.front().task);
  }
  for (waiter& place : places.first(places.size() - 1)) run_until_idle(place.task);
  return transfer_to(places.back().task);
}

}  // namespace hotseat::detail
