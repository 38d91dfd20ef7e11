// hotseat/runtime/detail/sleepers.hpp — which workers search or sleep, and which to wake.
// Layer: runtime/detail.  Why it loses no wake-up and wakes no herd:
// docs/design/parking.md.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/event_source.hpp>

#include <concepts>
#include <cstdint>
#include <memory>

namespace hotseat::detail {

/// How eager a worker is: low after it has stolen what was not worth moving.
enum class eagerness : std::uint8_t { usual, low };

/// What the protocol needs to know about the work, from a pool or from a model of one.
template <class T>
concept workplace = requires(const T& place) {
  { place.shows_work() } noexcept -> std::same_as<bool>;  // A thief would find something.
  { place.is_over() } noexcept -> std::same_as<bool>;     // The workers must leave.
};

/// Every worker is busy, searching or asleep.
///
///     busy ──start_searching──► searching ──fall_asleep──► asleep
///      ▲                          │   ▲                      │
///      └──────stop_searching──────┘   └──wake_one, stay_up───┘
///
/// One word counts the last two, `searching:32 | asleep:32`.  Two bits for each worker say
/// whether it sleeps, and whether it must not get up yet (`asleep_bit`, `taken_bit`).  A
/// waker moves the sleeper to `searching` on its behalf, so that no second worker is woken
/// for the same work before the first is really awake.
///
///     taken, asleep      it can be woken
///     taken, not asleep  it is being woken, but the count has not been moved yet
///     neither            it is awake, and counted as such
///
/// Thieves start and stop searching all the time, and with hundreds of them the word would
/// pass from core to core without end.  So workers are in groups, each with a count of its
/// own searchers, and the word counts the groups that have any:
///
///     begin   group + 1; if it was 0, then adds the group to the word
///     end     group - 1; if it is 0 now, then takes the group from the word
///
/// So a search may have begun before the word says so, which wakes one worker too many.  Or
/// the word shows a group too long, until the group's last searcher clears it; the
/// last-searcher rule then applies to it.  A pool of one group has only the word, which
/// then counts the searchers themselves.
///
/// Invariants
///   S1  If work can be stolen and a worker sleeps, then a worker searches, or a thread is
///       between making the work visible and `wake_one`.
///   S2  The thread that clears a worker's `asleep_bit`, and no other, moves the count.  It
///       then clears `taken_bit` and, unless it is that worker, unparks the sleeper.  The
///       sleeper is up when `taken_bit` is clear, not before: it could fall asleep again
///       under a count that does not know yet that it was up.  A token alone means nothing,
///       since one may be left over.
///   S3  In the order of the word, a group is added before it is taken away, and a worker
///       that falls asleep counts as asleep before it ceases to count as searching.
///
/// Memory order
///   W  acq_rel  falling asleep        ⟷ `platform::load_after_stores`:
///               a submitter makes work visible, then looks at the word; a sleeper changes
///               the word, then looks for work.  One of them sees the other.  The same
///               holds for the last searcher when it stops (acquire: it has nothing to
///               publish).  (⇒ S1)  Other changes of the count are read-modify-writes, so
///               they break no release sequence and need no order.  The thread that ends
///               the pool meets the sleepers in the order of the word itself.
///   G  acq_rel  end in a group        ⟷ G   earlier searchers changed the word before the
///               last one does (⇒ S3)
///   F  release  taken_bit → clear     ⟶ U   the count was moved before
///   U  acquire  taken_bit clear       ⟵ F
class sleepers : pinned<sleepers> {
 public:
  static constexpr std::uint32_t largest_group = 32;

  /// `cpus`: how many workers can run at a time.  With `events` the workers sleep there,
  /// otherwise each in its parker.
  explicit sleepers(std::uint32_t workers, std::uint32_t cpus = UINT32_MAX,
                    std::uint32_t group_size = largest_group,
                    event_source* events = nullptr);

  /// A snapshot of the word.
  struct counts {
    std::uint32_t asleep;
    std::uint32_t searching;  ///< Groups that have searchers; of one group, the searchers.
    [[nodiscard]] bool some_are_idle() const noexcept { return (asleep | searching) != 0; }
    [[nodiscard]] bool needs_wake() const noexcept { return asleep != 0 && searching == 0; }
  };

