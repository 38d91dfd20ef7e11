// hotseat/runtime/sleepers.cpp — the edges between busy, searching and asleep.
#include <hotseat/runtime/detail/sleepers.hpp>

#include <bit>

namespace hotseat::detail {

sleepers::sleepers(std::uint32_t workers, std::uint32_t cpus)
    : workers_{workers},
      cpus_{cpus},
      groups_{(workers + group_size - 1) / group_size},
      beds_{std::make_unique<padded<platform::parker>[]>(workers)},
      bits_{std::make_unique<padded<platform::atomic<std::uint64_t>>[]>(groups_)} {}

bool sleepers::start_searching(appetite how_much) noexcept {
  const census now = glance();
  if (now.searching != 0) {
    if (2 * now.searching >= workers_ - now.asleep) return false;
    if (how_much == appetite::small && now.busy > cpus_) return false;
  }
  // Some more may have started meanwhile.  That is better than to insist: among many, each
  // compare-and-swap makes those of all others fail.
  word_.fetch_add(one_searching, std::memory_order_relaxed);
  return true;
}

bool sleepers::stop_searching() noexcept {
  const std::uint64_t before =
      word_.fetch_sub(one_searching, std::memory_order_acquire);  // W
  return unpack(before).searching == 1;
}

bool sleepers::fall_asleep(std::uint32_t worker, bool was_searching,
                           appetite how_much) noexcept {
  // The bits first: a waker that sees the count finds them.
  bits(worker).fetch_or(asleep_bit(worker) | taken_bit(worker), std::memory_order_relaxed);
  const std::uint64_t before =
      word_.fetch_add(was_searching ? one_asleep - one_searching : one_asleep,
                      std::memory_order_acq_rel);  // W
  const std::uint32_t others = unpack(before).searching - (was_searching ? 1U : 0U);
  if (how_much == appetite::small && others != 0) return false;
  platform::heavy_fence();
  return true;
}

// S2.  Returns whether it was asleep.
bool sleepers::get_up(std::uint32_t worker) noexcept {
  const std::uint64_t before =
      bits(worker).fetch_and(~asleep_bit(worker), std::memory_order_relaxed);
  if ((before & asleep_bit(worker)) == 0) return false;
  word_.fetch_add(one_searching - one_asleep, std::memory_order_relaxed);
  bits(worker).fetch_and(~taken_bit(worker), std::memory_order_release);  // F
  return true;
}

void sleepers::stay_up(std::uint32_t worker) noexcept {
  if (!get_up(worker)) sleep(worker);
}

void sleepers::sleep(std::uint32_t worker) noexcept {
  while ((bits(worker).load(std::memory_order_acquire) & taken_bit(worker)) != 0) {  // U
    beds_[worker].value.park();
  }
}

bool sleepers::wake_one(std::uint32_t near) noexcept {
  const std::uint32_t first = near / group_size;
  const std::uint64_t from_near = all_asleep << near % group_size & all_asleep;
  if (try_wake_in(first, from_near)) return true;
  for (std::uint32_t step = 1; step < groups_; ++step) {
    if (try_wake_in((first + step) % groups_, all_asleep)) return true;
  }
  return try_wake_in(first, all_asleep & ~from_near);
}

bool sleepers::try_wake_in(std::uint32_t group, std::uint64_t candidates) noexcept {
  for (;;) {
    const std::uint64_t asleep =
        bits_[group].value.load(std::memory_order_relaxed) & candidates;
    if (asleep == 0) return false;
    const std::uint32_t worker =
        group * group_size + static_cast<std::uint32_t>(std::countr_zero(asleep));
    if (get_up(worker)) {
      beds_[worker].value.unpark();
      return true;
    }
  }
}

}  // namespace hotseat::detail
