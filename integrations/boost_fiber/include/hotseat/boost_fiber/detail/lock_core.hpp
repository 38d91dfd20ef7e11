// hotseat/boost_fiber/detail/lock_core.hpp — a lock's owner, and acquiring without waiting.
// Behind mutex, timed_mutex and condition_variable.  Read next: lock_waiting.hpp (how does
// a fiber wait?), lock_passing.hpp (who is next?).
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>
#include <hotseat/boost_fiber/detail/hand_over.hpp>
#include <hotseat/boost_fiber/detail/this_thread.hpp>
#include <hotseat/boost_fiber/detail/waiter.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>

#include <boost/assert.hpp>

#include <cstdint>
#include <system_error>

namespace hotseat::boost_fiber::detail {

/// The state of a lock.
///
///     name        word_               meaning
///     ──────────  ──────────────────  ─────────────────────────────────────────────────
///     free        0                   no owner, no waiters
///     owned       the owner           no waiters
///     contended   the owner | 1       there may be waiters
///     offered     1                   no owner; a waiter was told to come, others wait
///     guarded     any of these | 2    a thread works on the line
///
/// Invariants
///   C1  A waiter is in line_, or was offered the lock and is on its way to `join`, or is
///       arrived_.  While line_ is not empty or arrived_ is set, word_ says contended or
///       offered.
///   C2  Only a thread with the guard touches the other members, and changes a word_ that
///       is contended or guarded.  Its last touch gives word_ a new value.
///   C3  If line_ is not empty there is an owner, or an offer is on its way.
///
/// Orders
///   A  acquire  free → owned      ⟵ R   sees the section before
///   R  release  owned → free      ⟶ A   publishes this section
///   E  acquire  → guarded         ⟵ L   sees the line
///   L  release  guarded →         ⟶ E   publishes the line; and this section, as R does
///   G  release  result = granted  ⟶ H   publishes this section to a spinning waiter
///   H  acquire  result = granted  ⟵ G
/// A section that passes to a suspended fiber is published by what makes it run.
class lock_core {
 public:
  lock_core() = default;
  lock_core(const lock_core&) = delete;
  lock_core& operator=(const lock_core&) = delete;
  ~lock_core() {
    BOOST_ASSERT(owner_of(word_.load(std::memory_order_relaxed)) == 0);
    BOOST_ASSERT(line_.is_empty());
  }

  void acquire(context& self) {
    if (try_acquire(self)) return;
    require_other_owner(self);
    acquire_slow(self);
  }

  /// Returns whether the fiber owns the lock now.
  [[nodiscard]] bool try_acquire(context& self) noexcept {
    word seen = free;
    if (!word_.compare_exchange_strong(seen, word_of(self), std::memory_order_acquire,  // A
                                       std::memory_order_relaxed)) {
      if (seen != offered || !word_.compare_exchange_strong(seen, word_of(self) | contended,
                                                            std::memory_order_acquire,  // A
                                                            std::memory_order_relaxed)) {
        return false;
      }
    }
    this_seat().enter(self);
    return true;
  }

  /// Returns whether the fiber owns the lock; false if `due` came first.
  [[nodiscard]] bool acquire_until(context& self, time_point due) noexcept;

  void release(context& self) {
    require_owner(self);
    const std::uint32_t sections_left = this_seat().leave(self);
    word seen = word_of(self);
    if (!word_.compare_exchange_strong(seen, free, std::memory_order_release,  // R
                                       std::memory_order_relaxed)) {
      release_slow(self, sections_left);
    }
  }

  /// For conditions: in one step, suspends `one`, which is the owner and in the line of a
  /// condition, and releases the lock.
  void release_and_park(waiter& one) noexcept;
  void release_and_park_until(waiter& one, timed_claim& claim, time_point due) noexcept;

  /// For conditions: `one` has left their line and waits for the lock from now on.  Returns
  /// whether it must be dispatched, because the lock is free.
  [[nodiscard]] bool admit(waiter& one) noexcept;

