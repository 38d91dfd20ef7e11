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
      if (is_closed_ || stage_ == stage::running) return false;
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
      if (ringing_ != &a || ringer_ == &detail::current()) return;
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
  bool must_join = false;
  {
    const std::lock_guard guard{lock_};
    is_closed_ = true;
    if (stage_ == stage::running) {
      stage_ = stage::none;
      must_join = true;
    }
  }
  if (must_join) {
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
      ringer_ = &detail::current();
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
          ringer_ = &detail::current();
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

}  // namespace hotseat
