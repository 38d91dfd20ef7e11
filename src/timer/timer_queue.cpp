// hotseat/timer/timer_queue.cpp — the timer's thread.
#include <hotseat/platform/clock.hpp>
#include <hotseat/platform/relax.hpp>
#include <hotseat/timer/timer_queue.hpp>

#include <mutex>

namespace hotseat::detail {

void timer_queue::start() {
  const std::lock_guard guard{lock_};
  if (is_started_ || is_closed_) return;
  thread_ = platform::thread{[this] { run(); }};
  is_started_ = true;
}

bool timer_queue::set(alarm& a) noexcept {
  bool is_earliest = false;
  {
    const std::lock_guard guard{lock_};
    if (is_closed_) return false;
    heap_.add(a);
    is_earliest = heap_.earliest() == &a;
  }
  // `a` may be gone.
  if (is_earliest) bed_.unpark();
  return true;
}

void timer_queue::withdraw(alarm& a) noexcept {
  for (;;) {
    {
      const std::lock_guard guard{lock_};
      if (a.back != nullptr) return heap_.remove(a);  // T1: it will not ring.
      if (ringing_ != &a || ringer_ == &this_thread()) return;
    }
    platform::yield_core();
  }
}

void timer_queue::ring(alarm& a) noexcept {
  a.ring(a);
  // `a` may be gone.
  const std::lock_guard guard{lock_};
  ringing_ = nullptr;
}

void timer_queue::close() noexcept {
  bool was_started = false;
  {
    const std::lock_guard guard{lock_};
    is_closed_ = true;
    was_started = is_started_;
    is_started_ = false;
  }
  if (was_started) {
    bed_.unpark();
    thread_.join();
  }
  for (;;) {
    alarm* a = nullptr;
    {
      const std::lock_guard guard{lock_};
      a = heap_.earliest();
      if (a == nullptr) return;
      heap_.remove(*a);
      a->is_early = true;
      ringing_ = a;
      ringer_ = &this_thread();
    }
    ring(*a);
  }
}

void timer_queue::run() noexcept {
  platform::name_this_thread("hotseat-timer");
  for (;;) {
    alarm* due = nullptr;
    bool is_empty = true;
    platform::clock::time_point next;
    {
      const std::lock_guard guard{lock_};
      if (is_closed_) return;
      if (alarm* const a = heap_.earliest()) {
        is_empty = false;
        next = a->due;
        if (next <= platform::now()) {
          due = a;
          heap_.remove(*a);
          ringing_ = a;
          ringer_ = &this_thread();
        }
      }
    }
    if (due != nullptr) {
      ring(*due);
    } else if (is_empty) {
      bed_.park();
    } else {
      bed_.park_until(next);
    }
  }
}

}  // namespace hotseat::detail