  /// Waits until `one` owns the lock.
  void wait_for_turn(waiter& one) noexcept;

  void require_other_owner(const context& self) const {
    if (!is_owned_by(self)) return;
    throw boost::fibers::lock_error{
        std::make_error_code(std::errc::resource_deadlock_would_occur),
        "hotseat: this fiber owns the mutex already"};
  }

  void require_owner(const context& self) const {
    if (is_owned_by(self)) return;
    throw boost::fibers::lock_error{
        std::make_error_code(std::errc::operation_not_permitted),
        "hotseat: this fiber does not own the mutex"};
  }

  [[nodiscard]] bool is_owned_by(const context& self) const noexcept {
    return owner_of(word_.load(std::memory_order_relaxed)) == word_of(self);
  }

 private:
  using word = std::uintptr_t;
  static constexpr word free = 0;
  static constexpr word contended = 1;
  static constexpr word offered = contended;
  static constexpr word guarded = 2;

  // The second values are for the models, which must get there soon.

  /// Exchanges in a row before another cohort is told to come.
  static constexpr std::uint32_t turn_limit = config::is_real_machine ? 256U : 2U;
  /// Exchanges in a row before this thread gets back to its dispatcher.
  static constexpr std::uint32_t chain_limit = config::is_real_machine ? 1024U : 3U;
  /// Exchanges in a row before thieves are let in.
  static constexpr std::uint32_t thief_interval = config::is_real_machine ? 8U : 2U;
  /// How often a fiber that found the lock owned and no line yields its CPU before joining.
  static constexpr int yields_before_joining = config::is_real_machine ? 4 : 1;
  /// The same for a fiber that was told to come.
  static constexpr int yields_after_offer = config::is_real_machine ? 16 : 1;

  static word word_of(const context& fiber) noexcept {
    return reinterpret_cast<word>(&fiber);
  }
  static word owner_of(word seen) noexcept { return seen & ~(contended | guarded); }

  struct decision {
    waiter* heir;      ///< To be exchanged or dispatched; null if there is nothing to do.
    bool is_exchange;  ///< If false, dispatched.
    waiter* guest = nullptr;      ///< To be dispatched as well.
    bool is_for_thieves = false;  ///< Time to let them in.
  };

  enum class entry : unsigned char { owns, waits, has_arrived };

  void acquire_slow(context& self) noexcept;
  bool acquire_spinning(context& self) noexcept;
  entry join(waiter& one) noexcept;
  bool await_arrived(waiter& one) noexcept;
  bool enter(waiter& one) noexcept;
  void release_slow(context& self, std::uint32_t sections_left) noexcept;
  decision pass_on(const here& at, bool may_exchange) noexcept;
  decision choose(const here& at, bool may_exchange) noexcept;
  bool make_offer(waiter& one) noexcept;
  waiter* invite(const here& at) noexcept;

  /// Takes the guard.  Returns word_ without it.
  word take_guard() noexcept;
  /// Releases the guard and sets word_: the last touch, since another fiber may then own
  /// the lock and destroy it.
  void leave_guard(word next) noexcept {
    word_.store(next, std::memory_order_release);  // L
  }
  [[nodiscard]] word rest_of_line() const noexcept {
    return line_.is_empty() ? free : contended;
  }

  platform::atomic<word> word_{free};
  var<bool> is_offered_ = false;    // An offer is on its way.
  var<std::uint32_t> chain_ = 0;    // Exchanges in a row.
  var<waiter*> arrived_ = nullptr;  // Was told to come, and spins.
  line line_;
};

}  // namespace hotseat::boost_fiber::detail

#include <hotseat/boost_fiber/detail/lock_passing.hpp>  // IWYU pragma: export
#include <hotseat/boost_fiber/detail/lock_waiting.hpp>  // IWYU pragma: export
