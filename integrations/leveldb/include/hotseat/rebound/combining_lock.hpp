// hotseat/rebound/combining_lock.hpp — threads ship their sections to the owner's core.
#pragma once

#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstddef>
#include <cstdint>

namespace hotseat::rebound {

class combining_lock;

/// A thread in the line of a combining_lock.
///
///     name     state  meaning
///     ───────  ─────  ────────────────────────────────────────────────────────────
///     in_line  0      waits, spinning, or its section is being run
///     asleep   1      the same, in the kernel
///     owner    2      has the lock and runs its own section
///     done     3      its section has ended: it goes on after `unlock`, wherever that was
struct shipped_section {
  static constexpr std::uint32_t in_line = 0;
  static constexpr std::uint32_t asleep = 1;
  static constexpr std::uint32_t owner = 2;
  static constexpr std::uint32_t done = 3;

  shipped_section* next = nullptr;
  combining_lock* lock = nullptr;
  void* here = nullptr;      ///< Where the section goes on; null if it cannot be shipped.
  void* combiner = nullptr;  ///< Where to go when the section has ended.
  std::uint32_t locks_held = 0;
  platform::atomic<std::uint32_t> state{in_line};
};

/// The idea of TCLocks (Gupta et al., OSDI 2023) in user space, for plain threads: a waiter
/// leaves its stack at `lock` for a small one of its own.  The unlocking thread goes on
/// with the waiter's stack, up to the waiter's `unlock`, before it returns to its own.  So
/// sections run one after the other on one core, without being written as functions.
///
/// TCLocks itself does this in the kernel: there a spinning waiter can be stopped at any
/// time, and the section's thread-local state moves with it.  Here a section must not use
/// its thread's identity: no thread_local, no errno kept across lock or unlock, no
/// exception in flight.  A thread that owns another lock, or runs another thread's section,
/// neither ships its own section nor runs others: it waits, and passes the lock on as
/// usual.
///
/// Invariants
///   C1  A section is in the line only after its thread has left its stack.
///   C2  At most one section of a thread is shipped at a time, in the thread's own record:
///       the frame of `lock` ends before the section does.
///
/// Memory order
///   G  release  in_line, asleep → owner, done    ⟶ W   publishes all sections so far
///   W  acquire  owner, done                      ⟵ G
/// guard_ protects the line and `is_owned_`.
class combining_lock {
 public:
  static constexpr unsigned most_in_a_row = 1024;

  void lock() noexcept;
  void unlock() noexcept;

 private:
  friend struct section_thread;

  /// Owns the lock, or joins the line.  Returns whether it is the owner.  If not, `self`
  /// may be run, and gone, before this returns.
  bool acquire_or_enqueue(shipped_section& self) noexcept;
  bool try_acquire() noexcept;
  /// Returns the heir; null if none waits, and then the lock is free.
  shipped_section* release() noexcept;
  void combine() noexcept;

  spin_lock guard_;
  bool is_owned_ = false;
  shipped_section* first_ = nullptr;
  shipped_section* last_ = nullptr;  // Valid if there is a first one.
};

}  // namespace hotseat::rebound
