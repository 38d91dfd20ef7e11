// hotseat/platform/simulated/lines.cpp — the prices of hits and transfers.
#include "lines.hpp"

#include <algorithm>
#include <utility>

namespace hotseat::platform::simulated {

namespace {

/// A line that has not moved for this long is left to the core that has it.
constexpr duration a_moment = 2'000'000;

}  // namespace

line_table::line_table(const machine_description& machine)
    : places_(std::size_t{1} << 16U),
      near_(most_cores),
      price_{picoseconds(machine.hit), picoseconds(machine.from_cache),
             picoseconds(machine.from_node), picoseconds(machine.from_remote),
             picoseconds(machine.from_memory)},
      hit_{picoseconds(machine.hit)},
      update_{picoseconds(machine.update)},
      arbitration_{picoseconds(machine.arbitration)} {
  const unsigned per_cache = machine.cores_per_cache;
  const unsigned per_node = per_cache * machine.caches_per_node;
  for (unsigned core = 0; core < most_cores; ++core) {
    near_[core].self.add(core);
    for (unsigned other = 0; other < most_cores; ++other) {
      if (core / per_cache == other / per_cache) near_[core].cache.add(other);
      if (core / per_node == other / per_node) near_[core].node.add(other);
    }
  }
}

line_table::line& line_table::at(const void* address) noexcept {
  const std::uintptr_t number = (reinterpret_cast<std::uintptr_t>(address) >> 6U) + 1;
  const std::size_t mask = places_.size() - 1;
  std::size_t place = (number * 0x9E37'79B9'7F4A'7C15U) >> 20U & mask;
  while (places_[place].number != number) {
    if (places_[place].number == 0) {
      if (2 * ++count_ > places_.size()) {
        grow();
        return at(address);
      }
      places_[place].number = number;
      break;
    }
    place = (place + 1) & mask;
  }
  return places_[place];
}

void line_table::grow() {
  std::vector<line> former(2 * places_.size());
  std::swap(former, places_);
  count_ = 0;
  for (line& each : former) {
    if (each.number == 0) continue;
    at(reinterpret_cast<const void*>((each.number - 1) << 6U)) = each;
  }
}

line_table::origin line_table::nearest(const line& l, unsigned core) const noexcept {
  if (l.holders.is_empty()) return memory;
  if (l.holders.meets(near_[core].cache)) return cache;
  return l.holders.meets(near_[core].node) ? node : remote;
}

line_table::origin line_table::farthest(const line& l, unsigned core) const noexcept {
  if (l.holders.is_empty()) return memory;
  if (l.holders.meets_not(near_[core].node)) return remote;
  return l.holders.meets_not(near_[core].cache) ? node : cache;
}

bool line_table::is_hit(const void* address, access how, unsigned core) noexcept {
  const line& l = at(address);
  return how == access::load ? l.holders.has(core) : l.holders == near_[core].self;
}

bool line_table::is_contended(const void* address, access how, unsigned core,
                              duration now) noexcept {
  if (!is_hit(address, how, core)) return true;
  return how != access::load && at(address).free_at + a_moment > now;
}

duration line_table::use(const void* address, access how, unsigned core,
                         duration now) noexcept {
  line& l = at(address);
  const duration own = how == access::update ? update_ : hit_;
  if (how == access::load ? l.holders.has(core) : l.holders == near_[core].self) {
    if (how != access::load) l.is_dirty = true;
    return rest_of_way(l, now) + own;
  }
  l.is_sent_for = false;
  const origin from = how == access::load ? nearest(l, core) : farthest(l, core);
  ++transfers[from];
  duration start = now;
  if (l.is_dirty || how != access::load) {
    if (l.free_at > now) {
      ++waited;
      start = l.free_at + arbitration_;
    }
    l.free_at = start + price_[from] + (how == access::update ? update_ : 0);
  }
  if (how == access::load) {
    l.holders.add(core);
    l.is_dirty = false;
  } else {
    l.holders = near_[core].self;
    l.is_dirty = true;
  }
  return start - now + price_[from] + own;
}

duration line_table::rest_of_way(line& l, duration now) noexcept {
  if (!l.is_sent_for) return 0;
  if (l.free_at > now) return l.free_at - now;
  l.is_sent_for = false;
  return 0;
}

void line_table::send_for(const void* address, unsigned core, duration now) noexcept {
  line& l = at(address);
  if (l.holders == near_[core].self) return;
  use(address, access::store, core, now);
  l.is_sent_for = true;
}

}  // namespace hotseat::platform::simulated
