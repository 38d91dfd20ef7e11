// hotseat/tests/stress/channel_stress.cpp — every value once and in order, however many
// tasks send, receive, give up or close.  Layer: sync.  Several capacities.
// HOTSEAT_STRESS_SCALE (1) scales the number of values.
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/channel.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <support/scaled.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::scaled;

/// Move-only, and owns memory: a lost value leaks, a duplicated one is freed twice.
class numbered {
 public:
  numbered(std::size_t sender, std::size_t number)
      : what_{std::make_unique<std::pair<std::size_t, std::size_t>>(sender, number)} {}
  [[nodiscard]] bool is_there() const noexcept { return what_ != nullptr; }
  [[nodiscard]] std::size_t sender() const noexcept { return what_->first; }
  [[nodiscard]] std::size_t number() const noexcept { return what_->second; }

 private:
  std::unique_ptr<std::pair<std::size_t, std::size_t>> what_;
};

/// What was received: how often each value, and whether in order.
class tally {
 public:
  tally(std::size_t senders, std::size_t values)
      : values_{values}, seen_(senders * values) {}

  /// What one receiver has seen: ever later values from each sender.
  class view {
   public:
    explicit view(tally& all) : all_{all}, next_(all.seen_.size() / all.values_) {}
    void accept(const numbered& value) noexcept {
      if (value.number() < next_[value.sender()]) ++all_.overtaken_;
      next_[value.sender()] = value.number() + 1;
      ++all_.seen_[value.sender() * all_.values_ + value.number()];
    }

   private:
    tally& all_;
    std::vector<std::size_t> next_;
  };

  void check() const {
    EXPECT_EQ(overtaken_, 0U);
    const auto once =
        std::count_if(seen_.begin(), seen_.end(),
                      [](const std::atomic<int>& times) { return times == 1; });
    EXPECT_EQ(static_cast<std::size_t>(once), seen_.size());
  }

 private:
  std::size_t values_;
  std::vector<std::atomic<int>> seen_;
  std::atomic<std::size_t> overtaken_{0};
};

/// The last sender to finish closes the channel.
struct traffic {
  std::size_t senders;
  std::size_t values;
  std::atomic<std::size_t> sending{senders};
  tally all{senders, values};
};

/// xorshift: every task has its own.
class dice {
 public:
  explicit dice(std::size_t seed) : state_{seed * 2'654'435'761U + 1} {}
  std::size_t below(std::size_t end) noexcept {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<std::size_t>(state_ % end);
  }

 private:
  std::uint64_t state_;
};

task<> send_all(channel<numbered>& to, traffic& shared, std::size_t self) {
  for (std::size_t i = 0; i < shared.values; ++i) {
    EXPECT_TRUE(co_await to.send(numbered(self, i)));
  }
  if (--shared.sending == 0) to.close();
}

task<> receive_all(channel<numbered>& from, traffic& shared) {
  tally::view seen{shared.all};
  while (const std::optional<numbered> value = co_await from.receive()) {
    seen.accept(*value);
  }
}

task<> receive_batches(channel<numbered>& from, traffic& shared, std::size_t most) {
  tally::view seen{shared.all};
  std::vector<numbered> values;
  while (co_await from.receive_many(values, most) != 0) {
    for (const numbered& value : values) seen.accept(value);
    values.clear();
  }
}

/// Gives up now and then, and sends the same value again.
task<> send_impatiently(channel<numbered>& to, traffic& shared, std::size_t self) {
  dice random{self};
  for (std::size_t i = 0; i < shared.values; ++i) {
    numbered value(self, i);
    for (;;) {
      const std::chrono::microseconds time{random.below(200)};
      const send_result sent = co_await to.send_for(std::move(value), time);
      EXPECT_FALSE(sent.is_closed());
      if (sent) break;
      EXPECT_TRUE(value.is_there()) << "what was not sent is still ours";
    }
    if (random.below(8) == 0) co_await reschedule();
  }
  if (--shared.sending == 0) to.close();
}

task<> receive_impatiently(channel<numbered>& from, traffic& shared, std::size_t self) {
  tally::view seen{shared.all};
  dice random{self + 1000};
  for (;;) {
    const std::chrono::microseconds time{random.below(200)};
    const receive_result<numbered> value = co_await from.receive_for(time);
    if (value) {
      seen.accept(*value);
    } else if (value.is_closed()) {
      break;
    }
    if (random.below(8) == 0) co_await reschedule();
  }
}

TEST(ChannelStress, passes_every_value_once_and_in_order) {
  for (const std::size_t capacity : {0U, 1U, 64U}) {
    for (const unsigned workers : {1U, 2U, 4U}) {
      thread_pool pool{workers};
      channel<numbered> c{capacity};
      traffic shared{.senders = 16, .values = scaled(2000)};
      std::vector<task<>> all;
      for (std::size_t i = 0; i < shared.senders; ++i) {
        all.push_back(send_all(c, shared, i));
        all.push_back(i % 2 == 0 ? receive_all(c, shared) : receive_batches(c, shared, i));
      }
      sync_wait(pool, when_all(std::move(all)));
      shared.all.check();
      EXPECT_EQ(c.size(), 0U);
    }
  }
}

TEST(ChannelStress, loses_nothing_when_either_side_gives_up) {
  for (const std::size_t capacity : {0U, 1U, 64U}) {
    thread_pool pool{4U};
    channel<numbered> c{capacity};
    traffic shared{.senders = 8, .values = scaled(1000)};
    std::vector<task<>> all;
    for (std::size_t i = 0; i < shared.senders; ++i) {
      all.push_back(send_impatiently(c, shared, i));
      all.push_back(receive_impatiently(c, shared, i));
    }
    sync_wait(pool, when_all(std::move(all)));
    shared.all.check();
  }
}

/// Receives until it is told to stop.
task<> receive_until_stopped(channel<numbered>& from, traffic& shared,
                             std::stop_token stop) {
  tally::view seen{shared.all};
  for (;;) {
    const receive_result<numbered> value = co_await from.receive(stop);
    if (!value) break;
    seen.accept(*value);
  }
}

task<> relieve(channel<numbered>& from, traffic& shared, std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    std::stop_source stop;
    std::thread other{[&] { stop.request_stop(); }};
    co_await receive_until_stopped(from, shared, stop.get_token());
    other.join();
  }
  co_await receive_all(from, shared);
}