  /// For a submitter: reads the word, not before its own stores.
  [[nodiscard]] counts look() noexcept {
    return unpack(platform::load_after_stores(word_));
  }

  /// For the thread that ends the pool: counts all workers that have fallen asleep before.
  /// One that does so later sees what came before this call, even if it passes no fence.
  [[nodiscard]] counts count() noexcept {
    return unpack(word_.fetch_add(0, std::memory_order_acq_rel));  // W
  }

  /// Reads the word without any order.
  [[nodiscard]] counts glance() const noexcept {
    return unpack(word_.load(std::memory_order_relaxed));
  }

  /// Whether the busy workers have all CPUs, so that one that searches or steals takes a
  /// CPU from them.  Never if each worker has a CPU of its own.
  /// REQUIRES: the caller is not busy.
  [[nodiscard]] bool are_cpus_busy() const noexcept {
    return workers_ > cpus_ && busy() >= cpus_;
  }

  // --- The protocol, as the workers and the model run it.

  /// busy → searching.  Returns false, and changes nothing, if half the group's awake
  /// workers already search (half the pool's, if the group mostly sleeps).  Approximate:
  /// others may start at the same moment.  With `eagerness::low`, also false if any of
  /// these search and the other workers have all CPUs.
  [[nodiscard]] bool start_searching(std::uint32_t worker,
                                     eagerness how_eager = eagerness::usual) noexcept;

  /// searching → busy, with work in hand.  The last searcher passes the search on if there
  /// is more (S1).  Returns whether it woke a worker.
  template <workplace Place>
  bool found_work(std::uint32_t worker, const Place& place) noexcept {
    if (!stop_searching(worker) || glance().asleep == 0) return false;
    // A submitter that saw us search left its work to us, perhaps before we could see that
    // work: the same race as in falling asleep, and the same fence.
    if (!place.shows_work()) platform::heavy_fence();
    return place.shows_work() && wake_if_needed(worker);
  }

  /// busy or searching → asleep → searching.  Sleeps until woken, unless the pool is over
  /// or the last look shows work (S1).  Calls `before_sleep` once nothing but a waker can
  /// keep the worker up, and then `doze_off` in a loop: it sleeps, perhaps not long enough,
  /// and returns whether the worker has found something to do by itself.  Returns whether
  /// it slept.
  template <workplace Place, std::invocable BeforeSleep, std::predicate DozeOff>
  bool sleep_if_idle(std::uint32_t worker, bool was_searching, eagerness how_eager,
                     const Place& place, BeforeSleep before_sleep,
                     DozeOff doze_off) noexcept {
    const bool must_look = fall_asleep(worker, was_searching, how_eager);
    if (place.is_over() || (must_look && place.shows_work())) {
      stay_up(worker, doze_off);
      return false;
    }
    before_sleep();
    sleep(worker, doze_off);
    return true;
  }
  /// The same in the worker's parker.
  template <workplace Place, std::invocable BeforeSleep>
  bool sleep_if_idle(std::uint32_t worker, bool was_searching, eagerness how_eager,
                     const Place& place, BeforeSleep before_sleep) noexcept {
    return sleep_if_idle(worker, was_searching, how_eager, place, before_sleep,
                         in_parker(worker));
  }

  /// After making work visible (S1): wakes a worker if one sleeps and none searches.
  /// Returns whether it did.
  bool wake_if_needed(std::uint32_t near) noexcept {
    return look().needs_wake() && wake_one(near);
  }

  // --- The steps of the protocol.

  /// searching → busy.  Returns whether no other worker searches.
  [[nodiscard]] bool stop_searching(std::uint32_t worker) noexcept;

  /// busy or searching → asleep.  Returns whether the caller must look for work once more:
  /// not with `eagerness::low` while another worker searches (S1).  After that it must
  /// either `stay_up` or `sleep`.
  bool fall_asleep(std::uint32_t worker, bool was_searching,
                   eagerness how_eager = eagerness::usual) noexcept;

  /// asleep → searching, by the sleeper itself; or, if a waker is just doing that, waits
  /// for it.
  template <std::predicate DozeOff>
  void stay_up(std::uint32_t worker, DozeOff doze_off) noexcept {
    if (!get_up(worker)) sleep(worker, doze_off);
  }
  void stay_up(std::uint32_t worker) noexcept { stay_up(worker, in_parker(worker)); }

