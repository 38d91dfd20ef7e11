// hotseat/task/detail/forked.hpp — starting several children of one waiting task.
// Layer: task/detail.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/task/detail/join_counter.hpp>
#include <hotseat/task/task.hpp>

#include <coroutine>
#include <cstddef>
#include <stop_token>

namespace hotseat::detail {

template <class T>
std::coroutine_handle<> prepare(task<T>& child, join_counter& join,
                                const std::stop_token* token) noexcept {
  const auto coroutine = task_access::coroutine(child);
  coroutine.promise().set_join(join);
  coroutine.promise().set_stop_token(token);
  return coroutine;
}

/// Offers all children but the first to the other workers and continues with the first.
/// Without an executor they run one after the other, the first one last.
/// Once the last child is on its way, what holds `places` may be gone.
template <class Handles, class Places>
[[nodiscard]] std::coroutine_handle<> fork_all(Handles& children, Places& places) noexcept {
  const std::coroutine_handle<> first = children[0];
  executor* const here = executor::current();
  for (std::size_t i = children.size(); i-- > 1;) {
    if (here == nullptr) {
      children[i].resume();
    } else {
      places[i].task = children[i];
      places[i].home = here;
      here->fork(places[i]);
    }
  }
  return transfer_to(first);
}

}  // namespace hotseat::detail
