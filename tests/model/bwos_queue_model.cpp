// hotseat/tests/model/bwos_queue_model.cpp — the queue with 2 blocks of 2 slots, so that
// every edge of a block is near: each item comes out once, as if each operation took one
// moment.
#include <gtest/gtest.h>

#include <hotseat/platform/memory.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/bwos_queue.hpp>
#include <support/scenario.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace hotseat::detail {
namespace {

using platform::thread;
using testing::explore_some;

/// The programs are short, so more than the usual two preemptions can be tried.
void explore_all(const std::function<void()>& program) {
  testing::explore_all(program, {.preemptions = 8});
}

constexpr int nothing = -1;

/// What happened between two moments, and to which items.
struct event {
  enum class kind : std::uint8_t { push, pop, steal };

  kind what;
  int start;
  int end;
  std::array<int, 2> items;
  int count;
};

/// Whether some order of the events, consistent with time, makes a plain sequence behave
/// the same.  A pop takes the newest item, or the oldest.  A steal takes neighbours from
/// the oldest block that it sees, which need not be the oldest of all; it may also miss
/// items.
class sequence_check {
 public:
  sequence_check(const std::vector<event>& events, queue_order order)
      : events_{events}, order_{order}, is_done_(events.size(), false) {}

  [[nodiscard]] bool holds() { return goes_on_from({}, 0); }

 private:
  [[nodiscard]] bool goes_on_from(const std::vector<int>& inside, std::size_t done) {
    if (done == events_.size()) return true;
    int earliest_end = INT32_MAX;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!is_done_[i]) earliest_end = std::min(earliest_end, events_[i].end);
    }
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (is_done_[i] || events_[i].start > earliest_end) continue;
      std::vector<int> after = inside;
      if (!apply(events_[i], after)) continue;
      is_done_[i] = true;
      if (goes_on_from(after, done + 1)) return true;
      is_done_[i] = false;
    }
    return false;
  }

  [[nodiscard]] bool apply(const event& e, std::vector<int>& inside) const {
    switch (e.what) {
      case event::kind::push:
        inside.push_back(e.items[0]);
        return true;
      case event::kind::pop: {
        if (e.count == 0 || inside.empty()) return e.count == 0 && inside.empty();
        const auto end = order_ == queue_order::lifo ? inside.end() - 1 : inside.begin();
        if (*end != e.items[0]) return false;
        inside.erase(end);
        return true;
      }
      case event::kind::steal: {
        const auto last = e.items.begin() + e.count;
        const auto from = std::search(inside.begin(), inside.end(), e.items.begin(), last);
        if (from == inside.end()) return false;
        inside.erase(from, from + e.count);
        return true;
      }
    }
    return false;
  }

  const std::vector<event>& events_;
  const queue_order order_;
  std::vector<bool> is_done_;
};

/// A queue whose items are numbered as they are pushed.  Both the pusher and the taker
/// write an item's content: a missing order between them is a race, and so are two takers.
class rig {
 public:
  explicit rig(queue_order order)
      : order_{order},
        storage_{platform::allocate_pages(bwos_queue::storage_bytes(2, 2))},
        queue{storage_.get(), 2, 2, order} {}

  bool try_push() {
    const auto number = static_cast<std::size_t>(pushed_);
    verify(number < items_.size(), "the scenario is not larger than its items");
    items_[number] = pushed_;
    const int start = ++now_;
    ++pushed_;  // A thief may get it before the push returns.
    if (!queue.push(&items_[number])) {
      --pushed_;
      return false;
    }
    events_.push_back({event::kind::push, start, ++now_, {pushed_ - 1}, 1});
    return true;
  }

  void push(int count = 1) {
    for (int i = 0; i < count; ++i) verify(try_push(), "there is room");
  }

  int pop() {
    const int start = ++now_;
    const int number = take(queue.pop());
    events_.push_back(
        {event::kind::pop, start, ++now_, {number}, number == nothing ? 0 : 1});
    return number;
  }

  void pop_all() {
    while (pop() != nothing) {
    }
  }

  /// As a thief.  Returns how many of up to `most` it got.
  int steal(std::size_t most) {
    const int start = ++now_;
    std::array<bwos_queue::item, 2> stolen{};
    const auto count = static_cast<int>(queue.steal(std::span{stolen}.first(most)));
    const int end = ++now_;
    std::array<int, 2> numbers{};
    for (std::size_t i = 0; i < 2; ++i) numbers[i] = take(stolen[i]);
    if (count != 0) events_.push_back({event::kind::steal, start, end, numbers, count});
    return count;
  }

