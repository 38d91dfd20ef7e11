// hotseat/runtime/sleepers.cpp — the edges between busy, searching and asleep.
#include <hotseat/runtime/detail/sleepers.hpp>

#include <algorithm>
#include <bit>

namespace hotseat::detail {

sleepers::sleepers(std::uint32_t workers, std::uint32_t cpus, std::uint32_t group_size,
                   event_source* events)
    : workers_{workers},
      cpus_{cpus},
      group_size_{group_size},
      group_count_{(workers + group_size - 1) / group_size},
      events_{events},
      parkers_{std::make_unique<padded<platform::parker>[]>(workers)},
      groups_{std::make_unique<group[]>(group_count_)} {}

sleepers::awake_counts sleepers::all() const noexcept {
  const counts now = glance();
  awake_counts result{.searching = now.searching, .awake = workers_ - now.asleep};
  if (group_count_ == 1) return result;
  result.searching = 0;
  for (std::uint32_t i = 0; i < group_count_; ++i) {
    result.searching += groups_[i].searching.load(std::memory_order_relaxed);
  }
  // With several groups, this is not a snapshot.
  result.searching = std::min(result.searching, result.awake);
  return result;
}

sleepers::awake_counts sleepers::those_near(std::uint32_t worker) const noexcept {
  if (group_count_ == 1) return all();
  const group& here = group_of(worker);
  const std::uint64_t asleep = here.bits.load(std::memory_order_relaxed) & all_asleep;
  const std::uint32_t size =
      std::min(group_size_, workers_ - worker / group_size_ * group_size_);
  const std::uint32_t awake = size - static_cast<std::uint32_t>(std::popcount(asleep));
  if (awake <= group_size_ / 4) return all();
  return {.searching = here.searching.load(std::memory_order_relaxed), .awake = awake};
}

bool sleepers::start_searching(std::uint32_t worker, eagerness how_eager) noexcept {
  const awake_counts who = those_near(worker);
  if (who.searching != 0) {
    if (2 * who.searching >= who.awake) return false;
    if (how_eager == eagerness::low && workers_ > cpus_ && busy() > cpus_) return false;
  }
  // A few more may have started meanwhile.  An exact limit would take a compare-and-swap
  // loop, in which many workers make each other fail.
  if (const std::uint64_t change = begin_in_group(worker)) {
    word_.fetch_add(change, std::memory_order_relaxed);
  }
  return true;
}

std::uint64_t sleepers::begin_in_group(std::uint32_t worker) noexcept {
  if (group_count_ == 1) return one_searching;
  const std::uint32_t before =
      group_of(worker).searching.fetch_add(1, std::memory_order_relaxed);
  return before == 0 ? one_searching : 0;
}

std::uint64_t sleepers::end_in_group(std::uint32_t worker) noexcept {
  if (group_count_ == 1) return one_searching;
  const std::uint32_t before =
      group_of(worker).searching.fetch_sub(1, std::memory_order_acq_rel);  // G
  return before == 1 ? one_searching : 0;
}

bool sleepers::stop_searching(std::uint32_t worker) noexcept {
  const std::uint64_t change = end_in_group(worker);
  if (change == 0) return false;
  const std::uint64_t before = word_.fetch_sub(change, std::memory_order_acquire);  // W
  return unpack(before).searching == 1;
}

bool sleepers::fall_asleep(std::uint32_t worker, bool was_searching,
                           eagerness how_eager) noexcept {
  // The bits first: a waker that sees the count finds them.
  bits(worker).fetch_or(asleep_bit(worker) | taken_bit(worker), std::memory_order_relaxed);
  const bool do_others_search = count_as_asleep(worker, was_searching);
  if (how_eager == eagerness::low && do_others_search) return false;
  platform::heavy_fence();
  return true;
}

// Returns whether others search.
bool sleepers::count_as_asleep(std::uint32_t worker, bool was_searching) noexcept {
  if (group_count_ == 1) {
    const std::uint64_t before =
        word_.fetch_add(was_searching ? one_asleep - one_searching : one_asleep,
                        std::memory_order_acq_rel);  // W
    return unpack(before).searching > (was_searching ? 1U : 0U);
  }
  // S3: in the other order, work could come when no worker is left to search for it and
  // none seems to sleep.
  const std::uint64_t before = word_.fetch_add(one_asleep, std::memory_order_acq_rel);  // W
  if (!was_searching) return unpack(before).searching != 0;
  if (end_in_group(worker) == 0) return true;
  const std::uint64_t then =
      word_.fetch_sub(one_searching, std::memory_order_acquire);  // W
  return unpack(then).searching > 1;
}

// S2.  Returns whether it was asleep.
bool sleepers::get_up(std::uint32_t worker) noexcept {
  const std::uint64_t before =
      bits(worker).fetch_and(~asleep_bit(worker), std::memory_order_relaxed);
  if ((before & asleep_bit(worker)) == 0) return false;
  word_.fetch_add(begin_in_group(worker) - one_asleep, std::memory_order_relaxed);
  bits(worker).fetch_and(~taken_bit(worker), std::memory_order_release);  // F
  return true;
}

void sleepers::rouse(std::uint32_t worker) noexcept {
  if (events_ != nullptr) {
    events_->interrupt(worker);
  } else {
    parkers_[worker].value.unpark();
  }
}

bool sleepers::wake_one(std::uint32_t near) noexcept {
  const std::uint32_t first = near / group_size_;
  const std::uint64_t from_near = all_asleep << near % group_size_ & all_asleep;
  if (try_wake_in(first, from_near)) return true;
  for (std::uint32_t step = 1; step < group_count_; ++step) {
    if (try_wake_in((first + step) % group_count_, all_asleep)) return true;
  }
  return try_wake_in(first, all_asleep & ~from_near);
}

bool sleepers::try_wake_in(std::uint32_t index, std::uint64_t candidates) noexcept {
  for (;;) {
    const std::uint64_t asleep =
        groups_[index].bits.load(std::memory_order_relaxed) & candidates;
    if (asleep == 0) return false;
    const std::uint32_t worker =
        index * group_size_ + static_cast<std::uint32_t>(std::countr_zero(asleep));
    if (get_up(worker)) {
      rouse(worker);
      return true;
    }
  }
}

}  // namespace hotseat::detail
