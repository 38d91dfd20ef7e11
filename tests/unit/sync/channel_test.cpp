// hotseat/tests/unit/sync/channel_test.cpp — what every channel promises.
#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <hotseat/core/awaitable.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/channel.hpp>
#include <hotseat/sync/channel_result.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <support/counted_new.hpp>
#include <support/frugal_executor.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

static_assert(
    std::same_as<bool, await_result_t<decltype(std::declval<channel<int>&>().send(1))>>);
static_assert(
    std::same_as<std::optional<int>,
                 await_result_t<decltype(std::declval<channel<int>&>().receive())>>);
static_assert(!std::is_move_constructible_v<channel<int>>);
static_assert(!std::is_copy_constructible_v<channel<int>>);
static_assert(sizeof(channel<std::string>) <= 64, "one cache line");
using send_one = decltype(std::declval<channel<int>&>().send(1));
static_assert(noexcept(std::declval<send_one&>().await_ready()));
static_assert(noexcept(std::declval<send_one&>().await_suspend(nullptr)));
static_assert(noexcept(std::declval<channel<int>&>().receive().await_suspend(nullptr)));

class Channel : public ::testing::Test {
 protected:
  using ints = channel<int>;

  manual_executor ex{2};
  std::string log;

  /// Sends all values; notes "s<value> " or "x<value> ".
  owned send(ints& to, std::vector<int> values) {
    for (const int value : values) {
      const bool is_sent = co_await to.send(value);
      log += (is_sent ? 's' : 'x') + std::to_string(value) + ' ';
    }
  }
  /// Receives `times` values, or to the end; notes "r<value> ", or "end ".
  owned receive(ints& from, int times) {
    for (int i = 0; i < times; ++i) {
      const std::optional<int> value = co_await from.receive();
      log += value ? 'r' + std::to_string(*value) + ' ' : std::string{"end "};
      if (!value) break;
    }
  }
  void run(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
};

TEST_F(Channel, neither_side_waits_while_there_is_room_and_there_are_values) {
  ints c{3};
  EXPECT_EQ(c.capacity(), 3U);
  owned sender = send(c, {1, 2, 3});
  run(sender);
  EXPECT_EQ(c.size(), 3U);
  owned receiver = receive(c, 3);
  run(receiver);
  EXPECT_EQ(log, "s1 s2 s3 r1 r2 r3 ");
  EXPECT_EQ(ex.resumptions().size(), 2U);
}

TEST_F(Channel, works_on_a_thread_without_an_executor) {
  ints c{1};
  const owned sender = send(c, {1});
  sender.run();
  const owned receiver = receive(c, 1);
  receiver.run();
  EXPECT_EQ(log, "s1 r1 ");
}

TEST_F(Channel, send_waits_for_room) {
  ints c{1};
  owned sender = send(c, {1, 2, 3});
  run(sender);
  EXPECT_EQ(log, "s1 ");
  EXPECT_EQ(c.try_receive(), 1);
  EXPECT_EQ(c.size(), 1U) << "the value that waited is in the buffer already";
  ex.run_all();
  EXPECT_EQ(log, "s1 s2 ");
  EXPECT_EQ(c.try_receive(), 2);
  ex.run_all();
  EXPECT_EQ(log, "s1 s2 s3 ");
  EXPECT_EQ(c.try_receive(), 3);
}

TEST_F(Channel, receive_waits_for_a_value_which_does_not_touch_the_buffer) {
  ints c{1};
  owned receiver = receive(c, 1);
  run(receiver);
  EXPECT_EQ(log, "");
  EXPECT_TRUE(c.try_send(1));
  EXPECT_EQ(c.size(), 0U);
  EXPECT_TRUE(c.try_send(2)) << "the buffer is free";
  ex.run_all();
  EXPECT_EQ(log, "r1 ");
}

TEST_F(Channel, without_a_buffer_both_sides_wait_for_each_other) {
  ints c{0};
  EXPECT_FALSE(c.try_send(0));
  EXPECT_EQ(c.try_receive(), std::nullopt);
  owned sender = send(c, {1, 2});
  run(sender);
  EXPECT_EQ(log, "");
  owned receiver = receive(c, 2);
  run(receiver);
  EXPECT_TRUE(sender.done() && receiver.done());
  EXPECT_NE(log.find("r1"), std::string::npos);
  EXPECT_LT(log.find("r1"), log.find("r2"));
  EXPECT_LT(log.find("s1"), log.find("s2"));
}

TEST_F(Channel, values_arrive_in_the_order_sent) {
  for (const std::size_t capacity : {0U, 1U, 2U, 7U}) {
    log.clear();
    ints c{capacity};
    owned receiver = receive(c, 10);
    owned sender = send(c, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    run(receiver);
    run(sender);
    std::string received;
    for (std::size_t i = 0; i + 1 < log.size(); ++i) {
      if (log[i] == 'r') received += log[i + 1];
    }
    EXPECT_EQ(received, "0123456789") << capacity;
  }
}

TEST_F(Channel, tasks_that_wait_are_served_in_order_of_arrival) {
  ints c{0};
  std::vector<owned> tasks;
  for (int i = 0; i < 4; ++i) {
    tasks.push_back(send(c, {i}));
    run(tasks.back());
  }
  EXPECT_FALSE(c.try_send(9));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(c.try_receive(), i);
  ex.run_all();
  EXPECT_EQ(log, "s0 s1 s2 s3 ");
  log.clear();
  for (int i = 0; i < 4; ++i) {
    tasks.push_back(receive(c, 1));
    run(tasks.back());
  }
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(c.try_send(i));
  ex.run_all();
  EXPECT_EQ(log, "r0 r1 r2 r3 ");
}

// --- Closing.

TEST_F(Channel, closed_and_empty_it_gives_nothing_and_takes_nothing) {
  ints c{1};
  EXPECT_FALSE(c.is_closed());
  c.close();
  EXPECT_TRUE(c.is_closed());
  owned receiver = receive(c, 1);
  owned sender = send(c, {1});
  run(receiver);
  run(sender);
  EXPECT_EQ(log, "end x1 ");
  EXPECT_FALSE(c.try_send(1));
  EXPECT_EQ(c.try_receive(), std::nullopt);
  c.close();
}

TEST_F(Channel, closed_it_still_gives_what_it_has) {
  ints c{3};
  EXPECT_TRUE(c.try_send(1));
  EXPECT_TRUE(c.try_send(2));
  EXPECT_TRUE(c.try_send(3));
  c.close();
  EXPECT_EQ(c.size(), 3U);
  EXPECT_EQ(c.try_receive(), 1);
  owned receiver = receive(c, 5);
  run(receiver);
  EXPECT_EQ(log, "r2 r3 end ");
}

TEST_F(Channel, close_discards_what_it_has_if_it_is_told_so) {
  for (const bool is_closed_before : {false, true}) {
    log.clear();
    channel<std::shared_ptr<int>> c{2};
    const auto life = std::make_shared<int>(1);
    EXPECT_TRUE(c.try_send(life));
    EXPECT_TRUE(c.try_send(life));
    EXPECT_EQ(life.use_count(), 3);
    if (is_closed_before) c.close();
    EXPECT_EQ(c.close(discard_buffer), 2U);
    EXPECT_EQ(life.use_count(), 1) << "they are destroyed at once";
    EXPECT_EQ(c.size(), 0U);
    EXPECT_EQ(c.try_receive(), std::nullopt);
    EXPECT_FALSE(c.try_send(life));
    EXPECT_EQ(c.close(discard_buffer), 0U);
  }
}

TEST_F(Channel, close_that_discards_ends_all_waits) {
  for (const std::size_t capacity : {0U, 1U}) {
    log.clear();
    ints full{capacity};
    if (capacity != 0) EXPECT_TRUE(full.try_send(0));
    ints empty{capacity};
    owned sender = send(full, {1});
    owned receiver = receive(empty, 1);
    run(sender);
    run(receiver);
    EXPECT_EQ(full.close(discard_buffer), capacity);
    EXPECT_EQ(empty.close(discard_buffer), 0U);
    EXPECT_EQ(log, "") << "close runs no task";
    ex.run_all();
    EXPECT_EQ(log, "x1 end ");
  }
}

/// Accesses its channel in its destructor.
template <class Channel>
struct curious {
  explicit curious(Channel& c) : where{&c} {}
  curious(curious&& other) noexcept : where{std::exchange(other.where, nullptr)} {}
  ~curious() {
    if (where != nullptr) EXPECT_FALSE(where->try_receive().has_value());
  }
  Channel* where;
};

TEST_F(Channel, what_is_discarded_may_use_the_channel_at_its_end) {
  struct value;
  using values = channel<value>;
  struct value : curious<values> {
    using curious<values>::curious;
  };
  values c{2};
  EXPECT_TRUE(c.try_send(value{c}));
  EXPECT_TRUE(c.try_send(value{c}));
  EXPECT_EQ(c.close(discard_buffer), 2U);
}

TEST_F(Channel, close_ends_the_waits_of_all_receivers) {
  for (const std::size_t capacity : {0U, 2U}) {
    log.clear();
    ints c{capacity};
    owned first = receive(c, 1);
    owned second = receive(c, 1);
    run(first);
    run(second);
    c.close();
    EXPECT_EQ(log, "") << "close runs no task";
    EXPECT_EQ(ex.ready().size(), 2U);
    ex.run_all();
    EXPECT_EQ(log, "end end ");
  }
}

TEST_F(Channel, close_ends_the_waits_of_all_senders_and_they_keep_their_values) {
  for (const std::size_t capacity : {0U, 1U}) {
    log.clear();
    ints c{capacity};
    if (capacity != 0) EXPECT_TRUE(c.try_send(0));
    owned first = send(c, {1, 2});
    owned second = send(c, {3});
    run(first);
    run(second);
    c.close();
    ex.run_all();
    EXPECT_EQ(log, "x1 x2 x3 ");
    EXPECT_EQ(c.size(), capacity) << "nothing came in";
  }
}

TEST_F(Channel, close_dispatches_in_one_batch) {
  testing::frugal_executor batching;
  ints c{0};
  std::vector<owned> tasks;
  for (int i = 0; i < 3; ++i) tasks.push_back(receive(c, 1));
  for (owned& each : tasks) each.start_on(batching);
  batching.run_all();
  batching.portions.clear();
  c.close();
  EXPECT_EQ(batching.portions, (std::vector<int>{3}));
  batching.run_all();
  EXPECT_EQ(log, "end end end ");
}

// --- What becomes of the values.

template <class Channel>
owned send_text(Channel& to, std::unique_ptr<int>& text, std::optional<bool>& result) {
  result = co_await to.send(std::move(text));
}
template <class Channel>
owned receive_text(Channel& from, std::unique_ptr<int>& text) {
  std::optional<std::unique_ptr<int>> value = co_await from.receive();
  if (value) text = *std::move(value);
}

TEST_F(Channel, passes_what_can_only_be_moved) {
  for (const std::size_t capacity : {0U, 1U}) {
    channel<std::unique_ptr<int>> c{capacity};
    auto from = std::make_unique<int>(5);
    const int* const address = from.get();
    std::unique_ptr<int> to;
    std::optional<bool> result;
    owned receiver = receive_text(c, to);
    owned sender = send_text(c, from, result);
    run(receiver);
    run(sender);
    EXPECT_EQ(result, true);
    EXPECT_EQ(from, nullptr);
    EXPECT_EQ(to.get(), address);
  }
}

TEST_F(Channel, a_value_that_was_not_sent_is_where_it_was) {
  channel<std::unique_ptr<int>> c{0};
  auto text = std::make_unique<int>(5);
  EXPECT_FALSE(c.try_send(std::move(text)));
  ASSERT_NE(text, nullptr);
  std::optional<bool> result;
  owned sender = send_text(c, text, result);
  run(sender);
  ASSERT_NE(text, nullptr) << "it is not taken yet";
  c.close();
  ex.run_all();
  EXPECT_EQ(result, false);
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(*text, 5);
}

template <class Channel>
owned send_copy(Channel& to, const std::string& text) {
  EXPECT_TRUE(co_await to.send(text));
}

TEST_F(Channel, an_lvalue_is_copied_at_once) {
  channel<std::string> c{0};
  std::string text = "abc";
  owned sender = send_copy(c, text);
  run(sender);
  text = "changed";
  EXPECT_EQ(c.try_receive(), "abc");
  ex.run_all();
  EXPECT_EQ(text, "changed");
}

TEST_F(Channel, takes_what_converts) {
  channel<std::string> c{2};
  EXPECT_TRUE(c.try_send("abc"));
  EXPECT_TRUE(c.try_send({'x', 'y'}));
  EXPECT_EQ(c.try_receive(), "abc");
  EXPECT_EQ(c.try_receive(), "xy");
}

TEST_F(Channel, destroys_what_was_not_received) {
  const auto shared = std::make_shared<int>(1);
  {
    channel<std::shared_ptr<int>> c{4};
    EXPECT_TRUE(c.try_send(shared));
    EXPECT_TRUE(c.try_send(shared));
    EXPECT_EQ(shared.use_count(), 3);
    EXPECT_TRUE(c.try_receive().has_value());
    EXPECT_EQ(shared.use_count(), 2);
  }
  EXPECT_EQ(shared.use_count(), 1);
}

// --- Many at once.

template <class Channel>
owned receive_batch(Channel& from, std::vector<int>& into, std::size_t most,
                    std::optional<std::size_t>& count) {
  count = co_await from.receive_many(into, most);
}

TEST_F(Channel, receive_many_takes_what_is_there) {
  ints c{4};
  for (const int value : {1, 2, 3}) EXPECT_TRUE(c.try_send(value));
  std::vector<int> into{0};
  std::optional<std::size_t> count;
  owned two = receive_batch(c, into, 2, count);
  run(two);
  EXPECT_EQ(count, 2U);
  EXPECT_EQ(into, (std::vector{0, 1, 2})) << "appended";
  owned rest = receive_batch(c, into, 10, count);
  run(rest);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(into, (std::vector{0, 1, 2, 3}));
}

TEST_F(Channel, receive_many_lets_all_senders_in_whose_values_it_makes_room_for) {
  ints c{1};
  owned first = send(c, {1, 2});
  owned second = send(c, {3});
  run(first);
  run(second);
  std::vector<int> into;
  std::optional<std::size_t> count;
  owned receiver = receive_batch(c, into, 10, count);
  run(receiver);
  EXPECT_EQ(into, (std::vector{1, 2, 3}));
  EXPECT_EQ(log, "s1 s2 s3 ");
}

TEST_F(Channel, receive_many_waits_for_one_and_takes_what_came_meanwhile) {
  ints c{2};
  std::vector<int> into;
  std::optional<std::size_t> count;
  owned receiver = receive_batch(c, into, 10, count);
  run(receiver);
  EXPECT_EQ(count, std::nullopt);
  EXPECT_TRUE(c.try_send(1));
  EXPECT_TRUE(c.try_send(2));
  owned sender = send(c, {3, 4});
  sender.start_on(ex);
  ex.run_all();
  EXPECT_EQ(into.front(), 1);
  EXPECT_GE(*count, 2U);
  EXPECT_EQ(count, into.size());
}

TEST_F(Channel, receive_many_of_one_takes_no_more) {
  ints c{2};
  std::vector<int> into;
  std::optional<std::size_t> count;
  owned receiver = receive_batch(c, into, 1, count);
  run(receiver);
  EXPECT_TRUE(c.try_send(1));
  EXPECT_TRUE(c.try_send(2));
  ex.run_all();
  EXPECT_EQ(into, (std::vector{1}));
  EXPECT_EQ(c.size(), 1U);
}

TEST_F(Channel, receive_many_takes_no_more_than_it_asked_for_when_it_has_waited) {
  ints c{4};
  std::vector<int> into;
  std::optional<std::size_t> count;
  owned receiver = receive_batch(c, into, 2, count);
  run(receiver);
  for (const int value : {1, 2, 3}) EXPECT_TRUE(c.try_send(value));
  ex.run_all();
  EXPECT_EQ(count, 2U);
  EXPECT_EQ(into, (std::vector{1, 2}));
  EXPECT_EQ(c.size(), 1U);
}

TEST_F(Channel, receive_many_gives_zero_when_closed_and_drained) {
  ints c{1};
  std::vector<int> into;
  std::optional<std::size_t> count;
  owned waiting = receive_batch(c, into, 5, count);
  run(waiting);
  c.close();
  ex.run_all();
  EXPECT_EQ(count, 0U);
  count.reset();
  owned late = receive_batch(c, into, 5, count);
  run(late);
  EXPECT_EQ(count, 0U);
  EXPECT_TRUE(into.empty());
}

template <class Channel>
owned receive_batch_until(Channel& from, std::vector<int>& into, wait_limits until,
                          std::optional<receive_many_result>& result) {
  if (until.due) {
    auto operation = from.receive_many_until(into, 5, *until.due, until.stop);
    result.emplace(co_await operation);
  } else {
    auto operation = from.receive_many(into, 5, until.stop);
    result.emplace(co_await operation);
  }
}

TEST_F(Channel, W1_what_receive_many_was_given_survives_a_late_end) {
  ints c{2};
  std::vector<int> into;
  std::optional<receive_many_result> result;
  const wait_limits time{platform::now() + std::chrono::hours{1}, {}};
  owned waiting = receive_batch_until(c, into, time, result);
  run(waiting);
  EXPECT_TRUE(c.try_send(1));
  EXPECT_TRUE(c.try_send(2));
  ex.clock.ring_all();
  ex.run_all();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->count(), 2U);
  EXPECT_EQ(into, (std::vector{1, 2}));
  c.close();
  EXPECT_TRUE(block_on(c.receive_many_for(into, 1, std::chrono::hours{1})).is_closed());
}

template <class Channel>
owned collect(Channel& from, std::vector<int>& into, std::uint64_t& allocated) {
  const std::uint64_t before = testing::allocations();
  while (co_await from.receive_many(into, 4) != 0) {
  }
  allocated = testing::allocations() - before;
}

TEST_F(Channel, receive_many_allocates_what_the_vector_lacks_and_no_more) {
  for (const std::size_t room : {0U, 2000U}) {
    ints c{1000};
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(c.try_send(i));
    c.close();
    std::vector<int> into;
    into.reserve(room);
    std::uint64_t allocated = 0;
    owned receiver = collect(c, into, allocated);
    run(receiver);
    EXPECT_EQ(into.size(), 1000U);
    EXPECT_LE(allocated, room == 0 ? 10U : 0U) << "it grows as push_back does";
  }
}

TEST_F(Channel, receive_many_of_more_than_a_vector_can_hold_throws_at_once) {
  ints c{1};
  EXPECT_TRUE(c.try_send(1));
  std::vector<int> into{0};
  EXPECT_THROW(static_cast<void>(c.receive_many(into, SIZE_MAX)), std::length_error);
  EXPECT_EQ(c.size(), 1U);
}

// --- Threads, and what it costs.

template <class Channel>
owned send_often(Channel& to, int times) {
  for (int i = 0; i < times; ++i) EXPECT_TRUE(co_await to.send(i));
}
template <class Channel>
owned receive_often(Channel& from, int times) {
  for (int i = 0; i < times; ++i) {
    const std::optional<int> value = co_await from.receive();
    EXPECT_TRUE(value.has_value());
  }
}

TEST_F(Channel, allocates_when_it_is_made_and_never_again) {
  for (const std::size_t capacity : {0U, 1U, 8U}) {
    testing::frugal_executor frugal;
    ints c{capacity};
    std::vector<owned> tasks;
    for (int i = 0; i < 3; ++i) {
      tasks.push_back(send_often(c, 20));
      tasks.push_back(receive_often(c, 20));
    }
    for (owned& each : tasks) each.start_on(frugal);
    const std::uint64_t before = testing::allocations();
    frugal.run_all();
    EXPECT_EQ(testing::allocations(), before);
    for (const owned& each : tasks) EXPECT_TRUE(each.done());
  }
}

}  // namespace
}  // namespace hotseat