  /// Call it when the thieves have ended: what they left is still there, and nothing else.
  void end() {
    pop_all();
    for (int number = 0; number < pushed_; ++number) {
      verify(times_taken_[static_cast<std::size_t>(number)] == 1, "Q3: exactly once");
    }
    verify(sequence_check{events_, order_}.holds(), "it behaves like a sequence");
  }

 private:
  static constexpr std::size_t most_items = 12;
  static constexpr int taken = -2;

  int take(bwos_queue::item what) {
    if (what == nullptr) return nothing;
    auto& content = *static_cast<platform::var<int>*>(what);
    const int number = content;
    verify(number >= 0 && number < pushed_, "what was pushed comes out");
    const auto index = static_cast<std::size_t>(number);
    verify(&content == &items_[index], "the item, and not another one");
    content = taken;
    verify(++times_taken_[index] == 1, "Q3: not twice");
    return number;
  }

  const queue_order order_;
  const platform::pages storage_;
  std::array<platform::var<int>, most_items> items_;
  std::array<int, most_items> times_taken_{};
  std::vector<event> events_;
  int pushed_ = 0;
  int now_ = 0;

 public:
  bwos_queue queue;
};

class BwosQueueModelOfAnyOrder : public ::testing::TestWithParam<queue_order> {};
INSTANTIATE_TEST_SUITE_P(Orders, BwosQueueModelOfAnyOrder,
                         ::testing::Values(queue_order::lifo, queue_order::fifo),
                         [](const auto& each) {
                           return each.param == queue_order::lifo ? "lifo" : "fifo";
                         });

/// A thief takes half of what is granted while the owner reclaims it.
void steal_against_reclaim(queue_order order) {
  rig r{order};
  r.push(2);
  r.queue.expose();
  thread thief{[&] { r.steal(1); }};
  r.pop();
  r.pop();
  thief.join();
  r.end();
}

TEST_P(BwosQueueModelOfAnyOrder, a_steal_against_a_pop_that_reclaims) {
  explore_all([order = GetParam()] { steal_against_reclaim(order); });
}

/// The second offer extends the first, or is a grant of its own.
void steal_against_extend(queue_order order) {
  rig r{order};
  r.push();
  r.queue.expose_all();
  thread thief{[&] {
    r.steal(2);
    r.steal(2);
  }};
  r.push();
  r.queue.expose_all();
  r.pop();
  thief.join();
  r.end();
}

TEST_P(BwosQueueModelOfAnyOrder, a_steal_against_an_extended_offer) {
  explore_all([order = GetParam()] { steal_against_extend(order); });
}

/// The owner takes one of the items that it offered, pushes another and offers that: the
/// word has the value that a thief has read, but stands for other items.
TEST(BwosQueueModel, a_steal_against_an_offer_that_came_back) {
  explore_all([] {
    rig r{queue_order::lifo};
    r.push(2);
    r.queue.expose();
    thread thief{[&] {
      r.steal(1);
      r.steal(1);
    }};
    r.pop();
    r.try_push();
    r.queue.expose_all();
    r.pop();
    thief.join();
    r.end();
  });
}

/// Reclaimed, reset, granted again: a thief that looked at the block in its earlier life
/// must not claim items of the next one on the strength of that look.
void steal_across_lives(queue_order order) {
  rig r{order};
  r.push(2);
  r.queue.expose();
  thread thief{[&] {
    r.steal(1);
    r.steal(1);
  }};
  r.pop_all();
  if (r.try_push() && r.try_push()) r.queue.expose();
  r.pop();
  thief.join();
  r.end();
}

TEST_P(BwosQueueModelOfAnyOrder, a_steal_across_two_lives_of_a_block) {
  explore_all([order = GetParam()] { steal_across_lives(order); });
}

/// The owner moves on to its second block, which opens the whole first one.
void steal_whole_block(queue_order order) {
  rig r{order};
  r.push(2);
  thread thief{[&] {
    r.steal(2);
    r.steal(2);
  }};
  r.push();
  r.queue.expose_all();
  r.pop();
  r.pop();
  thief.join();
  r.end();
}

TEST_P(BwosQueueModelOfAnyOrder, a_whole_block_is_stolen_while_the_owner_is_in_the_next) {
  explore_all([order = GetParam()] { steal_whole_block(order); });
}