  /// Sleeps until woken, or until `doze_off` returns true; the caller then counts as
  /// searching.
  template <std::predicate DozeOff>
  void sleep(std::uint32_t worker, DozeOff doze_off) noexcept {
    while ((bits(worker).load(std::memory_order_acquire) & taken_bit(worker)) != 0) {  // U
      if (doze_off() && get_up(worker)) return;
    }
  }
  void sleep(std::uint32_t worker) noexcept { sleep(worker, in_parker(worker)); }

  /// Keeps a searching worker off its core until `end`.
  void doze(std::uint32_t worker, platform::clock::time_point end) noexcept {
    parkers_[worker].value.park_until(end);
  }

  /// asleep → searching for one worker, `near` or the next one behind it.  Returns whether
  /// a worker was asleep.
  bool wake_one(std::uint32_t near) noexcept;

  /// For the thread that ends the pool: wakes all workers that have fallen asleep.  One
  /// that does so later sees what the caller did before.
  void wake_all() noexcept {
    if (count().asleep == 0) return;
    while (wake_one(0)) {
    }
  }

  /// Wakes one worker, whether it sleeps or dozes.
  void wake(std::uint32_t worker) noexcept {
    static_cast<void>(get_up(worker));
    rouse(worker);
  }

  [[nodiscard]] std::uint32_t workers() const noexcept { return workers_; }

 private:
  static constexpr std::uint64_t one_asleep = 1;
  static constexpr std::uint64_t one_searching = std::uint64_t{1} << 32;

  struct alignas(cache_line_pair) group {
    /// Low half: asleep bits.  High half: taken bits.
    platform::atomic<std::uint64_t> bits{0};
    platform::atomic<std::uint32_t> searching{0};  // only with several groups
  };
  static constexpr std::uint64_t all_asleep = (std::uint64_t{1} << largest_group) - 1;

  [[nodiscard]] std::uint64_t asleep_bit(std::uint32_t worker) const noexcept {
    return std::uint64_t{1} << worker % group_size_;
  }
  [[nodiscard]] std::uint64_t taken_bit(std::uint32_t worker) const noexcept {
    return asleep_bit(worker) << largest_group;
  }
  [[nodiscard]] group& group_of(std::uint32_t worker) const noexcept {
    return groups_[worker / group_size_];
  }
  [[nodiscard]] platform::atomic<std::uint64_t>& bits(std::uint32_t worker) const noexcept {
    return group_of(worker).bits;
  }

  [[nodiscard]] static counts unpack(std::uint64_t word) noexcept {
    return {.asleep = static_cast<std::uint32_t>(word),
            .searching = static_cast<std::uint32_t>(word >> 32)};
  }

  struct awake_counts {
    std::uint32_t searching;
    std::uint32_t awake;
  };
  [[nodiscard]] awake_counts all() const noexcept;
  /// The workers of its group, or all if few of the group are awake.
  [[nodiscard]] awake_counts those_near(std::uint32_t worker) const noexcept;
  [[nodiscard]] std::uint32_t busy() const noexcept {
    const awake_counts who = all();
    return who.awake - who.searching;
  }
  // What to add to the word, or to subtract from it.
  [[nodiscard]] std::uint64_t begin_in_group(std::uint32_t worker) noexcept;
  [[nodiscard]] std::uint64_t end_in_group(std::uint32_t worker) noexcept;
  [[nodiscard]] bool count_as_asleep(std::uint32_t worker, bool was_searching) noexcept;
  bool try_wake_in(std::uint32_t index, std::uint64_t candidates) noexcept;
  bool get_up(std::uint32_t worker) noexcept;
  void rouse(std::uint32_t worker) noexcept;
  struct parked {
    platform::parker& where;
    bool operator()() const noexcept {
      where.park();
      return false;
    }
  };
  [[nodiscard]] parked in_parker(std::uint32_t worker) noexcept {
    return {parkers_[worker].value};
  }

  const std::uint32_t workers_;
  const std::uint32_t cpus_;
  const std::uint32_t group_size_;
  const std::uint32_t group_count_;
  event_source* const events_;
  std::unique_ptr<padded<platform::parker>[]> parkers_;
  std::unique_ptr<group[]> groups_;
  alignas(cache_line_pair) platform::atomic<std::uint64_t> word_{0};
};

}  // namespace hotseat::detail
