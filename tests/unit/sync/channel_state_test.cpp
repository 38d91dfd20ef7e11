// hotseat/tests/unit/sync/channel_state_test.cpp — which value goes to which task.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sync/detail/channel_state.hpp>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace hotseat::detail {
namespace {

struct sender : send_waiter<int> {
  explicit sender(int what) : kept{what} { value = &kept; }
  int kept;
};
using receiver = receive_waiter<int>;

transfer send(channel_state<int>& state, int value) {
  const transfer_result result = state.try_send(value);
  EXPECT_EQ(result.heir, nullptr);
  return result.what;
}

std::optional<int> receive(channel_state<int>& state) {
  std::optional<int> value;
  const transfer_result result = state.try_receive(value);
  EXPECT_EQ(result.heir, nullptr);
  return value;
}

bool waits(const transfer_result& result) { return result.what == transfer::waiting; }

TEST(ChannelState, sends_while_there_is_room_and_receives_while_there_are_values) {
  channel_state<int> state{2};
  EXPECT_EQ(send(state, 1), transfer::done);
  EXPECT_EQ(send(state, 2), transfer::done);
  EXPECT_EQ(state.size(), 2U);
  EXPECT_EQ(send(state, 3), transfer::waiting);
  EXPECT_EQ(receive(state), 1);
  EXPECT_EQ(send(state, 3), transfer::done);
  EXPECT_EQ(receive(state), 2);
  EXPECT_EQ(receive(state), 3);
  EXPECT_EQ(receive(state), std::nullopt);
  EXPECT_EQ(state.capacity(), 2U);
}

TEST(ChannelState, without_a_buffer_a_value_needs_a_waiter) {
  channel_state<int> state{0};
  EXPECT_EQ(send(state, 1), transfer::waiting);
  EXPECT_EQ(receive(state), std::nullopt);
  receiver r;
  ASSERT_TRUE(waits(state.receive_or_enqueue(r)));
  int value = 7;
  EXPECT_EQ(state.try_send(value).heir, &r);
  EXPECT_EQ(r.value, 7);
  sender s{8};
  ASSERT_TRUE(waits(state.send_or_enqueue(s)));
  std::optional<int> got;
  EXPECT_EQ(state.try_receive(got).heir, &s);
  EXPECT_EQ(got, 8);
  EXPECT_TRUE(s.is_taken);
  EXPECT_FALSE(state.is_waited());
}

TEST(ChannelState, an_operation_that_need_not_wait_is_not_queued) {
  channel_state<int> state{1};
  sender s{5};
  EXPECT_EQ(state.send_or_enqueue(s).what, transfer::done);
  EXPECT_TRUE(s.is_taken);
  EXPECT_FALSE(s.is_in_line);
  receiver r;
  EXPECT_EQ(state.receive_or_enqueue(r).what, transfer::done);
  EXPECT_EQ(r.value, 5);
  EXPECT_FALSE(r.is_in_line);
  EXPECT_FALSE(state.is_waited());
}

TEST(ChannelState, C1_a_value_is_moved_from_only_when_it_goes) {
  using text = std::unique_ptr<int>;
  channel_state<text> state{1};
  text first = std::make_unique<int>(1);
  text second = std::make_unique<int>(2);
  EXPECT_EQ(state.try_send(first).what, transfer::done);
  EXPECT_EQ(first, nullptr);
  EXPECT_EQ(state.try_send(second).what, transfer::waiting);
  ASSERT_NE(second, nullptr);
  send_waiter<text> s;
  s.value = &second;
  ASSERT_EQ(state.send_or_enqueue(s).what, transfer::waiting);
  ASSERT_NE(second, nullptr);
  EXPECT_TRUE(state.leave(s));
  ASSERT_NE(second, nullptr);
  EXPECT_FALSE(s.is_taken);
  static_cast<void>(state.close());
  EXPECT_EQ(state.send_or_enqueue(s).what, transfer::closed);
  EXPECT_NE(second, nullptr);
}

TEST(ChannelState, C1_a_served_waiter_cannot_leave) {
  channel_state<int> state{0};
  receiver r;
  ASSERT_TRUE(waits(state.receive_or_enqueue(r)));
  int value = 1;
  EXPECT_EQ(state.try_send(value).heir, &r);
  EXPECT_FALSE(state.leave(r));
  EXPECT_EQ(r.value, 1);
  sender s{2};
  ASSERT_TRUE(waits(state.send_or_enqueue(s)));
  std::optional<int> got;
  EXPECT_EQ(state.try_receive(got).heir, &s);
  EXPECT_FALSE(state.leave(s));
  EXPECT_TRUE(s.is_taken);
}

TEST(ChannelState, C2_values_that_wait_come_after_those_in_the_buffer) {
  channel_state<int> state{2};
  EXPECT_EQ(send(state, 1), transfer::done);
  EXPECT_EQ(send(state, 2), transfer::done);
  sender three{3};
  sender four{4};
  ASSERT_TRUE(waits(state.send_or_enqueue(three)));
  ASSERT_TRUE(waits(state.send_or_enqueue(four)));
  std::optional<int> got;
  EXPECT_EQ(state.try_receive(got).heir, &three);
  EXPECT_EQ(got, 1);
  EXPECT_EQ(state.size(), 2U) << "the value of the first sender went in";
  EXPECT_EQ(state.try_receive(got).heir, &four);
  EXPECT_EQ(got, 2);
  EXPECT_EQ(receive(state), 3);
  EXPECT_EQ(receive(state), 4);
}

TEST(ChannelState, C3_only_one_side_waits) {
  channel_state<int> state{1};
  receiver r;
  ASSERT_TRUE(waits(state.receive_or_enqueue(r)));
  sender s{1};
  EXPECT_EQ(state.send_or_enqueue(s).heir, &r) << "it serves and does not wait";
  EXPECT_FALSE(state.is_waited());
  EXPECT_EQ(send(state, 2), transfer::done);
  ASSERT_TRUE(waits(state.send_or_enqueue(s)));
  EXPECT_TRUE(state.is_waited());
  receiver later;
  EXPECT_EQ(state.receive_or_enqueue(later).heir, &s);
  EXPECT_EQ(later.value, 2);
  EXPECT_FALSE(state.is_waited());
}

TEST(ChannelState, C4_receivers_are_served_in_order_of_arrival) {
  channel_state<int> state{4};
  std::array<receiver, 4> r;
  for (receiver& each : r) ASSERT_TRUE(waits(state.receive_or_enqueue(each)));
  EXPECT_TRUE(state.leave(r[1]));
  for (const std::size_t i : {0U, 2U, 3U}) {
    int value = static_cast<int>(i);
    EXPECT_EQ(state.try_send(value).heir, &r[i]);
    EXPECT_EQ(r[i].value, static_cast<int>(i));
  }
  EXPECT_FALSE(state.is_waited());
}

TEST(ChannelState, C4_senders_are_served_in_order_and_not_overtaken) {
  channel_state<int> state{0};
  std::deque<sender> s;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(waits(state.send_or_enqueue(s.emplace_back(i))));
  }
  EXPECT_EQ(send(state, 9), transfer::waiting);
  EXPECT_TRUE(state.leave(s[2]));
  for (const std::size_t i : {0U, 1U, 3U}) {
    std::optional<int> got;
    EXPECT_EQ(state.try_receive(got).heir, &s[i]);
    EXPECT_EQ(got, static_cast<int>(i));
  }
  EXPECT_FALSE(state.is_waited());
}

