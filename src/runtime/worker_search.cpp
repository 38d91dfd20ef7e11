// hotseat/runtime/worker_search.cpp — what a worker without work does.
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/pool_core.hpp>
#include <hotseat/runtime/detail/worker.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/trace/trace.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace hotseat::detail {

worker::item worker::search() noexcept {
  if (const item task = take_events()) return task;
  const platform::searching_scope searching;
  thefts_.settle(platform::ticks(), tasks_run_.get());
  const bool is_tired = thefts_.rest() != 0;
  const eagerness mine = is_tired ? eagerness::low : eagerness::usual;
  bool is_searching = pool_.sleep().start_searching(index_, mine);
  if (is_searching && is_tired) rest();
  for (;;) {
    if (is_searching) {
      const std::uint64_t start = platform::ticks();
      unsigned pause = 1;
      do {
        if (const item task = search_round()) return task;
        for (unsigned i = 0; i < pause; ++i) platform::relax();
        pause = std::min(2 * pause, quota::longest_pause);
      } while (platform::ticks() - start < pool_.patience());
    }
    sleep_if_idle(is_searching, mine);
    is_searching = true;
    // The pool may be over while a worker still runs: none leaves while there is work.
    if (pool_.is_over() && !pool_.shows_work() && !has_arrived()) {
      static_cast<void>(pool_.sleep().stop_searching(index_));
      return nullptr;
    }
  }
}

void worker::sleep_if_idle(bool is_searching, eagerness mine) noexcept {
  const auto before_sleep = [this]() noexcept {
    parks_.add();
    pool_.notice_idle();
    trace::note(trace::kind::park_begins);
  };
  sleepers& sleep = pool_.sleep();
  pool_events* const events = pool_.events();
  bool has_slept = false;
  if (events == nullptr) {
    has_slept = sleep.sleep_if_idle(index_, is_searching, mine, pool_, before_sleep);
  } else {
    const auto wait = [this, events]() noexcept {
      quietly([&] { events->wait(index_); });
      return has_arrived();
    };
    has_slept = sleep.sleep_if_idle(index_, is_searching, mine, pool_, before_sleep, wait);
    if (has_slept) events->note_awake();
  }
  if (has_slept) trace::note(trace::kind::park_ends);
}

// What events make ready is published when the worker takes the first of it: one wake-up
// for all, and none from a worker that still counts as asleep.
template <class Call>
void worker::quietly(Call call) noexcept {
  is_quiet_ = true;
  call();
  is_quiet_ = is_alone_;
}

bool worker::has_arrived() const noexcept {
  return has_events_ && (ready_.has_items() || detail::current().run_next);
}

worker::item worker::take_events() noexcept {
  if (!has_events_) return nullptr;
  quietly([this] { pool_.events()->poll(index_); });
  polled_at_ = platform::ticks();
  return take_arrived();
}

worker::item worker::take_arrived() noexcept {
  if (!has_events_) return nullptr;
  if (const auto next = std::exchange(detail::current().run_next, nullptr)) {
    return next.address();
  }
  const item task = ready_.pop();
  if (task != nullptr) local_pops_.add();
  return task;
}

// Counts as searching meanwhile, so no other worker is woken for the same tiny tasks.
void worker::rest() noexcept {
  back_offs_.add();
  const std::uint64_t length = thefts_.rest();
  if (length > pool_.patience()) {
    const auto end = platform::now() + pool_core::to_duration(length);
    if (has_events_) {
      quietly([&] { pool_.events()->wait_until(index_, end); });
    } else {
      pool_.sleep().doze(index_, end);
    }
    return;
  }
  const std::uint64_t start = platform::ticks();
  while (platform::ticks() - start < length) platform::relax();
}

// On success the worker is busy again.
worker::item worker::search_round() noexcept {
  item found = take_arrived();
  if (found == nullptr) found = take_urgent();
  if (found == nullptr) found = take_injected(quota::batch);
  if (found != nullptr) {
    found_work();
    return found;
  }
  random_ += 0x9E37'79B9'7F4A'7C15U;
  victims_.for_each(random_, [&](unsigned other, distance how_far) {
    found = steal_from(pool_.at(other), how_far);
    return found != nullptr;
  });
  return found;
}

worker::item worker::steal_from(worker& victim, distance how_far) noexcept {
  const auto level = static_cast<std::size_t>(how_far);
  std::array<item, quota::batch> stolen;
  const std::uint64_t start = platform::ticks();
  // One fork of a tree is enough: the oldest is the largest.
  std::size_t count = victim.forks_.steal(std::span{stolen}.first(1));
  if (count == 0) {
    const std::size_t room = std::min<std::size_t>(ready_.room(), quota::batch - 1);
    count = victim.ready_.steal(std::span{stolen}.first(room + 1));
  }
  if (count == 0) return nullptr;
  steals_[level].add();
  tasks_stolen_[level].add(count);
  trace::note(trace::kind::stolen, nullptr, static_cast<std::uint32_t>(count));
  for (std::size_t i = 1; i < count; ++i) static_cast<void>(ready_.push(stolen[i]));
  thefts_.note_theft(start, platform::ticks(), tasks_run_.get(),
                     pool_.sleep().are_cpus_busy());
  found_work();
  return stolen[0];
}

void worker::found_work() noexcept {
  if (pool_.sleep().found_work(index_, pool_)) wake_ups_.add();
}

}  // namespace hotseat::detail
