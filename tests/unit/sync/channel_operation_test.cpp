// hotseat/tests/unit/sync/channel_operation_test.cpp — what runs where, and what happens to
// a wait that ends early.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sync/channel.hpp>
#include <hotseat/sync/channel_operation.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <system_error>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

// --- What runs where.

template <class Channel>
owned count_locks(Channel& c, std::vector<std::uint32_t>& counts) {
  detail::current().locks_held = 3;
  EXPECT_TRUE(co_await c.send(1));
  counts.push_back(detail::current().locks_held);
  detail::current().locks_held = 2;
  EXPECT_EQ(co_await c.receive(), 2);
  counts.push_back(detail::current().locks_held);
}

TEST(ChannelOperation, a_task_takes_the_number_of_its_locks_with_it) {
  manual_executor ex{1};
  channel<int> c{0};
  std::vector<std::uint32_t> counts;
  owned task = count_locks(c, counts);
  task.start_on(ex);
  ex.run_all();
  EXPECT_EQ(c.try_receive(), 1);
  ex.run_all();
  EXPECT_TRUE(c.try_send(2));
  ex.run_all();
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{3, 2}));
}

// --- Waits that end early.

class LimitedChannel : public ::testing::Test {
 protected:
  using text = std::unique_ptr<int>;
  using texts = channel<text>;

  manual_executor ex{2};
  texts c{0};
  std::stop_source stop;
  text offer = std::make_unique<int>(5);
  text got;
  std::optional<channel_status> sent;
  std::optional<channel_status> received;

