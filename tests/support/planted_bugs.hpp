// hotseat/tests/support/planted_bugs.hpp — small concurrent programs, each once with a
// typical bug and once without.
#pragma once

#include <hotseat/core/spin_lock.hpp>
#include <hotseat/explore/explore.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/mutex.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace hotseat::planted {

using platform::atomic;
using platform::parker;
using platform::thread;
using platform::var;
using failure = explore_result::kind;

inline constexpr auto relaxed = std::memory_order_relaxed;
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;
inline constexpr auto acq_rel = std::memory_order_acq_rel;
inline constexpr auto seq_cst = std::memory_order_seq_cst;

/// Whether the program has its bug.
enum class form : bool { right, wrong };

template <class... Bodies>
void together(Bodies... bodies) {
  thread threads[]{thread{bodies}...};
  for (thread& each : threads) each.join();
}

// ------------------------------------------------------------------ waking

/// The sleeper announces that it sleeps only after its last look for work.
inline void lost_wake_up(form f) {
  atomic<bool> is_ready{false};
  atomic<bool> is_sleeping{false};
  parker bed;
  together(
      [&] {
        if (f == form::right) is_sleeping.store(true, seq_cst);
        const bool must_sleep = !is_ready.load(seq_cst);
        if (f == form::wrong) is_sleeping.store(true, seq_cst);
        if (must_sleep) bed.park();
      },
      [&] {
        is_ready.store(true, seq_cst);
        if (is_sleeping.load(seq_cst)) bed.unpark();
      });
}

/// The event count is read after the condition, so an event that changes the condition in
/// between is taken for an old one.
inline void eventcount_read_again(form f) {
  atomic<bool> is_ready{false};
  atomic<std::uint32_t> events{0};
  together(
      [&] {
        std::uint32_t known = events.load(acquire);
        while (!is_ready.load(acquire)) {
          if (f == form::wrong) known = events.load(acquire);
          platform::futex_wait(events, known, nullptr);
          known = events.load(acquire);
        }
      },
      [&] {
        is_ready.store(true, release);
        events.fetch_add(1, release);
        platform::futex_wake(events);
      });
}

/// At shutdown one sleeper is woken, but there are two.
inline void one_of_two_woken_at_shutdown(form f) {
  atomic<bool> is_over{false};
  std::array<parker, 2> beds;
  const auto worker = [&](parker& bed) {
    while (!is_over.load(acquire)) bed.park();
  };
  together([&] { worker(beds[0]); }, [&] { worker(beds[1]); },
           [&] {
             is_over.store(true, release);
             beds[0].unpark();
             if (f == form::right) beds[1].unpark();
           });
}

/// Whether the event is set is tested before the lock is taken, and not again after.
inline void lost_waiter(form f) {
  spin_lock guard;
  atomic<bool> is_set{false};
  var<parker*> line = nullptr;
  parker bed;
  together(
      [&] {
        if (is_set.load(acquire)) return;
        {
          const std::lock_guard lock{guard};
          if (f == form::right && is_set.load(relaxed)) return;
          line = &bed;
        }
        bed.park();
      },
      [&] {
        parker* first = nullptr;
        {
          const std::lock_guard lock{guard};
          is_set.store(true, release);
          first = line;
        }
        if (first != nullptr) first->unpark();
      });
}

// ------------------------------------------------------------------ publishing

struct node {
  var<int> value = 0;
  node* next = nullptr;
};

/// The node can be found before it is complete.
inline void published_before_it_is_made(form f) {
  node fresh;
  atomic<node*> shown{nullptr};
  together(
      [&] {
        if (f == form::right) fresh.value = 1;
        shown.store(&fresh, release);
        if (f == form::wrong) fresh.value = 1;
      },
      [&] {
        const node* const found = shown.load(acquire);
        if (found != nullptr) verify(found->value == 1, "the node is complete");
      });
}

