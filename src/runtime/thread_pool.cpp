// hotseat/runtime/thread_pool.cpp — the public face of the pool.
#include <hotseat/runtime/detail/pool_core.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/current.hpp>

namespace hotseat {

namespace {

/// The calling worker if it belongs to this pool, else null.
detail::worker* worker_of(const executor& pool) noexcept {
  const detail::thread_state& here = detail::current();
  return here.here == &pool ? static_cast<detail::worker*>(here.worker) : nullptr;
}

}  // namespace

thread_pool::thread_pool(const options& wanted)
    : core_{std::make_unique<detail::pool_core>(*this, wanted)} {}

thread_pool::~thread_pool() = default;

void thread_pool::schedule(waiter& ready) noexcept {
  if (detail::worker* const here = worker_of(*this)) return here->schedule(ready);
  core_->inject(ready);
}

void thread_pool::schedule_all(waiter_queue& ready) noexcept {
  if (detail::worker* const here = worker_of(*this)) return here->schedule_all(ready);
  core_->inject_all(ready);
}

alarm_clock* thread_pool::timers() noexcept { return &core_->timers(); }

unsigned thread_pool::size() const noexcept { return core_->size(); }

pool_stats thread_pool::stats() const {
  pool_stats result;
  result.workers.reserve(core_->size());
  for (unsigned i = 0; i < core_->size(); ++i) {
    result.workers.push_back(core_->at(i).stats());
  }
  return result;
}

const topology& thread_pool::machine() const noexcept { return core_->machine(); }

std::optional<unsigned> thread_pool::current_worker() const noexcept {
  const detail::worker* const here = worker_of(*this);
  if (here == nullptr) return std::nullopt;
  return here->index();
}

}  // namespace hotseat
