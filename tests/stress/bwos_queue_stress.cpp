// hotseat/tests/stress/bwos_queue_stress.cpp — an owner and its thieves, on real threads.
// Layer: runtime.  Every item must come out exactly once, whatever the shape.  The smallest
// shapes change hands all the time.  HOTSEAT_STRESS_SCALE (1) scales the number of items.
#include <hotseat/platform/memory.hpp>
#include <hotseat/runtime/detail/bwos_queue.hpp>
#include <support/scaled.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <random>
#include <span>
#include <thread>
#include <vector>

namespace hotseat::detail {
namespace {

using item = bwos_queue::item;

using testing::scaled;

struct shape {
  std::uint32_t count;
  std::uint32_t size;
  unsigned thieves;
  queue_order order;
};

std::ostream& operator<<(std::ostream& out, const shape& s) {
  return out << s.count << "x" << s.size << "_" << s.thieves << "_thieves_"
             << (s.order == queue_order::fifo ? "fifo" : "lifo");
}

/// Numbers from 1 on go through a queue.  Each thread counts in a vector of its own what it
/// got, so that an item that comes out twice is found even if two threads get it at once.
class contest {
 public:
  contest(const shape& how, std::size_t items)
      : how_{how},
        items_{items},
        memory_{platform::allocate_pages(bwos_queue::storage_bytes(how.size, how.count))},
        queue_{memory_.get(), how.size, how.count, how.order},
        got_(how.thieves + 1, std::vector<std::uint8_t>(items + 1)) {}

  void run(std::uint64_t seed) {
    std::vector<std::thread> thieves;
    for (unsigned i = 1; i <= how_.thieves; ++i) {
      thieves.emplace_back([this, i, seed] { steal(i, seed + i); });
    }
    own(seed);
    is_over_.store(true, std::memory_order_relaxed);
    for (std::thread& thief : thieves) thief.join();
    while (const item left = queue_.pop()) take(0, left);
    for (std::size_t n = 1; n <= items_; ++n) {
      unsigned times = 0;
      for (const auto& mine : got_) times += mine[n];
      ASSERT_EQ(times, 1U) << "item " << n << " of " << items_ << ", seed " << seed;
    }
  }

  [[nodiscard]] std::size_t stolen() const { return stolen_; }

 private:
  void take(std::size_t who, item what) {
    ++got_[who][reinterpret_cast<std::uintptr_t>(what)];
  }

  void own(std::uint64_t seed) {
    std::mt19937_64 random{seed};
    std::uintptr_t next = 1;
    while (next <= items_) {
      // Bursts of pushes and pops, so that the queue becomes full and empty.
      const std::uint64_t dice = random();
      const unsigned pushes = dice % 8 == 0 ? how_.size * how_.count : dice >> 8 & 3;
      for (unsigned i = 0; i < pushes && next <= items_; ++i) {
        if (!queue_.push(reinterpret_cast<item>(next))) break;
        ++next;
      }
      if ((dice >> 16 & 1) != 0) queue_.expose();
      const unsigned pops = (dice >> 24 & 7) == 0 ? how_.size * how_.count : dice >> 32 & 3;
      for (unsigned i = 0; i < pops; ++i) {
        const item what = queue_.pop();
        if (what == nullptr) break;
        take(0, what);
      }
      if ((dice >> 40 & 1) != 0) {
        // What room() promises must fit.
        for (std::uint32_t room = queue_.room(); room > 0 && next <= items_; --room) {
          ASSERT_TRUE(queue_.push(reinterpret_cast<item>(next)));
          ++next;
        }
      }
    }
  }

  void steal(std::size_t who, std::uint64_t seed) {
    std::mt19937_64 random{seed};
    std::array<item, 64> taken;
    std::size_t mine = 0;
    while (!is_over_.load(std::memory_order_relaxed)) {
      const std::size_t count = queue_.steal(std::span{taken}.first(1 + random() % 64));
      for (std::size_t i = 0; i < count; ++i) take(who, taken[i]);
      mine += count;
      if (count == 0) std::this_thread::yield();
    }
    stolen_.fetch_add(mine, std::memory_order_relaxed);
  }

  const shape how_;
  const std::size_t items_;
  platform::pages memory_;
  bwos_queue queue_;
  std::vector<std::vector<std::uint8_t>> got_;
  std::atomic<bool> is_over_{false};
  std::atomic<std::size_t> stolen_{0};
};

class BwosQueueStress : public ::testing::TestWithParam<shape> {};

TEST_P(BwosQueueStress, Q3_every_item_is_popped_or_stolen_exactly_once) {
  const std::size_t items = scaled(2'000'000, 1000);
  contest game{GetParam(), items};
  game.run(items + 17);
  RecordProperty("stolen", static_cast<int>(game.stolen()));
}

std::vector<shape> shapes() {
  std::vector<shape> result;
  struct blocks {
    std::uint32_t count;
    std::uint32_t size;
  };
  for (const auto [count, size] : {blocks{2, 1}, {2, 2}, {4, 2}, {4, 32}}) {
    for (const unsigned thieves : {1U, 2U, 4U}) {
      for (const queue_order order : {queue_order::fifo, queue_order::lifo}) {
        result.push_back({count, size, thieves, order});
      }
    }
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Shapes, BwosQueueStress, ::testing::ValuesIn(shapes()),
                         [](const auto& param) {
                           return ::testing::PrintToString(param.param);
                         });

}  // namespace
}  // namespace hotseat::detail