TEST(ChannelState, C5_closing_ends_all_waits) {
  channel_state<int> state{1};
  receiver first;
  receiver second;
  ASSERT_TRUE(waits(state.receive_or_enqueue(first)));
  ASSERT_TRUE(waits(state.receive_or_enqueue(second)));
  waiter_queue heirs = state.close();
  EXPECT_EQ(&heirs.pop_front(), &first);
  EXPECT_EQ(&heirs.pop_front(), &second);
  EXPECT_TRUE(heirs.empty());
  EXPECT_FALSE(first.value.has_value());
  EXPECT_FALSE(state.leave(first)) << "it has been taken out of the line";
  EXPECT_TRUE(state.is_closed());
  EXPECT_FALSE(state.is_waited());
  EXPECT_EQ(state.receive_or_enqueue(first).what, transfer::closed);
  EXPECT_TRUE(state.close().empty()) << "no waiter is left for the second close";
}

TEST(ChannelState, C5_closing_sends_senders_away_and_keeps_the_buffer) {
  channel_state<int> state{1};
  EXPECT_EQ(send(state, 1), transfer::done);
  sender s{2};
  ASSERT_TRUE(waits(state.send_or_enqueue(s)));
  waiter_queue heirs = state.close();
  EXPECT_EQ(&heirs.pop_front(), &s);
  EXPECT_FALSE(s.is_taken);
  EXPECT_EQ(s.kept, 2);
  EXPECT_EQ(state.size(), 1U);
  EXPECT_EQ(send(state, 3), transfer::closed);
  EXPECT_EQ(receive(state), 1);
  std::optional<int> nothing;
  EXPECT_EQ(state.try_receive(nothing).what, transfer::closed);
}

struct many {
  transfer what;
  std::vector<int> values;
  std::vector<waiter*> heirs;
};

many receive_many(channel_state<int>& state, std::size_t most) {
  many result;
  waiter_queue heirs;
  result.what = state.try_receive_many(most, heirs,
                                       [&](int& value) { result.values.push_back(value); });
  while (!heirs.empty()) result.heirs.push_back(&heirs.pop_front());
  return result;
}

