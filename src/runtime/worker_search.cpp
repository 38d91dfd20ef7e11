// hotseat/runtime/worker_search.cpp — what a worker does when it has nothing to do.
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
  measure_loot();
  const appetite mine = rest_ == 0 ? appetite::usual : appetite::small;
  bool is_searching = pool_.sleep().start_searching(index_, mine);
  bool should_rest = rest_ != 0;
  for (;;) {
    if (is_searching) {
      if (should_rest) rest();
      const std::uint64_t start = platform::ticks();
      unsigned pause = 1;
      do {
        if (const item task = search_round()) return task;
        for (unsigned i = 0; i < pause; ++i) platform::relax();
        pause = std::min(pause * 2, longest_pause);
      } while (platform::ticks() - start < pool_.patience());
    }
    const auto before_sleep = [this]() noexcept {
      parks_.add();
      pool_.notice_idle();
      trace::note(trace::kind::park_begins);
    };
    if (pool_.sleep().sleep_if_idle(index_, is_searching, mine, pool_, before_sleep)) {
      trace::note(trace::kind::park_ends);
      has_slept_ = true;
      should_rest = rest_ != 0 && pool_.sleep().is_crowded();
    } else {
      should_rest = false;
    }
    is_searching = true;
    // The pool may be over while somebody still runs: nobody leaves work behind.
    if (pool_.is_over() && !pool_.shows_work()) {
      static_cast<void>(pool_.sleep().stop_searching(index_));
      return nullptr;
    }
  }
}

// Counts as searching all the while, so nobody else is woken for the same tiny tasks.
void worker::rest() noexcept {
  back_offs_.add();
  if (rest_ > pool_.patience()) {
    pool_.sleep().doze(index_, platform::now() + pool_core::to_duration(rest_));
    has_slept_ = true;
    return;
  }
  const std::uint64_t start = platform::ticks();
  while (platform::ticks() - start < rest_) platform::relax();
}

// On success the worker is busy again.
worker::item worker::search_round() noexcept {
  waiter* const sent = inbox_.take_all();
  if (const item task = sent != nullptr ? keep_rest(sent) : take_injected(batch)) {
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
  const std::uint64_t start = platform::ticks();
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
  trace::note(trace::kind::stolen, nullptr, static_cast<std::uint32_t>(count));
  for (std::size_t i = 1; i < count; ++i) static_cast<void>(ready_.push(loot[i]));
  loot_since_ = platform::ticks();
  theft_ = loot_since_ - start;
  loot_tasks_ = tasks_run_.get();
  least_gain_ = has_slept_ ? pool_.wake_cost() : 0;
  if (pool_.sleep().is_crowded()) least_gain_ = pool_.crowd_cost();
  has_slept_ = false;
  found_work();
  return loot[0];
}

void worker::found_work() noexcept {
  if (pool_.sleep().found_work(index_, pool_)) wake_ups_.add();
}

// What was not worth the trouble is better left to its worker for a while: tasks that run
// shorter than it takes to move them, or shorter than it took the other one to wake us.
// A thief that got such tasks leaves the others alone, longer each time; meanwhile tasks
// gather, so that the next visit is worth more.  How long the theft took tells what a line
// costs right now: a task that only waits for its lines looks busy as well.
void worker::measure_loot() noexcept {
  if (loot_since_ == 0) return;
  const std::uint64_t gain = platform::ticks() - loot_since_;
  const std::uint64_t moving_one = std::max(theft_ / 2, pool_.move_cost());
  const std::uint64_t moving =
      pool_.steal_cost() + (tasks_run_.get() - loot_tasks_) * moving_one;
  const std::uint64_t trouble = std::max(moving, least_gain_);
  loot_since_ = 0;
  if (gain < trouble) {
    rest_ = std::min(std::max(rest_ * 2, pool_.shortest_rest()), pool_.longest_rest());
  } else {
    rest_ = std::min(rest_ / 2, gain);
    if (rest_ < pool_.shortest_rest()) rest_ = 0;
  }
}

}  // namespace hotseat::detail