/// A waiter enters the line before it has written down how to resume it.
inline void handle_stored_after_publishing(form f) {
  struct waiter {
    var<parker*> resume = nullptr;
  };
  parker bed;
  waiter self;
  atomic<waiter*> line{nullptr};
  together(
      [&] {
        if (f == form::right) self.resume = &bed;
        line.store(&self, release);
        if (f == form::wrong) self.resume = &bed;
        bed.park();
      },
      [&] {
        waiter* first = nullptr;
        while ((first = line.load(acquire)) == nullptr) platform::relax();
        parker* const to_wake = first->resume;
        (to_wake != nullptr ? to_wake : &bed)->unpark();
      });
}

/// What an operation that another thread ends might look like.
struct operation {
  atomic<std::uint32_t> is_done{0};
  atomic<int> visits{0};
};

/// Once the operation is scheduled, the thread that runs it may destroy it.
inline void touched_after_it_was_scheduled(form f) {
  std::optional<operation> self{std::in_place};
  atomic<operation*> queue{nullptr};
  together(
      [&] {
        operation& own = *self;
        if (f == form::right) own.visits.fetch_add(1, relaxed);
        queue.store(&own, release);
        if (f == form::wrong) own.visits.fetch_add(1, relaxed);
      },
      [&] {
        if (queue.load(acquire) != nullptr) self.reset();
      });
}

/// The waiting thread may leave as soon as the word is set; then the operation is gone.
inline void operation_used_after_its_end(form f) {
  std::optional<operation> self{std::in_place};
  together(
      [&] {
        while (self->is_done.load(acquire) == 0) platform::relax();
        self.reset();
      },
      [&] {
        operation& other = *self;
        if (f == form::right) verify(other.visits.load(relaxed) == 0, "no visits");
        other.is_done.store(1, release);
        if (f == form::wrong) verify(other.visits.load(relaxed) == 0, "no visits");
      });
}

/// The index says that the slot is full before its contents are visible.
inline void ring_index_relaxed(form f) {
  std::array<var<int>, 2> slots;
  atomic<unsigned> back{0};
  together(
      [&] {
        for (unsigned i = 0; i < 2; ++i) {
          slots[i] = static_cast<int>(i) + 1;
          back.store(i + 1, f == form::right ? release : relaxed);
        }
      },
      [&] {
        const unsigned end = back.load(acquire);
        for (unsigned i = 0; i < end; ++i) {
          verify(slots[i] == static_cast<int>(i) + 1, "what was pushed");
        }
      });
}

/// The flag of an object that is made once is read without acquire.
inline void double_checked_locking(form f) {
  spin_lock guard;
  atomic<bool> is_made{false};
  var<int> thing = 0;
  const auto use = [&] {
    if (!is_made.load(f == form::right ? acquire : relaxed)) {
      const std::lock_guard lock{guard};
      if (!is_made.load(relaxed)) {
        thing = 1;
        is_made.store(true, release);
      }
    }
    verify(thing == 1, "the thing was made");
  };
  together(use, use);
}

/// The last reference frees what another thread may have used just before.
inline void reference_count_relaxed(form f) {
  var<int> shared = 0;
  atomic<int> references{2};
  const auto drop = [&] {
    static_cast<void>(static_cast<int>(shared));
    if (references.fetch_sub(1, f == form::right ? acq_rel : relaxed) == 1) shared = -1;
  };
  together(drop, drop);
}

// ------------------------------------------------------------------ excluding

/// The next owner need not see what the last one wrote.
inline void spin_lock_with_relaxed_unlock(form f) {
  atomic<bool> is_shut{false};
  var<int> count = 0;
  const auto add = [&] {
    while (is_shut.exchange(true, acquire)) platform::relax();
    count = count + 1;
    is_shut.store(false, f == form::right ? release : relaxed);
  };
  together(add, add);
  verify(count == 2, "no addition is lost");
}