TEST(ChannelState, C1_closing_may_take_what_is_buffered_out) {
  channel_state<int> state{2};
  int value = 7;
  EXPECT_EQ(state.try_send(value).what, transfer::done);
  std::optional<ring_buffer<int>> discarded;
  EXPECT_TRUE(state.close(discarded).empty());
  EXPECT_EQ(discarded->size(), 1U);
  EXPECT_EQ(discarded->front(), 7);
  EXPECT_EQ(state.size(), 0U);
  EXPECT_TRUE(state.is_closed());
  std::optional<int> received;
  EXPECT_EQ(state.try_receive(received).what, transfer::closed);
  EXPECT_EQ(state.try_send(value).what, transfer::closed);
}

TEST(ChannelState, receives_many_from_the_buffer_and_then_from_waiting_senders) {
  channel_state<int> state{2};
  EXPECT_EQ(receive_many(state, 9).what, transfer::waiting);
  EXPECT_EQ(send(state, 1), transfer::done);
  EXPECT_EQ(send(state, 2), transfer::done);
  std::deque<sender> s;
  for (int i = 3; i < 7; ++i) {
    ASSERT_TRUE(waits(state.send_or_enqueue(s.emplace_back(i))));
  }
  const many three = receive_many(state, 3);
  EXPECT_EQ(three.what, transfer::done);
  EXPECT_EQ(three.values, (std::vector{1, 2, 3}));
  EXPECT_EQ(three.heirs, (std::vector<waiter*>{&s[0], &s[1], &s[2]}));
  EXPECT_EQ(state.size(), 2U);
  const many rest = receive_many(state, 100);
  EXPECT_EQ(rest.values, (std::vector{4, 5, 6}));
  EXPECT_EQ(rest.heirs, (std::vector<waiter*>{&s[3]}));
  EXPECT_FALSE(state.is_waited());
  static_cast<void>(state.close());
  EXPECT_EQ(receive_many(state, 1).what, transfer::closed);
}

TEST(ChannelState, receives_many_without_a_buffer) {
  channel_state<int> state{0};
  std::deque<sender> s;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(waits(state.send_or_enqueue(s.emplace_back(i))));
  }
  EXPECT_EQ(receive_many(state, 2).values, (std::vector{0, 1}));
  EXPECT_EQ(receive_many(state, 2).values, (std::vector{2}));
  EXPECT_FALSE(state.is_waited());
}

/// A plain implementation of the same channel, to compare with.
struct simple_channel {
  std::size_t capacity;
  std::deque<int> values;
  std::deque<sender*> senders;
  std::deque<receiver*> receivers;
};

// All operations in random order; after each, both states agree.
TEST(ChannelState, agrees_with_a_simple_one_whatever_happens) {
  std::mt19937 random{1};
  for (const std::size_t capacity : {0U, 1U, 3U}) {
    channel_state<int> state{capacity};
    simple_channel simple{capacity, {}, {}, {}};
    std::deque<sender> senders;
    std::deque<receiver> receivers;
    for (int i = 0; i < 20'000; ++i) {
      const auto verb = random() % 6;
      if (verb < 2) {
        sender& s = senders.emplace_back(i);
        const transfer_result result = state.send_or_enqueue(s);
        if (!simple.receivers.empty()) {
          ASSERT_EQ(result.heir, simple.receivers.front());
          ASSERT_EQ(simple.receivers.front()->value, i);
          simple.receivers.pop_front();
        } else if (simple.values.size() < capacity) {
          ASSERT_EQ(result.what, transfer::done);
          simple.values.push_back(i);
        } else {
          ASSERT_EQ(result.what, transfer::waiting);
          simple.senders.push_back(&s);
        }
      } else if (verb < 4) {
        receiver& r = receivers.emplace_back();
        const transfer_result result = state.receive_or_enqueue(r);
        if (!simple.senders.empty()) {
          ASSERT_EQ(result.heir, simple.senders.front());
          simple.values.push_back(simple.senders.front()->kept);
          simple.senders.pop_front();
        }
        if (!simple.values.empty()) {
          ASSERT_EQ(r.value, simple.values.front());
          simple.values.pop_front();
        } else {
          ASSERT_EQ(result.what, transfer::waiting);
          simple.receivers.push_back(&r);
        }
      } else if (verb == 4 && !simple.senders.empty()) {
        const auto who = static_cast<std::ptrdiff_t>(random() % simple.senders.size());
        ASSERT_TRUE(state.leave(*simple.senders[static_cast<std::size_t>(who)]));
        simple.senders.erase(simple.senders.begin() + who);
      } else if (verb == 5 && !simple.receivers.empty()) {
        const auto who = static_cast<std::ptrdiff_t>(random() % simple.receivers.size());
        ASSERT_TRUE(state.leave(*simple.receivers[static_cast<std::size_t>(who)]));
        simple.receivers.erase(simple.receivers.begin() + who);
      }
      ASSERT_EQ(state.size(), simple.values.size());
      ASSERT_EQ(state.is_waited(), !simple.senders.empty() || !simple.receivers.empty());
      ASSERT_TRUE(simple.senders.empty() || simple.receivers.empty());
    }
    static_cast<void>(state.close());
  }
}

}  // namespace
}  // namespace hotseat::detail