  owned send_stoppable() {
    const send_result result = co_await c.send(std::move(offer), stop.get_token());
    sent = result.status();
  }
  owned receive_stoppable() {
    receive_result<text> result = co_await c.receive(stop.get_token());
    received = result.status();
    if (result) got = *std::move(result);
  }
  owned send_timed(std::chrono::nanoseconds time) {
    const send_result result =
        co_await c.send_for(std::move(offer), time, stop.get_token());
    sent = result.status();
  }
  owned receive_timed(std::chrono::nanoseconds time) {
    const auto due = std::chrono::steady_clock::now() + time;
    receive_result<text> result = co_await c.receive_until(due, stop.get_token());
    received = result.status();
    if (result) got = *std::move(result);
  }
  owned send_plain() {
    const bool is_sent = co_await c.send(std::move(offer));
    sent = is_sent ? channel_status::success : channel_status::closed;
  }
  owned receive_plain() {
    std::optional<text> result = co_await c.receive();
    received = result ? channel_status::success : channel_status::closed;
    if (result) got = *std::move(result);
  }
  void run(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
};

TEST_F(LimitedChannel, a_sender_that_is_told_to_stop_keeps_its_value) {
  owned sender = send_stoppable();
  run(sender);
  EXPECT_EQ(sent, std::nullopt);
  stop.request_stop();
  ex.run_all();
  EXPECT_EQ(sent, channel_status::left);
  ASSERT_NE(offer, nullptr);
  EXPECT_EQ(c.try_receive(), std::nullopt) << "it is out of the line";
}

TEST_F(LimitedChannel, close_after_the_wait_was_left_changes_nothing) {
  owned receiver = receive_stoppable();
  run(receiver);
  stop.request_stop();
  c.close();
  ex.run_all();
  EXPECT_EQ(received, channel_status::left);
}

TEST_F(LimitedChannel, a_stop_after_close_changes_nothing) {
  owned receiver = receive_stoppable();
  run(receiver);
  c.close();
  stop.request_stop();
  ex.run_all();
  EXPECT_EQ(received, channel_status::closed);
  owned sender = send_stoppable();
  run(sender);
  EXPECT_EQ(sent, channel_status::closed);
  EXPECT_NE(offer, nullptr);
}

TEST_F(LimitedChannel, the_time_of_a_sender_is_over) {
  owned sender = send_timed(1h);
  run(sender);
  EXPECT_EQ(sent, std::nullopt);
  ex.clock.ring_all();
  ex.run_all();
  EXPECT_EQ(sent, channel_status::left);
  EXPECT_NE(offer, nullptr);
  EXPECT_EQ(c.try_receive(), std::nullopt);
}

TEST_F(LimitedChannel, close_may_come_before_the_receiver_has_suspended) {
  ex.clock.on_set = [this] { c.close(); };
  owned receiver = receive_timed(1h);
  run(receiver);
  EXPECT_EQ(received, channel_status::closed);
}

TEST_F(LimitedChannel, limited_sides_meet) {
  owned receiver = receive_timed(1h);
  owned sender = send_timed(1h);
  run(receiver);
  run(sender);
  EXPECT_EQ(sent, channel_status::success);
  EXPECT_EQ(received, channel_status::success);
  EXPECT_EQ(*got, 5);
  EXPECT_TRUE(ex.clock.is_empty());
}

template <class Channel>
owned send_without_clock(Channel& c, std::unique_ptr<int>& offer, bool& has_thrown) {
  try {
    static_cast<void>(co_await c.send_for(std::move(offer), 1h));
  } catch (const std::system_error&) {
    has_thrown = true;
  }
}

TEST_F(LimitedChannel, a_clock_that_cannot_start_costs_no_value) {
  ex.clock.on_start = [] {
    throw std::system_error{
        std::make_error_code(std::errc::resource_unavailable_try_again)};
  };
  bool has_thrown = false;
  owned sender = send_without_clock(c, offer, has_thrown);
  run(sender);
  EXPECT_TRUE(has_thrown);
  EXPECT_NE(offer, nullptr);
  EXPECT_EQ(c.try_receive(), std::nullopt);
}

TEST_F(LimitedChannel, a_task_that_is_destroyed_while_it_waits_leaves_the_line) {
  {
    owned plain = send_plain();
    run(plain);
  }
  ASSERT_NE(offer, nullptr);
  {
    owned stoppable = send_stoppable();
    run(stoppable);
  }
  {
    owned timed = send_timed(1h);
    run(timed);
  }
  EXPECT_TRUE(ex.clock.is_empty());
  EXPECT_EQ(c.try_receive(), std::nullopt);
  {
    owned plain = receive_plain();
    run(plain);
  }
  {
    owned timed = receive_timed(1h);
    run(timed);
  }
  EXPECT_FALSE(c.try_send(std::move(offer)));
  EXPECT_NE(offer, nullptr);
}

TEST_F(LimitedChannel, a_copy_dies_after_the_wait_of_a_destroyed_sender) {
  channel<std::string> words{0};
  const std::string word(100, 'x');
  {
    const auto send_word = [](auto& to, const std::string& what) -> owned {
      static_cast<void>(co_await to.send(what));
    };
    owned sender = send_word(words, word);
    run(sender);
  }
  EXPECT_EQ(words.try_receive(), std::nullopt);
}

TEST_F(LimitedChannel, a_blocked_thread_gives_up_in_time) {
  const receive_result<std::unique_ptr<int>> late = block_on(c.receive_for(1ns));
  EXPECT_EQ(late.status(), channel_status::left);
  const send_result refused = block_on(c.send_for(std::move(offer), 1ns));
  EXPECT_EQ(refused.status(), channel_status::left);
  EXPECT_NE(offer, nullptr);
}

/// Destroys the channel as soon as it has received.
template <class Channel>
testing::detached receive_and_destroy(executor& where, std::unique_ptr<Channel>& c) {
  co_await testing::on(where);
  EXPECT_EQ(co_await c->receive(), 7);
  c.reset();
}
template <class Channel>
testing::detached send_once(executor& where, Channel& c, bool& is_done) {
  co_await testing::on(where);
  EXPECT_TRUE(co_await c.send(7));
  is_done = true;
}

TEST_F(LimitedChannel, the_task_that_receives_the_last_value_may_destroy_the_channel) {
  for (const std::size_t capacity : {0U, 1U}) {
    testing::immediate_executor immediate;
    auto shared = std::make_unique<channel<int>>(capacity);
    bool is_done = false;
    receive_and_destroy(immediate, shared);
    ASSERT_NE(shared, nullptr);
    send_once(immediate, *shared, is_done);
    EXPECT_EQ(shared, nullptr);
    EXPECT_TRUE(is_done);
  }
}

}  // namespace
}  // namespace hotseat