/// Two threads draw the same ticket.
inline void ticket_drawn_in_two_steps(form f) {
  atomic<int> next{0};
  atomic<int> served{0};
  atomic<int> inside{0};
  const auto enter = [&] {
    int mine = 0;
    if (f == form::right) {
      mine = next.fetch_add(1, relaxed);
    } else {
      mine = next.load(relaxed);
      next.store(mine + 1, relaxed);
    }
    while (served.load(acquire) < mine) platform::relax();
    verify(inside.fetch_add(1, relaxed) == 0, "one at a time");
    inside.fetch_sub(1, relaxed);
    served.store(mine + 1, release);
  };
  together(enter, enter);
}

/// Each thread stores that it wants to enter, then looks at the other; the stores may not
/// be visible yet.
inline void dekker_without_fence(form f) {
  atomic<bool> wants_a{false};
  atomic<bool> wants_b{false};
  atomic<int> inside{0};
  const auto try_enter = [&](atomic<bool>& own, const atomic<bool>& other) {
    own.store(true, f == form::right ? seq_cst : release);
    if (other.load(f == form::right ? seq_cst : acquire)) return;
    inside.fetch_add(1, relaxed);
  };
  together([&] { try_enter(wants_a, wants_b); }, [&] { try_enter(wants_b, wants_a); });
  verify(inside.load(relaxed) <= 1, "one at a time");
}

/// A reader checks for a writer before it has announced itself.
inline void reader_counted_too_late(form f) {
  atomic<int> readers{0};
  atomic<bool> has_writer{false};
  var<int> data = 0;
  together(
      [&] {
        if (f == form::right) readers.fetch_add(1, seq_cst);
        const bool may_enter = !has_writer.load(seq_cst);
        if (f == form::wrong) readers.fetch_add(1, seq_cst);
        if (may_enter) static_cast<void>(static_cast<int>(data));
        readers.fetch_sub(1, release);
      },
      [&] {
        has_writer.store(true, seq_cst);
        while (readers.load(seq_cst) != 0) platform::relax();
        data = 1;
      });
}

inline void locks_in_two_orders(form f) {
  mutex a;
  mutex b;
  const auto both = [](mutex& first, mutex& second) {
    first.lock_blocking();
    second.lock_blocking();
    second.unlock_dispatch();
    first.unlock_dispatch();
  };
  together([&] { both(a, b); }, [&] { f == form::right ? both(a, b) : both(b, a); });
}

/// The reader does not check again whether a writer came meanwhile.
inline void sequence_lock_without_second_look(form f) {
  atomic<int> version{0};
  atomic<int> x{0};
  atomic<int> y{0};
  together(
      [&] {
        version.store(1, relaxed);
        x.store(1, release);
        y.store(1, release);
        version.store(2, release);
      },
      [&] {
        const int before = version.load(acquire);
        if (before % 2 != 0) return;
        const int seen_x = x.load(acquire);
        const int seen_y = y.load(acquire);
        if (f == form::right && version.load(relaxed) != before) return;
        verify(seen_x == seen_y, "both are from the same version");
      });
}

/// The counter of a barrier is reset when threads may already have come back to it.
inline void barrier_reset_too_late(form f) {
  atomic<int> arrived{0};
  atomic<int> phase{0};
  const auto arrive = [&] {
    const int now = phase.load(acquire);
    if (arrived.fetch_add(1, acq_rel) == 1) {
      if (f == form::right) arrived.store(0, relaxed);
      phase.store(now + 1, release);
      if (f == form::wrong) arrived.store(0, relaxed);
      return;
    }
    while (phase.load(acquire) == now) platform::relax();
  };
  const auto twice = [&] {
    arrive();
    arrive();
  };
  together(twice, twice);
}

// ------------------------------------------------------------------ once and only once

/// The grant and the timeout both find that the task has not been resumed yet.
inline void resumed_twice(form f) {
  atomic<bool> is_settled{false};
  atomic<int> resumes{0};
  const auto settle = [&] {
    if (f == form::right) {
      if (is_settled.exchange(true, acq_rel)) return;
    } else {
      if (is_settled.load(acquire)) return;
      is_settled.store(true, release);
    }
    resumes.fetch_add(1, relaxed);
  };
  together(settle, settle);
  verify(resumes.load(relaxed) == 1, "a task is resumed once");
}

