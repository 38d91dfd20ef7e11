// hotseat/sync/lock_free_state.cpp — taking waiters out of the line of a mutex: the oldest
// when the lock is passed on, any when it leaves early.
#include <hotseat/core/assert.hpp>
#include <hotseat/core/spin_wait.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/detail/lock_free_state.hpp>

#include <cstddef>
#include <cstdint>

namespace hotseat::detail {

namespace {

/// Cache lines of a task's frame to prefetch: with one, a section waited for the rest of
/// the frame (docs/lab/mutex.md).
constexpr std::size_t lines_of_frame = 3;

/// While the heir runs, fetches the next waiter, and the place of the one behind it: both
/// were last on another core.
void fetch(const line_waiter& next) noexcept {
  // As a number: a waiting thread has no frame.
  const auto frame = reinterpret_cast<std::uintptr_t>(next.task.address());
  for (std::size_t line = 0; line < lines_of_frame; ++line) {
    platform::prefetch(reinterpret_cast<const void*>(frame + line * cache_line));
  }
  if (const line_waiter* const after = next.younger.load(std::memory_order_relaxed)) {
    platform::prefetch(after);
    platform::prefetch(&after->younger);
  }
}

/// Waits for an arrival to link itself: one instruction away, unless it lost its core.
line_waiter& await_link(const platform::atomic<line_waiter*>& place) noexcept {
  for (spin_wait wait;; wait()) {
    line_waiter* const who = place.load(std::memory_order_acquire);  // W
    if (who != nullptr) return *who;
  }
}

}  // namespace

// The lock was free: contended → held, or the arrival after `w` becomes the first in line.
void lock_free_state::own_after_all(line_waiter& w) noexcept {
  w.is_in_line = false;
  std::uintptr_t seen = to_word(w);
  if (newest_.compare_exchange_strong(seen, held, std::memory_order_relaxed)) return;
  oldest_.store(&await_link(w.younger), std::memory_order_relaxed);
}

line_waiter* lock_free_state::release_slow() noexcept {
  do {
    if (line_waiter* const heir = pass_on()) return heir;
    require(!is_free(), "mutex", this, "only the owner may unlock; nobody owns it");
  } while (!try_free());
  return nullptr;
}

// Takes the oldest out of the line; null if there is none.
line_waiter* lock_free_state::pass_on() noexcept {
  line_waiter* heir = nullptr;
  guard_.enter();
  if (oldest_.load(std::memory_order_relaxed) != nullptr ||
      newest_.load(std::memory_order_relaxed) > held) {
    heir = &await_link(oldest_);
    line_waiter* const next = unlink(*heir, nullptr);
    if (linked_ == heir) linked_ = nullptr;
    heir->is_in_line = false;
    if (next != nullptr) fetch(*next);
  }
  guard_.leave();
  return heir;
}

bool lock_free_state::leave(line_waiter& w) noexcept {
  guard_.visit();
  const bool is_in_line = w.is_in_line;
  if (is_in_line) remove(w);
  guard_.end_visit();
  return is_in_line;
}

// Inside guard_, from here on.

void lock_free_state::remove(line_waiter& w) noexcept {
  line_waiter* const first = &await_link(oldest_);
  line_waiter* older = nullptr;
  if (&w != first) {
    link_back(*first, w);
    older = w.prev;
  }
  line_waiter* const younger = unlink(w, older);
  if (younger != nullptr) younger->prev = older;
  if (linked_ == &w) linked_ = older;
  w.is_in_line = false;
}

// Links the next arrival after `w` to `older`, the one before it; null is the owner.
// Returns that next arrival.
line_waiter* lock_free_state::unlink(line_waiter& w, line_waiter* older) noexcept {
  link& place = link_after(older);
  line_waiter* next = w.younger.load(std::memory_order_acquire);  // W
  if (next == nullptr) {
    place.store(nullptr, std::memory_order_relaxed);
    std::uintptr_t seen = to_word(w);
    if (newest_.compare_exchange_strong(seen, older == nullptr ? held : to_word(*older),
                                        std::memory_order_release,  // H
                                        std::memory_order_relaxed)) {
      return nullptr;
    }
    next = &await_link(w.younger);  // I4
  }
  place.store(next, std::memory_order_relaxed);
  return next;
}

// Few waiters leave early, so the links back are made only when one does: from linked_ on,
// up to which they exist already.
void lock_free_state::link_back(line_waiter& first, line_waiter& last) noexcept {
  if (last.prev != nullptr) return;
  line_waiter* older = linked_;
  if (older == nullptr) older = &first;
  while (older != &last) {
    line_waiter& next = await_link(older->younger);
    next.prev = older;
    older = &next;
  }
  linked_ = older;
}

}  // namespace hotseat::detail
