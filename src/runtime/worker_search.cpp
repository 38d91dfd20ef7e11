// hotseat/runtime/worker_search.cpp — what a worker does when it has nothing to do.
#include <hotseat/platform/clock.hpp>
#include <hotseat/platform/relax.hpp>
#include <hotseat/runtime/detail/pool_core.hpp>
#include <hotseat/runtime/detail/worker.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace hotseat::detail {

worker::item worker::search() noexcept {
  measure_loot();
  bool is_searching = pool_.sleep().start_searching();
  if (is_searching && rest_ != 0) rest();
  for (;;) {
    if (is_searching) {
      const std::uint64_t start = platform::ticks();
      unsigned pause = 1;
      do {
        if (const item task = search_round()) return task;
        for (unsigned i = 0; i < pause; ++i) platform::relax();
        pause = std::min(pause * 2, longest_pause);
      } while (platform::ticks() - start < pool_.patience());
    }
    pool_.sleep().fall_asleep(index_, is_searching);
    if (pool_.shows_work() || pool_.is_over()) {
      pool_.sleep().stay_up(index_);
    } else {
      parks_.add();
      pool_.notice_idle();
      pool_.sleep().sleep(index_);
    }
    is_searching = true;
    if (pool_.is_over()) {
      static_cast<void>(pool_.sleep().stop_searching());
      return nullptr;
    }
  }
}

// Counts as searching all the while, so nobody else is woken for the same tiny tasks.
void worker::rest() noexcept {
  back_offs_.add();
  if (rest_ > pool_.patience()) {
    pool_.sleep().doze(index_, platform::now() + pool_.to_duration(rest_));
    return;
  }
  const std::uint64_t start = platform::ticks();
  while (platform::ticks() - start < rest_) platform::relax();
}

// On success the worker is busy again.
worker::item worker::search_round() noexcept {
  if (const item task = take_injected(batch)) {
    found_work();
    return task;
  }
  item found = nullptr;
  random_ += 0x9E37'79B9'7F4A'7C15U;
  victims_.for_each(random_, [&](unsigned other, distance how_far) {
    found = steal_from(pool_.at(other), how_far);
    return found != nullptr;
  });
  return found;
}

worker::item worker::steal_from(worker& victim, distance how_far) noexcept {
  const auto level = static_cast<std::size_t>(how_far);
  std::array<item, batch> loot;
  // Of a tree of forks one is enough: the oldest is the largest.
  std::size_t count = victim.forks_.steal(std::span{loot}.first(1));
  if (count == 0) {
    const std::size_t room = std::min<std::size_t>(ready_.room(), batch - 1);
    count = victim.ready_.steal(std::span{loot}.first(room + 1));
  }
  if (count == 0) {
    waiter* const list = victim.raid();
    if (list == nullptr) return nullptr;
    found_work();
    return keep_rest(list);
  }
  steals_[level].add();
  tasks_stolen_[level].add(count);
  for (std::size_t i = 1; i < count; ++i) static_cast<void>(ready_.push(loot[i]));
  loot_since_ = platform::ticks();
  loot_tasks_ = tasks_run_.get();
  const bool is_last = pool_.sleep().stop_searching();
  if (is_last && (count > 1 || victim.shows_work())) {
    if (count > 1) static_cast<void>(ready_.expose());
    wake_if_needed();
  }
  return loot[0];
}

void worker::found_work() noexcept {
  if (pool_.sleep().stop_searching() && pool_.shows_work()) wake_if_needed();
}

// Tasks that cost less than moving them are better left where they were: a thief that got
// such tasks leaves the others alone for a while, longer each time.
void worker::measure_loot() noexcept {
  if (loot_since_ == 0) return;
  const std::uint64_t took = platform::ticks() - loot_since_;
  const std::uint64_t tasks = tasks_run_.get() - loot_tasks_;
  loot_since_ = 0;
  if (took < tasks * pool_.tiny_task()) {
    rest_ = std::min(std::max(rest_ * 2, pool_.shortest_rest()), pool_.longest_rest());
  } else {
    rest_ = 0;
  }
}

}  // namespace hotseat::detail
