// hotseat/runtime/worker_search.cpp — what a worker without work does.
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/pool_core.hpp>
#include <hotseat/runtime/detail/worker.hpp>
#include <hotseat/trace/trace.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace hotseat::detail {

worker::item worker::search() noexcept {
  const platform::searching_scope searching;
  thefts_.settle(platform::ticks(), tasks_run_.get());
  const bool is_tired = thefts_.rest() != 0;
  const appetite mine = is_tired ? appetite::small : appetite::usual;
  bool is_searching = pool_.sleep().start_searching(index_, mine);
  if (is_searching && is_tired) rest();
  for (;;) {
    if (is_searching) {
      const std::uint64_t start = platform::ticks();
      do {
        if (const item task = search_round()) return task;
        platform::relax();
      } while (platform::ticks() - start < pool_.patience());
    }
    const auto before_sleep = [this]() noexcept {
      parks_.add();
      pool_.notice_idle();
      trace::note(trace::kind::park_begins);
    };
    if (pool_.sleep().sleep_if_idle(index_, is_searching, mine, pool_, before_sleep)) {
      trace::note(trace::kind::park_ends);
    }
    is_searching = true;
    // The pool may be over while a worker still runs: none leaves while there is work.
    if (pool_.is_over() && !pool_.shows_work()) {
      static_cast<void>(pool_.sleep().stop_searching(index_));
      return nullptr;
    }
  }
}

// Counts as searching meanwhile, so no other worker is woken for the same tiny tasks.
void worker::rest() noexcept {
  back_offs_.add();
  const std::uint64_t length = thefts_.rest();
  if (length > pool_.patience()) {
    pool_.sleep().doze(index_, platform::now() + pool_core::to_duration(length));
    return;
  }
  const std::uint64_t start = platform::ticks();
  while (platform::ticks() - start < length) platform::relax();
}

// On success the worker is busy again.
worker::item worker::search_round() noexcept {
  item found = take_urgent();
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
  std::array<item, quota::batch> loot;
  const std::uint64_t start = platform::ticks();
  // One fork of a tree is enough: the oldest is the largest.
  std::size_t count = victim.forks_.steal(std::span{loot}.first(1));
  if (count == 0) {
    const std::size_t room = std::min<std::size_t>(ready_.room(), quota::batch - 1);
    count = victim.ready_.steal(std::span{loot}.first(room + 1));
  }
  if (count == 0) return nullptr;
  steals_[level].add();
  tasks_stolen_[level].add(count);
  trace::note(trace::kind::stolen, nullptr, static_cast<std::uint32_t>(count));
  for (std::size_t i = 1; i < count; ++i) static_cast<void>(ready_.push(loot[i]));
  thefts_.note_theft(start, platform::ticks(), tasks_run_.get(),
                     pool_.sleep().is_crowded());
  found_work();
  return loot[0];
}

void worker::found_work() noexcept {
  if (pool_.sleep().found_work(index_, pool_)) wake_ups_.add();
}

}  // namespace hotseat::detail
