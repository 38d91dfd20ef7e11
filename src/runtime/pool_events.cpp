// hotseat/runtime/pool_events.cpp — polling, waiting, the time, and the watch.
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/pool_events.hpp>
#include <hotseat/sched/current.hpp>

#include <mutex>
#include <utility>

namespace hotseat::detail {

pool_events::pool_events(event_source& source, sleepers& workers, const executor& pool)
    : source_{source},
      workers_{workers},
      pool_{pool},
      parts_{std::make_unique<part[]>(workers.workers())} {
  source.open(workers.workers());
}

void pool_events::start_watch() {
  watch_ = platform::thread{[this] { watch(); }};
}

void pool_events::stop() noexcept {
  if (!watch_.joinable()) return;
  is_over_.store(true, std::memory_order_relaxed);
  parker_.unpark();
  watch_.join();
}

void pool_events::poll(unsigned worker) noexcept {
  part& mine = parts_[worker];
  mine.looks.store(mine.looks.load(std::memory_order_relaxed) + 1,
                   std::memory_order_relaxed);
  if (mine.in_use.try_lock()) {  // Else the watch is about it.
    source_.poll(worker);
    mine.in_use.unlock();
  }
  static_cast<void>(ring_if_due());
}

void pool_events::wait(unsigned worker) noexcept {
  wait_until(worker, keep_time(worker));
  leave_time(worker);
}

void pool_events::wait_until(unsigned worker, time_point end) noexcept {
  {
    const std::lock_guard guard{parts_[worker].in_use};
    source_.wait(worker, end);
  }
  // The keeper does not wait for an alarm that is due, so it would come back at once.
  if (!ring_if_due()) platform::yield_core();
}

void pool_events::note_awake() noexcept {
  if (platform::load_after_stores(asleep_) != 0) [[unlikely]]
    parker_.unpark();
}

// E2: under one lock, a worker that waits without a time sees that the keeper's is early
// enough, and a keeper that has left sees the alarms of all that waited since.
pool_events::time_point pool_events::keep_time(unsigned worker) noexcept {
  const std::lock_guard guard{keeper_lock_};
  const time_point next = alarms_.next_due();
  if (kept_until_ <= next) return alarm_set::never;
  keeper_ = worker;
  return kept_until_ = next;
}

void pool_events::leave_time(unsigned worker) noexcept {
  const std::lock_guard guard{keeper_lock_};
  if (keeper_ == worker) kept_until_ = alarm_set::never;
}

// Returns false if another thread is ringing what is due.
bool pool_events::ring_if_due() noexcept {
  if (alarms_.glance() == alarm_set::never) return true;
  const time_point now = platform::now();
  return alarms_.glance() > now || alarms_.ring_due() > now;
}

bool pool_events::set(alarm& a) noexcept {
  const alarm_set::addition place = alarms_.add(a);
  // `a` may be gone.
  if (place == alarm_set::addition::refused) return false;
  // Only an awake worker reads the next alarm before it waits (E2).
  if (place == alarm_set::addition::first && executor::current() != &pool_) {
    workers_.wake_one(0);
  }
  return true;
}

void pool_events::close() noexcept {
  alarms_.close();
  alarms_.ring_all_early();
}

void pool_events::watch() noexcept {
  platform::name_this_thread("hotseat-watch");
  unsigned quiet = 0;  // looks at sleeping workers only
  while (!is_over_.load(std::memory_order_relaxed)) {
    parker_.park_until(platform::now() + costs::watch_interval);
    quiet = do_all_sleep() ? quiet + 1 : 0;
    if (quiet == costs::quiet_looks) {
      sleep_until_needed();
      quiet = 0;
    }
    look_after_others();
  }
}

bool pool_events::do_all_sleep() const noexcept {
  return workers_.glance().asleep == workers_.workers();
}

void pool_events::sleep_until_needed() noexcept {
  asleep_.exchange(1, std::memory_order_acquire);  // D
  platform::heavy_fence();
  while (do_all_sleep() && !is_over_.load(std::memory_order_relaxed)) parker_.park();
  asleep_.store(0, std::memory_order_relaxed);
}

// A worker that waits holds its own lock.
void pool_events::look_after_others() noexcept {
  for (unsigned i = 0; i < workers_.workers(); ++i) {
    part& each = parts_[i];
    const std::uint32_t looks = each.looks.load(std::memory_order_relaxed);
    const bool has_looked = std::exchange(each.seen, looks) != looks;
    if (has_looked || !each.in_use.try_lock()) continue;
    source_.poll(i);
    source_.interrupt(i);  // E4
    each.in_use.unlock();
  }
  static_cast<void>(ring_if_due());
}

}  // namespace hotseat::detail
