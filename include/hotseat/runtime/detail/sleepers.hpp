// hotseat/runtime/detail/sleepers.hpp — who searches, who sleeps, and whom to wake.
// Layer: runtime/detail.  Why it loses no wake-up and wakes no herd:
// docs/design/parking.md.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>

#include <concepts>
#include <cstdint>
#include <memory>

namespace hotseat::detail {

/// How much a worker wants to do.  Small after it has stolen what was not worth moving.
enum class appetite : std::uint8_t { usual, small };

/// What the protocol asks about the work: a pool answers, or a model of one.
template <class T>
concept workplace = requires(const T& place) {
  { place.shows_work() } noexcept -> std::same_as<bool>;  // A thief would find something.
  { place.is_over() } noexcept -> std::same_as<bool>;     // The workers go home.
};

/// Every worker is busy, searching or asleep.
///
///     busy ──start_searching──► searching ──fall_asleep──► asleep
///      ▲                          │   ▲                      │
///      └──────stop_searching──────┘   └──wake_one, stay_up───┘
///
/// One word counts the last two, `searching:32 | asleep:32`; two bits for each worker say
/// who sleeps, and whose bed is taken.  A waker moves the sleeper to `searching` on its
/// behalf, so that until it has really woken up nobody else is woken for the same work.
///
///     bed taken, asleep      it can be woken
///     bed taken, not asleep  somebody is waking it, but has not moved the count yet
///     neither                it is awake, and counted as such
///
/// Thieves begin and end to search all the time, and where there are hundreds the word
/// would pass from one to the next without end.  So workers are in groups, each with a
/// count of its own searchers, and the word counts the groups that have any:
///
///     begin   group + 1; who finds it at 0 then adds the group to the word
///     end     group - 1; who leaves it at 0 then takes the group from the word
///
/// So a search may have begun before the word says so, which wakes one too many; and the
/// word may say so a little longer, until the last of the group gets round to it, who is a
/// last searcher like any other.  A pool of one group has only the word, which then counts
/// the searchers themselves.
///
/// Invariants
///   S1  If work can be stolen and somebody sleeps, then somebody searches, or somebody is
///       between making the work visible and `wake_one`.
///   S2  Whoever clears the bit that a worker sleeps, and nobody else, moves the count; it
///       then frees the bed and, unless it is the sleeper itself, unparks it.  The sleeper
///       is up when its bed is free: earlier, it could fall asleep once more under a count
///       that does not know yet that it was up; and a token alone means nothing, since one
///       may be left over.
///   S3  In the order of the word, a group is taken from it after it was added, and whoever
///       falls asleep is counted as asleep before it is not counted as searching.
///
/// Memory order
///   W  acq_rel  who falls asleep      ⟷ the often side of fence.hpp:
///               a submitter makes work visible, then looks at the word; a sleeper changes
///               the word, then looks for work.  One of them sees the other.  So does
///               the last searcher, when it stops (acquire: it has nothing to show).
///               (⇒ S1)  Other changes of the count are read-modify-writes and need no
///               order: they break no chain.  Who ends the pool meets the sleepers in the
///               order of the word itself.
///   G  acq_rel  end in a group        ⟷ G   what those before did to the word comes before
///               what the last one does to it (⇒ S3)
///   F  release  bed taken → free      ⟶ U   the count was moved before
///   U  acquire  bed free              ⟵ F
class sleepers : pinned<sleepers> {
 public:
  static constexpr std::uint32_t largest_group = 32;

  /// `cpus`: how many workers can run at a time.
  explicit sleepers(std::uint32_t workers, std::uint32_t cpus = UINT32_MAX,
                    std::uint32_t group_size = largest_group);

  /// A picture of the word.
  struct census {
    std::uint32_t asleep;
    std::uint32_t searching;  ///< Groups that have searchers; of one group, the searchers.
    [[nodiscard]] bool is_hungry() const noexcept { return (asleep | searching) != 0; }
    [[nodiscard]] bool needs_wake() const noexcept { return asleep != 0 && searching == 0; }
  };

  /// The submitter's look: not earlier than its stores.
  [[nodiscard]] census look() noexcept {
    return unpack(platform::load_after_stores(word_));
  }

  /// The look of whoever ends the pool: it sees whoever has fallen asleep before, and
  /// whoever does later sees what came before it, even one that passes no fence.
  [[nodiscard]] census count() noexcept {
    return unpack(word_.fetch_add(0, std::memory_order_acq_rel));  // W
  }

  /// A look without any order.
  [[nodiscard]] census glance() const noexcept {
    return unpack(word_.load(std::memory_order_relaxed));
  }

  /// Whether the busy ones have all CPUs: who searches or steals now takes one from them.
  /// Where each worker has a CPU of its own there is nothing to look at.
  /// REQUIRES: the caller is not busy.
  [[nodiscard]] bool is_crowded() const noexcept {
    return workers_ > cpus_ && busy() >= cpus_;
  }

  // --- The protocol, as the workers and the model run it.