/// A stack whose top is the number of a node.  Between reading the top and exchanging it,
/// the node may be taken, and come back on top of another one.
class number_stack {
 public:
  explicit number_stack(form f) : has_versions_{f == form::right} {}

  void push(unsigned number) {
    unsigned seen = top_.load(relaxed);
    do {
      next_[number].store(seen & 0xFFU, relaxed);
    } while (
        !top_.compare_exchange_weak(seen, with_version(seen, number), release, relaxed));
  }
  /// 0 if it is empty.
  unsigned pop() {
    unsigned seen = top_.load(acquire);
    while ((seen & 0xFFU) != 0) {
      const unsigned next = next_[seen & 0xFFU].load(relaxed);
      if (top_.compare_exchange_weak(seen, with_version(seen, next), acq_rel, acquire)) {
        return seen & 0xFFU;
      }
    }
    return 0;
  }

 private:
  [[nodiscard]] unsigned with_version(unsigned seen, unsigned number) const {
    return number | (has_versions_ ? (seen & ~0xFFU) + 0x100U : 0);
  }
  bool has_versions_;
  atomic<unsigned> top_{0};
  std::array<atomic<unsigned>, 3> next_;
};

inline void stack_with_ABA(form f) {
  number_stack stack{f};
  std::array<atomic<int>, 3> owners;
  stack.push(1);
  stack.push(2);
  const auto take = [&] {
    const unsigned number = stack.pop();
    if (number != 0) verify(owners[number].fetch_add(1, acquire) == 0, "one owner");
    return number;
  };
  const auto give = [&](unsigned number) {
    if (number == 0) return;
    owners[number].fetch_sub(1, release);
    stack.push(number);
  };
  together([&] { take(); },
           [&] {
             const unsigned first = take();
             take();
             give(first);
           });
  take();
}

/// Taking the last element leaves the tail where it was: the next element is appended to
/// one that is gone.
inline void tail_not_reset(form f) {
  spin_lock guard;
  std::array<node, 2> nodes;
  node* head = nullptr;
  node* tail = nullptr;
  int taken = 0;
  const auto pop = [&] {
    const std::lock_guard lock{guard};
    if (head == nullptr) return;
    head = head->next;
    if (head == nullptr && f == form::right) tail = nullptr;
    ++taken;
  };
  together(
      [&] {
        for (node& each : nodes) {
          const std::lock_guard lock{guard};
          if (tail == nullptr) {
            head = &each;
          } else {
            tail->next = &each;
          }
          tail = &each;
        }
      },
      pop);
  pop();
  pop();
  verify(taken == 2, "what was pushed is popped");
}

/// The worker looks for tasks and finds none, then sees that the queue is closed.  The last
/// task came in between.
inline void lost_task(form f) {
  atomic<int> tasks{0};
  atomic<bool> is_closed{false};
  int done = 0;
  together(
      [&] {
        for (;;) {
          const bool was_closed = is_closed.load(acquire);
          if (tasks.load(acquire) > done) {
            ++done;
          } else if (f == form::right ? was_closed : is_closed.load(acquire)) {
            return;
          } else {
            platform::relax();
          }
        }
      },
      [&] {
        tasks.fetch_add(1, release);
        is_closed.store(true, release);
      });
  verify(done == 1, "each task is done");
}

// ------------------------------------------------------------------ leaving

/// Permits, and the waiters for them, in order.
class permits {
 public:
  struct place {
    parker bed;
    bool is_granted = false;
  };

  void release_one() {
    place* first = nullptr;
    {
      const std::lock_guard lock{guard_};
      if (line_.empty()) {
        ++free_;
      } else {
        first = line_.front();
        line_.erase(line_.begin());
        first->is_granted = true;
        first->bed.unpark();
      }
    }
  }
  /// Whether there was a permit; otherwise `own` stands in line.
  bool take_or_wait(place& own) {
    const std::lock_guard lock{guard_};
    if (free_ > 0) {
      --free_;
      return true;
    }
    line_.push_back(&own);
    return false;
  }
  /// Whether a permit was granted first.
  bool leave(place& own, bool unlinks) {
    const std::lock_guard lock{guard_};
    if (own.is_granted) return true;
    if (unlinks) std::erase(line_, &own);
    return false;
  }

