// hotseat/platform/real/stacks_linux.cpp — guarded stacks in slabs, by size.
#include <hotseat/platform/memory.hpp>

#include <sys/mman.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <vector>

namespace hotseat::platform {

namespace {

constexpr std::size_t slab_bytes = std::size_t{16} << 20U;
/// Free stacks that keep the memory they touched; any more give it back.
constexpr std::size_t most_warm = 1024;
/// Stacks of each size that a thread keeps for itself.
constexpr std::size_t most_cached = 32;

constexpr auto least_log = static_cast<std::size_t>(std::countr_zero(least_stack_bytes));
constexpr std::size_t size_count =
    static_cast<std::size_t>(std::countr_zero(most_stack_bytes)) - least_log + 1;

std::size_t index_of(std::size_t bytes) noexcept {
  return static_cast<std::size_t>(std::countr_zero(bytes)) - least_log;
}

[[noreturn]] void refuse(int error) {
  throw std::system_error{
      error, std::generic_category(),
      "fiber: out of stacks (too much memory is mapped, or vm.max_map_count is reached)"};
}

// Since Linux 6.13 a guard can lie in the page tables.  Otherwise each guard is a mapping,
// and the stack above it another; a process can have some 65,000.
bool guard_lightly(std::byte* lowest) noexcept {
  constexpr int install = 102;  // MADV_GUARD_INSTALL
  return madvise(lowest, stack_guard_bytes, install) == 0;
}

/// All stacks of one size.
class shelf {
 public:
  std::byte* take(std::size_t bytes) {
    const std::scoped_lock lock{mutex_};
    if (free_.empty() && fresh_ == 0) add_slab(bytes);
    if (free_.empty()) return take_fresh(bytes);
    std::byte* const lowest = free_.back();
    free_.pop_back();
    return lowest;
  }

  void give(std::byte* lowest, std::size_t bytes) noexcept {
    const std::scoped_lock lock{mutex_};
    if (free_.size() >= most_warm) madvise(lowest, bytes, MADV_DONTNEED);
    free_.push_back(lowest);  // Does not allocate: add_slab made room.
  }

  void add_to(stack_facts& all) {
    const std::scoped_lock lock{mutex_};
    all.mapped += mapped_;
    all.waiting += free_.size();
    all.has_light_guards = all.has_light_guards || (mapped_ != 0 && has_light_guards_);
  }

 private:
  void add_slab(std::size_t bytes) {
    const std::size_t step = bytes + stack_guard_bytes;
    const std::size_t count = std::max<std::size_t>(slab_bytes / step, 1);
    if (free_.capacity() < mapped_ + count) free_.reserve(2 * (mapped_ + count));
    void* const memory =
        mmap(nullptr, count * step, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) refuse(errno);
    // A huge page would be touched as a whole.
    madvise(memory, count * step, MADV_NOHUGEPAGE);
    next_ = static_cast<std::byte*>(memory);
    fresh_ = count;
  }

  std::byte* take_fresh(std::size_t bytes) {
    if (has_light_guards_) has_light_guards_ = guard_lightly(next_);
    if (!has_light_guards_ && mprotect(next_, stack_guard_bytes, PROT_NONE) != 0) {
      refuse(errno);
    }
    std::byte* const lowest = next_ + stack_guard_bytes;
    next_ = lowest + bytes;
    --fresh_;
    ++mapped_;
    return lowest;
  }

  std::mutex mutex_;
  std::vector<std::byte*> free_;  // Newest last: it is the warmest.
  std::byte* next_ = nullptr;     // From here on, `fresh_` stacks that were never used.
  std::size_t fresh_ = 0;
  std::size_t mapped_ = 0;
  bool has_light_guards_ = true;
};

// Never destroyed: a thread returns its cached stacks when it ends, however late.
std::array<shelf, size_count>& shelves() {
  static auto* const all = new std::array<shelf, size_count>;
  return *all;
}

/// The stacks that a thread has given back and may take again.
struct cache {
  struct list {
    std::array<std::byte*, most_cached> stacks;
    std::size_t length = 0;
  };
  std::array<list, size_count> lists;

  cache() = default;
  cache(const cache&) = delete;
  cache& operator=(const cache&) = delete;
  ~cache() {
    for (std::size_t i = 0; i < size_count; ++i) empty(i, 0);
  }

  /// Gives back the oldest until `left` remain.
  void empty(std::size_t index, std::size_t left) noexcept {
    list& of = lists[index];
    if (of.length <= left) return;
    const std::size_t surplus = of.length - left;
    for (std::size_t i = 0; i < surplus; ++i) {
      shelves()[index].give(of.stacks[i], least_stack_bytes << index);
    }
    std::copy_n(of.stacks.begin() + static_cast<std::ptrdiff_t>(surplus), left,
                of.stacks.begin());
    of.length = left;
  }
};

thread_local cache mine;

}  // namespace

guarded_stack take_stack(std::size_t bytes) {
  bytes = std::bit_ceil(bytes);
  const std::size_t index = index_of(bytes);
  cache::list& near = mine.lists[index];
  if (near.length != 0) return {near.stacks[--near.length], bytes};
  return {shelves()[index].take(bytes), bytes};
}

void give_stack(guarded_stack stack) noexcept {
  const std::size_t index = index_of(stack.bytes);
  cache::list& near = mine.lists[index];
  if (near.length == most_cached) mine.empty(index, most_cached / 2);
  near.stacks[near.length++] = stack.lowest;
}

stack_facts facts_about_stacks() {
  stack_facts all;
  for (shelf& each : shelves()) each.add_to(all);
  return all;
}

}  // namespace hotseat::platform
