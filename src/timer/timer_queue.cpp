// hotseat/timer/timer_queue.cpp — the timer's thread.
#include <hotseat/platform/clock.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/timer/timer_queue.hpp>

#include <mutex>

namespace hotseat::detail {

bool timer_queue::add(timer& t) {
  bool is_earliest = false;
  {
    const std::lock_guard guard{lock_};
    if (is_closed_ || t.state != timer::phase::idle) return false;
    if (!is_started_) {
      thread_ = platform::thread{[this] { run(); }};
      is_started_ = true;
    }
    t.state = timer::phase::sleeping;
    heap_.add(t);
    is_earliest = heap_.earliest() == &t;
  }
  // `t` may be gone.
  if (is_earliest) bed_.unpark();
  return true;
}

void timer_queue::cancel(timer& t) noexcept {
  {
    const std::lock_guard guard{lock_};
    if (t.state == timer::phase::idle) t.state = timer::phase::cancelled;
    if (t.state != timer::phase::sleeping) return;
    heap_.remove(t);
    t.state = timer::phase::cancelled;
  }
  dispatch_task(t.sleeper);  // T1
}

void timer_queue::close() noexcept {
  bool was_started = false;
  for (;;) {
    timer* t = nullptr;
    {
      const std::lock_guard guard{lock_};
      is_closed_ = true;
      was_started = is_started_;
      is_started_ = false;
      t = heap_.earliest();
      if (t != nullptr) {
        heap_.remove(*t);
        t->state = timer::phase::cancelled;
      }
    }
    if (was_started) {
      bed_.unpark();
      thread_.join();
    }
    if (t == nullptr) return;
    dispatch_task(t->sleeper);  // T1
  }
}

timer* timer_queue::take_due(platform::clock::time_point now) noexcept {
  timer* const t = heap_.earliest();
  if (t == nullptr || t->due > now) return nullptr;
  heap_.remove(*t);
  t->state = timer::phase::rung;
  return t;
}

void timer_queue::run() noexcept {
  platform::name_this_thread("hotseat-timer");
  for (;;) {
    timer* due = nullptr;
    bool is_empty = true;
    platform::clock::time_point next;
    {
      const std::lock_guard guard{lock_};
      if (is_closed_) return;
      due = take_due(platform::now());
      if (const timer* const t = heap_.earliest()) {
        is_empty = false;
        next = t->due;
      }
    }
    if (due != nullptr) {
      dispatch_task(due->sleeper);  // T1
    } else if (is_empty) {
      bed_.park();
    } else {
      bed_.park_until(next);
    }
  }
}

}  // namespace hotseat::detail
