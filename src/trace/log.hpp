// hotseat/trace/log.hpp — the events of one thread, which appends; others may read.
// Layer: core, private.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/trace/recording.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hotseat::trace::detail {

/// Room for some events of one thread.
struct event_block {
  static constexpr std::size_t size = 2048;

  std::array<event, size> events;
  platform::atomic<std::size_t> count{0};
  platform::atomic<event_block*> next{nullptr};
};

/// How many more events may be kept, by all threads together, and the memory for them.
class event_budget {
 public:
  /// Prepares the memory of a short recording: untouched memory is slow to write, and the
  /// recording threads would wait for it.  What is left over serves the next recording.
  void reset(std::size_t events) noexcept;
  /// Takes up to `wanted`.  Returns how many it took.
  std::size_t take(std::size_t wanted) noexcept;
  /// Null if there is no memory.
  event_block* take_block() noexcept;

 private:
  static constexpr std::size_t most_ready = 1024;  // blocks: two million events, 50 MB

  platform::atomic<std::int64_t> left_{0};
  spin_lock guard_;  // of what follows
  event_block* ready_ = nullptr;
  std::size_t ready_count_ = 0;
};

/// Blocks that are never moved or freed, so that the owner writes without a lock and a
/// reader sees whole events.
///
/// Memory order
///   C  release  count grows         ⟷ acquire in append_to   publishes the event
///   N  release  a block is linked   ⟷ acquire in append_to   publishes the block
class thread_log : pinned<thread_log> {
 public:
  thread_log(std::uint64_t recording, unsigned number, unsigned worker) noexcept
      : recording_{recording}, number_{number}, worker_{worker} {}

  // --- On its own thread.

  void append(const event& what, event_budget& budget) noexcept {
    if (used_ == room_ && !grow(budget)) [[unlikely]] {
      dropped_.store(dropped_.load(std::memory_order_relaxed) + 1,
                     std::memory_order_relaxed);
      return;
    }
    last_->events[used_] = what;
    last_->count.store(++used_, std::memory_order_release);  // C
  }

  // --- On any thread.

  [[nodiscard]] std::uint64_t recording() const noexcept { return recording_; }
  void append_to(std::vector<event>& all) const;
  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::string name() const;

  thread_log* older = nullptr;  ///< Of another thread; under the recorder's guard.

 private:
  bool grow(event_budget& budget) noexcept;

  const std::uint64_t recording_;
  const unsigned number_;
  const unsigned worker_;

  std::size_t used_ = 0;  // of the last block
  std::size_t room_ = 0;  // in it
  event_block* last_ = nullptr;
  platform::atomic<event_block*> first_{nullptr};
  platform::atomic<std::uint64_t> dropped_{0};
};

}  // namespace hotseat::trace::detail