 private:
  spin_lock guard_;
  int free_ = 0;
  std::vector<place*> line_;
};

inline void wait_with_limit(permits& all, permits::place& own, bool unlinks,
                            bool passes_on) {
  using namespace std::chrono_literals;
  if (all.take_or_wait(own)) return all.release_one();
  if (own.bed.park_until(platform::now() + 50us)) return all.release_one();
  if (all.leave(own, unlinks) && passes_on) all.release_one();
}

inline void wait_without_limit(permits& all, permits::place& own) {
  if (!all.take_or_wait(own)) own.bed.park();
}

/// A thread that gives up stays in line, and is given a permit it will never use.
inline void timeout_leaves_its_place(form f) {
  permits all;
  std::array<permits::place, 2> places;
  together([&] { wait_with_limit(all, places[0], f == form::right, true); },
           [&] { wait_without_limit(all, places[1]); }, [&] { all.release_one(); });
}

/// A permit is granted while the thread gives up; it leaves without passing the permit on.
inline void permit_lost_when_giving_up(form f) {
  permits all;
  std::array<permits::place, 2> places;
  together([&] { wait_with_limit(all, places[0], true, f == form::right); },
           [&] { wait_without_limit(all, places[1]); }, [&] { all.release_one(); });
}

// ------------------------------------------------------------------ all of them

struct bug {
  const char* name;
  void (*program)(form);
  failure how;
};

inline constexpr std::array all{
    bug{"lost_wake_up", &lost_wake_up, failure::deadlock},
    bug{"eventcount_read_again", &eventcount_read_again, failure::deadlock},
    bug{"one_of_two_woken_at_shutdown", &one_of_two_woken_at_shutdown, failure::deadlock},
    bug{"lost_waiter", &lost_waiter, failure::deadlock},
    bug{"published_before_it_is_made", &published_before_it_is_made, failure::race},
    bug{"handle_stored_after_publishing", &handle_stored_after_publishing, failure::race},
    bug{"touched_after_it_was_scheduled", &touched_after_it_was_scheduled,
        failure::use_after_free},
    bug{"operation_used_after_its_end", &operation_used_after_its_end,
        failure::use_after_free},
    bug{"ring_index_relaxed", &ring_index_relaxed, failure::race},
    bug{"double_checked_locking", &double_checked_locking, failure::race},
    bug{"reference_count_relaxed", &reference_count_relaxed, failure::race},
    bug{"spin_lock_with_relaxed_unlock", &spin_lock_with_relaxed_unlock, failure::race},
    bug{"ticket_drawn_in_two_steps", &ticket_drawn_in_two_steps, failure::assertion},
    bug{"dekker_without_fence", &dekker_without_fence, failure::assertion},
    bug{"reader_counted_too_late", &reader_counted_too_late, failure::race},
    bug{"locks_in_two_orders", &locks_in_two_orders, failure::deadlock},
    bug{"sequence_lock_without_second_look", &sequence_lock_without_second_look,
        failure::assertion},
    bug{"barrier_reset_too_late", &barrier_reset_too_late, failure::livelock},
    bug{"resumed_twice", &resumed_twice, failure::assertion},
    bug{"stack_with_ABA", &stack_with_ABA, failure::assertion},
    bug{"tail_not_reset", &tail_not_reset, failure::assertion},
    bug{"lost_task", &lost_task, failure::assertion},
    bug{"timeout_leaves_its_place", &timeout_leaves_its_place, failure::deadlock},
    bug{"permit_lost_when_giving_up", &permit_lost_when_giving_up, failure::deadlock},
};

}  // namespace hotseat::planted
