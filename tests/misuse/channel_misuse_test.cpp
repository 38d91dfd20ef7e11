// hotseat/tests/misuse/channel_misuse_test.cpp — a broken rule stops the program and is
// named.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <hotseat/sync/channel.hpp>
#include <optional>
#include <support/probes.hpp>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

class ChannelMisuseDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

constexpr const char* waited =
    "hotseat: violation: channel 0x[0-9a-f]+: it must not be destroyed while a task waits";

owned send_one(channel<int>& to) { static_cast<void>(co_await to.send(1)); }
owned receive_one(channel<int>& from) { static_cast<void>(co_await from.receive()); }
owned receive_in_time(channel<int>& from) {
  static_cast<void>(co_await from.receive_for(std::chrono::hours{1}));
}
owned receive_none(channel<int>& from, std::vector<int>& into) {
  static_cast<void>(co_await from.receive_many(into, 0));
}

TEST_F(ChannelMisuseDeathTest, destruction_while_a_sender_waits) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        std::optional<channel<int>> c;
        c.emplace(std::size_t{0});
        owned sender = send_one(*c);
        sender.start_on(ex);
        ex.run_all();
        c.reset();
      },
      waited);
}

TEST_F(ChannelMisuseDeathTest, destruction_while_a_receiver_waits) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        std::optional<channel<int>> c;
        c.emplace(std::size_t{1});
        owned receiver = receive_one(*c);
        receiver.start_on(ex);
        ex.run_all();
        c.reset();
      },
      waited);
}

TEST_F(ChannelMisuseDeathTest, destruction_of_a_task_that_was_given_a_value) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        channel<int> c{0};
        std::optional<owned> receiver;
        receiver.emplace(receive_one(c));
        receiver->start_on(ex);
        ex.run_all();
        static_cast<void>(c.try_send(1));
        receiver.reset();
      },
      "wait 0x[0-9a-f]+: a task that has been made ready must not be destroyed");
}

TEST_F(ChannelMisuseDeathTest, a_deadline_on_a_thread_without_a_clock) {
  EXPECT_DEATH(
      {
        channel<int> c{0};
        const owned receiver = receive_in_time(c);
        receiver.run();
      },
      "wait 0x[0-9a-f]+: a deadline needs an executor that keeps time");
}

TEST_F(ChannelMisuseDeathTest, receive_many_of_nothing) {
  EXPECT_DEATH(
      {
        channel<int> c{1};
        std::vector<int> into;
        const owned receiver = receive_none(c, into);
        receiver.run();
      },
      "channel 0x[0-9a-f]+: receive_many must be ready to take a value");
}

}  // namespace
}  // namespace hotseat