/// Once round the ring and back into the block that a thief may still be reading (B4).
void overwrite_what_was_read(queue_order order) {
  rig r{order};
  r.push(3);
  r.queue.expose_all();
  thread thief{[&] { r.steal(2); }};
  int pushed = 0;
  for (int i = 0; i < 3 && pushed < 2; ++i) {
    if (r.try_push()) {
      ++pushed;
    } else {
      r.pop();
    }
  }
  r.queue.expose_all();
  r.pop();
  thief.join();
  r.end();
}

TEST_P(BwosQueueModelOfAnyOrder, a_slot_is_not_overwritten_before_the_thief_has_read_it) {
  explore_all([order = GetParam()] { overwrite_what_was_read(order); });
}

/// The queue is full: a push is refused until thieves have made room, and nothing is lost.
void overflow(queue_order order) {
  rig r{order};
  r.push(4);
  verify(!r.try_push(), "four slots are full");
  r.queue.expose_all();
  thread thief{[&] {
    while (r.steal(2) == 0) platform::relax();
    r.steal(2);
  }};
  bool has_room = false;
  for (int i = 0; i < 3 && !has_room; ++i) {
    has_room = r.try_push();
    if (!has_room) platform::relax();
  }
  thief.join();
  verify(has_room || r.try_push(), "room that thieves have made is found");
  r.end();
}

TEST_P(BwosQueueModelOfAnyOrder, a_full_queue_refuses_until_thieves_have_made_room) {
  explore_all([order = GetParam()] { overflow(order); });
}

void two_thieves(queue_order order) {
  rig r{order};
  r.push(2);
  r.queue.expose();
  thread first{[&] { r.steal(1); }};
  thread second{[&] { r.steal(1); }};
  r.pop();
  first.join();
  second.join();
  r.end();
}

TEST_P(BwosQueueModelOfAnyOrder, two_thieves_and_the_owner_want_the_same_two_items) {
  explore_all([order = GetParam()] { two_thieves(order); });
}

/// Meets every edge several times.
void long_run(queue_order order) {
  rig r{order};
  const auto rob = [&] {
    for (std::size_t i = 0; i < 3; ++i) r.steal(1 + i % 2);
  };
  r.push();
  r.queue.expose();
  thread first{rob};
  thread second{rob};
  for (int i = 0; i < 3; ++i) {
    r.try_push();
    r.try_push();
    r.queue.expose();
    r.try_push();
    r.pop();
    r.queue.expose_all();
  }
  r.pop();
  first.join();
  second.join();
  r.end();
}

TEST_P(BwosQueueModelOfAnyOrder, two_thieves_rob_a_busy_owner) {
  explore_some(500'000, [order = GetParam()] { long_run(order); });
}

/// As workers do: stolen items go into the thief's own queue, and are stolen from there.
TEST(BwosQueueModel, two_owners_steal_from_each_other) {
  explore_some(800'000, [] {
    const platform::pages storage =
        platform::allocate_pages(bwos_queue::storage_bytes(2, 2));
    bwos_queue mine{storage.get(), 2, 2, queue_order::fifo};
    const platform::pages other_storage =
        platform::allocate_pages(bwos_queue::storage_bytes(2, 2));
    bwos_queue others{other_storage.get(), 2, 2, queue_order::lifo};
    std::array<platform::var<int>, 4> items;
    std::array<int, 4> taken{};
    const auto take = [&](bwos_queue::item what) {
      auto& item = *static_cast<platform::var<int>*>(what);
      const int number = item;
      item = nothing;
      verify(++taken.at(static_cast<std::size_t>(number)) == 1, "Q3: not twice");
    };
    const auto work = [&](bwos_queue& own, bwos_queue& victim) {
      for (int i = 0; i < 3; ++i) {
        if (const auto what = own.pop()) {
          take(what);
          own.expose_all();
          continue;
        }
        std::array<bwos_queue::item, 2> stolen{};
        const std::size_t room = std::min<std::size_t>(own.room(), 1);
        const std::size_t count = victim.steal(std::span{stolen}.first(room + 1));
        if (count == 0) continue;
        if (count == 2) verify(own.push(stolen[1]), "there is the room it asked for");
        own.expose_all();
        take(stolen[0]);
      }
    };
    for (int i = 0; i < 4; ++i) {
      items[static_cast<std::size_t>(i)] = i;
      verify(mine.push(&items[static_cast<std::size_t>(i)]), "there is room");
    }
    mine.expose_all();
    thread other{[&] { work(others, mine); }};
    work(mine, others);
    other.join();
    for (bwos_queue* const each : {&mine, &others}) {
      while (const auto what = each->pop()) take(what);
    }
    verify(taken == std::array{1, 1, 1, 1}, "Q3: exactly once");
  });
}

}  // namespace
}  // namespace hotseat::detail
