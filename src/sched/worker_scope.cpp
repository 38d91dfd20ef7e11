// hotseat/sched/worker_scope.cpp — entering and leaving an executor, and default behavior.
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sched/worker_scope.hpp>

#include <utility>

namespace hotseat {

namespace {

/// Asked for once per thread: for the main thread, the C library reads a file.
std::uintptr_t stack_floor() noexcept {
  struct floor {
    std::uintptr_t address = 0;
  };
  auto& known = platform::per_thread<floor>();
  if (known.address == 0) known.address = platform::stack_floor();
  return known.address;
}

}  // namespace

worker_scope::worker_scope(executor& where, std::uint32_t chain_limit) noexcept
    : where_{where}, former_{detail::current()} {
  detail::thread_state state;
  state.here = &where;
  state.worker = this;
  state.chain_limit = state.chain_end = chain_limit;
  state.stack_floor = stack_floor();
  detail::current() = state;
}

worker_scope::~worker_scope() { detail::current() = former_; }

void worker_scope::run(std::coroutine_handle<> task) {
  detail::thread_state& here = detail::current();
  here.locks_held = 0;
  here.chain = 0;
  here.chain_end = here.chain_limit;
  run_until_idle(task);
}

void worker_scope::run_continued() {
  if (const auto task = std::exchange(detail::current().run_next, nullptr)) run(task);
}

void worker_scope::schedule_left(waiter& self, bool) noexcept { where_.schedule(self); }

bool worker_scope::send_elsewhere(waiter& heir) noexcept {
  where_.schedule(heir);
  return true;
}

void worker_scope::schedule_last(waiter& ready) noexcept { where_.schedule(ready); }

void worker_scope::fork_all(std::span<waiter> children) noexcept {
  for (std::size_t i = children.size(); i-- > 0;) where_.schedule(children[i]);
}

}  // namespace hotseat