  /// busy → searching.  False, and nothing changes, if half of those awake search already:
  /// in its group, or in all if few are awake there.  As far as the caller can see: some
  /// may start at the same moment.  With a small appetite, also if somebody does and the
  /// others have all CPUs.
  [[nodiscard]] bool start_searching(std::uint32_t worker,
                                     appetite how_much = appetite::usual) noexcept;

  /// searching → busy, with work in hand.  The last searcher passes the search on if there
  /// is more (S1).  Returns whether it woke a worker.
  template <workplace Place>
  bool found_work(std::uint32_t worker, const Place& place) noexcept {
    if (!stop_searching(worker) || glance().asleep == 0) return false;
    // A submitter that saw us search has left its work to us, and may have seen that before
    // the work could be seen: the same argument as for falling asleep, and the same fence.
    if (!place.shows_work()) platform::heavy_fence();
    return place.shows_work() && wake_if_needed(worker);
  }

  /// busy or searching → asleep → searching.  Sleeps until woken, unless the pool is over
  /// or the last look shows work (S1).  Calls `before_sleep` once nothing but a waker can
  /// keep the worker up.  Returns whether it slept.
  template <workplace Place, std::invocable BeforeSleep>
  bool sleep_if_idle(std::uint32_t worker, bool was_searching, appetite how_much,
                     const Place& place, BeforeSleep before_sleep) noexcept {
    const bool must_look = fall_asleep(worker, was_searching, how_much);
    if (place.is_over() || (must_look && place.shows_work())) {
      stay_up(worker);
      return false;
    }
    before_sleep();
    sleep(worker);
    return true;
  }

  /// After making work visible (S1): wakes a worker if one sleeps and none searches.
  /// Returns whether it did.
  bool wake_if_needed(std::uint32_t near) noexcept {
    return look().needs_wake() && wake_one(near);
  }

  // --- Its single steps.

  /// searching → busy.  Returns whether nobody else searches.
  [[nodiscard]] bool stop_searching(std::uint32_t worker) noexcept;

  /// busy or searching → asleep, announced.  Returns whether the caller must look for work
  /// once more: not if its appetite is small and another one searches (S1).  Then it must
  /// either `stay_up` or `sleep`.
  bool fall_asleep(std::uint32_t worker, bool was_searching,
                   appetite how_much = appetite::usual) noexcept;

  /// asleep → searching, by the sleeper's own choice, unless a waker does it just now: then
  /// waits for it.
  void stay_up(std::uint32_t worker) noexcept;

  /// Sleeps until woken; the caller is searching then.
  void sleep(std::uint32_t worker) noexcept;

  /// Keeps a searching worker off its core until `end`.
  void doze(std::uint32_t worker, platform::clock::time_point end) noexcept {
    beds_[worker].value.park_until(end);
  }

  /// asleep → searching for one worker, `near` or the next one behind it.  Returns whether
  /// there was one.
  bool wake_one(std::uint32_t near) noexcept;

  /// For whoever ends the pool: wakes all who have fallen asleep; who does so later sees
  /// what the caller did before.
  void wake_all() noexcept {
    if (count().asleep == 0) return;
    while (wake_one(0)) {
    }
  }

  /// Wakes that worker, whether it sleeps or dozes.
  void wake(std::uint32_t worker) noexcept {
    static_cast<void>(get_up(worker));
    beds_[worker].value.unpark();
  }

  [[nodiscard]] std::uint32_t workers() const noexcept { return workers_; }

 private:
  static constexpr std::uint64_t one_asleep = 1;
  static constexpr std::uint64_t one_searching = std::uint64_t{1} << 32;

  struct alignas(cache_line_pair) group {
    /// The low half says who sleeps, the high half whose bed is taken.
    platform::atomic<std::uint64_t> bits{0};
    platform::atomic<std::uint32_t> searching{0};  // if there are several groups
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

  [[nodiscard]] static census unpack(std::uint64_t word) noexcept {
    return {.asleep = static_cast<std::uint32_t>(word),
            .searching = static_cast<std::uint32_t>(word >> 32)};
  }

  struct party {
    std::uint32_t searching;
    std::uint32_t awake;
  };
  [[nodiscard]] party all() const noexcept;
  /// Those of its group, or all if few of them are awake.
  [[nodiscard]] party those_near(std::uint32_t worker) const noexcept;
  [[nodiscard]] std::uint32_t busy() const noexcept {
    const party who = all();
    return who.awake - who.searching;
  }
  // What is to be added to the word, or taken from it.
  [[nodiscard]] std::uint64_t begin_in_group(std::uint32_t worker) noexcept;
  [[nodiscard]] std::uint64_t end_in_group(std::uint32_t worker) noexcept;
  [[nodiscard]] bool count_as_asleep(std::uint32_t worker, bool was_searching) noexcept;
  bool try_wake_in(std::uint32_t index, std::uint64_t candidates) noexcept;
  bool get_up(std::uint32_t worker) noexcept;

  const std::uint32_t workers_;
  const std::uint32_t cpus_;
  const std::uint32_t group_size_;
  const std::uint32_t group_count_;
  std::unique_ptr<padded<platform::parker>[]> beds_;
  std::unique_ptr<group[]> groups_;
  alignas(cache_line_pair) platform::atomic<std::uint64_t> word_{0};
};

}  // namespace hotseat::detail
