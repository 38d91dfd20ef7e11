// hotseat/sched/alarm_set.cpp — setting, withdrawing and ringing alarms.
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/alarm_set.hpp>

#include <mutex>

namespace hotseat::detail {

alarm_set::addition alarm_set::add(alarm& a) noexcept {
  const std::lock_guard guard{lock_};
  if (is_closed_) return addition::refused;
  heap_.add(a);
  if (heap_.earliest() != &a) return addition::later;
  next_.store(a.due.time_since_epoch().count(), std::memory_order_relaxed);
  return addition::first;
}

// Under lock_.
void alarm_set::remove(alarm& a) noexcept {
  heap_.remove(a);
  const alarm* const next = heap_.earliest();
  next_.store((next != nullptr ? next->due : never).time_since_epoch().count(),
              std::memory_order_relaxed);
}

void alarm_set::withdraw(alarm& a) noexcept {
  for (;;) {
    {
      const std::lock_guard guard{lock_};
      if (a.back != nullptr) return remove(a);  // T1: it will not ring.
      if (ringing_ != &a || ringer_ == &detail::current()) return;
    }
    platform::yield_core();
  }
}

// Under lock_.
void alarm_set::begin_ringing(alarm& a) noexcept {
  remove(a);
  ringing_ = &a;
  ringer_ = &detail::current();
}

void alarm_set::ring(alarm& a) noexcept {
  a.ring(a);
  // `a` may be gone.
  const std::lock_guard guard{lock_};
  ringing_ = nullptr;
}

alarm_set::time_point alarm_set::ring_due() noexcept {
  for (;;) {
    alarm* a = nullptr;
    {
      const std::lock_guard guard{lock_};
      a = heap_.earliest();
      if (a == nullptr) return never;
      // T2: a thread that rings looks again afterwards.
      if (ringing_ != nullptr || a->due > platform::now()) return a->due;
      begin_ringing(*a);
    }
    ring(*a);
  }
}

alarm_set::time_point alarm_set::next_due() noexcept {
  const std::lock_guard guard{lock_};
  return glance();
}

void alarm_set::close() noexcept {
  const std::lock_guard guard{lock_};
  is_closed_ = true;
}

bool alarm_set::is_closed() noexcept {
  const std::lock_guard guard{lock_};
  return is_closed_;
}

void alarm_set::ring_all_early() noexcept {
  for (;;) {
    alarm* a = nullptr;
    {
      const std::lock_guard guard{lock_};
      if (ringing_ == nullptr) {
        a = heap_.earliest();
        if (a == nullptr) return;
        begin_ringing(*a);
        a->is_early = true;
      }
    }
    if (a != nullptr) {
      ring(*a);
    } else {
      platform::yield_core();
    }
  }
}

}  // namespace hotseat::detail