TEST(ChannelStress, loses_nothing_when_receivers_are_told_to_stop) {
  for (const std::size_t capacity : {0U, 1U, 64U}) {
    thread_pool pool{3U};
    channel<numbered> c{capacity};
    traffic shared{.senders = 4, .values = scaled(2000)};
    std::vector<task<>> all;
    for (std::size_t i = 0; i < shared.senders; ++i) {
      all.push_back(send_all(c, shared, i));
      all.push_back(relieve(c, shared, scaled(50)));
    }
    sync_wait(pool, when_all(std::move(all)));
    shared.all.check();
  }
}

TEST(ChannelStress, serves_tasks_and_plain_threads_at_once) {
  for (const std::size_t capacity : {0U, 1U, 64U}) {
    thread_pool pool{2U};
    channel<numbered> c{capacity};
    traffic shared{.senders = 4, .values = scaled(1000)};
    std::vector<std::thread> threads;
    for (const std::size_t self : {2U, 3U}) {
      threads.emplace_back([&, self] {
        for (std::size_t i = 0; i < shared.values; ++i) {
          EXPECT_TRUE(c.send_blocking(numbered(self, i)));
        }
        if (--shared.sending == 0) c.close();
      });
      threads.emplace_back([&] {
        tally::view seen{shared.all};
        while (const std::optional<numbered> value = c.receive_blocking()) {
          seen.accept(*value);
        }
      });
    }
    std::vector<task<>> all;
    for (const std::size_t self : {0U, 1U}) {
      all.push_back(send_all(c, shared, self));
      all.push_back(receive_all(c, shared));
    }
    sync_wait(pool, when_all(std::move(all)));
    for (std::thread& thread : threads) thread.join();
    shared.all.check();
  }
}

task<> send_until_closed(channel<numbered>& to, std::size_t self,
                         std::atomic<std::size_t>& sent) {
  for (std::size_t i = 0;; ++i) {
    numbered value(self, i);
    if (!co_await to.send(std::move(value))) {
      EXPECT_TRUE(value.is_there());
      break;
    }
    ++sent;
  }
}

task<> count_received(channel<numbered>& from, std::atomic<std::size_t>& received,
                      std::size_t enough) {
  while (const std::optional<numbered> value = co_await from.receive()) {
    if (++received == enough) from.close();
  }
}

TEST(ChannelStress, gives_everything_it_took_when_it_is_closed_under_load) {
  for (const std::size_t capacity : {0U, 1U, 64U}) {
    for (std::size_t round = 0; round < scaled(50); ++round) {
      thread_pool pool{3U};
      channel<numbered> c{capacity};
      std::atomic<std::size_t> sent{0};
      std::atomic<std::size_t> received{0};
      std::vector<task<>> all;
      for (std::size_t i = 0; i < 6; ++i) {
        all.push_back(send_until_closed(c, i, sent));
        all.push_back(count_received(c, received, 200 + round));
      }
      sync_wait(pool, when_all(std::move(all)));
      EXPECT_EQ(sent, received);
    }
  }
}

}  // namespace
}  // namespace hotseat
