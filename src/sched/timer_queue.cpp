// hotseat/sched/timer_queue.cpp — the timer's thread.
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/timer_queue.hpp>

#include <mutex>
#include <utility>

namespace hotseat {

void timer_queue::start() {
  if (!claim_start()) return;
  platform::thread created;
  try {
    created = platform::thread{[this] { run(); }};
  } catch (...) {
    end_start(stage::none, {});
    throw;
  }
  end_start(stage::running, std::move(created));
}

// Returns whether the caller must create the thread (T3).
bool timer_queue::claim_start() noexcept {
  for (;;) {
    {
      const std::lock_guard guard{lock_};
      if (alarms_.is_closed() || stage_ == stage::running) return false;
      if (stage_ == stage::none) {
        stage_ = stage::starting;
        return true;
      }
    }
    platform::yield_core();
  }
}

void timer_queue::end_start(stage result, platform::thread created) noexcept {
  const std::lock_guard guard{lock_};
  thread_ = std::move(created);
  stage_ = result;
}

bool timer_queue::set(alarm& a) noexcept {
  const detail::alarm_set::addition place = alarms_.add(a);
  // `a` may be gone.
  if (place == detail::alarm_set::addition::first) parker_.unpark();
  return place != detail::alarm_set::addition::refused;
}

void timer_queue::withdraw(alarm& a) noexcept { alarms_.withdraw(a); }

void timer_queue::close() noexcept {
  alarms_.close();
  bool must_join = false;
  {
    const std::lock_guard guard{lock_};
    if (stage_ == stage::running) {
      stage_ = stage::none;
      must_join = true;
    }
  }
  if (must_join) {
    parker_.unpark();
    thread_.join();
  }
  alarms_.ring_all_early();
}

void timer_queue::run() noexcept {
  platform::name_this_thread("hotseat-timer");
  while (!alarms_.is_closed()) {
    const auto next = alarms_.ring_due();
    if (next == detail::alarm_set::never) {
      parker_.park();
    } else {
      parker_.park_until(next);
    }
  }
}

}  // namespace hotseat
