// hotseat/runtime/thread_pool.cpp — the public face of the pool.
#include <hotseat/runtime/detail/pool_core.hpp>
#include <hotseat/runtime/thread_pool.hpp>

namespace hotseat {

namespace {

detail::worker* worker_of(const detail::pool_core& core) noexcept {
  detail::worker* const here = detail::worker::current();
  return here != nullptr && &here->pool() == &core ? here : nullptr;
}

}  // namespace

thread_pool::thread_pool(const options& wanted)
    : core_{std::make_unique<detail::pool_core>(*this, wanted)} {}

thread_pool::~thread_pool() = default;

void thread_pool::schedule(waiter& ready) noexcept {
  if (detail::worker* const here = worker_of(*core_)) return here->schedule(ready);
  core_->inject(ready);
}

void thread_pool::schedule_all(waiter_queue& ready) noexcept {
  if (detail::worker* const here = worker_of(*core_)) return here->schedule_all(ready);
  while (!ready.empty()) core_->inject(ready.pop_front());
}

void thread_pool::schedule_last(waiter& ready) noexcept {
  // A LIFO queue has no back; the injector's line has.
  detail::worker* const here =
      core_->options().order == queue_order::fifo ? worker_of(*core_) : nullptr;
  if (here != nullptr) return here->schedule_last(ready);
  core_->inject(ready);
}

bool thread_pool::has_ready() const noexcept {
  const detail::worker* const here = worker_of(*core_);
  return here != nullptr ? here->has_ready() : core_->shows_work();
}

alarm_clock* thread_pool::timers() noexcept { return &core_->timers(); }

void thread_pool::fork(waiter& child) noexcept { fork_all({&child, 1}); }

void thread_pool::fork_all(std::span<waiter> children) noexcept {
  if (detail::worker* const here = worker_of(*core_)) return here->fork(children);
  for (waiter& child : children) core_->inject(child);
}

bool thread_pool::send_elsewhere(waiter& heir) noexcept {
  detail::worker* const here = worker_of(*core_);
  return here != nullptr && here->cut_chain(heir);
}

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
  const detail::worker* const here = worker_of(*core_);
  if (here == nullptr) return std::nullopt;
  return here->index();
}

}  // namespace hotseat
