// hotseat/tests/misuse/channel_misuse_test.cpp — a broken rule stops the program and is
// named.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/channel.hpp>
#include <optional>
#include <support/handoffs.hpp>
#include <support/probes.hpp>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

template <class Handoff>
class ChannelMisuseDeathTest : public ::testing::Test {
 protected:
  using channel_type = basic_channel<int, Handoff>;
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
TYPED_TEST_SUITE(ChannelMisuseDeathTest, testing::handoffs);

constexpr const char* waited =
    "hotseat: violation: channel 0x[0-9a-f]+: it must not be destroyed while somebody "
    "waits";

template <class Channel>
owned send_one(Channel& to) {
  static_cast<void>(co_await to.send(1));
}
template <class Channel>
owned receive_one(Channel& from) {
  static_cast<void>(co_await from.receive());
}
template <class Channel>
owned receive_in_time(Channel& from) {
  static_cast<void>(co_await from.receive_for(std::chrono::hours{1}));
}
template <class Channel>
owned receive_none(Channel& from, std::vector<int>& into) {
  static_cast<void>(co_await from.receive_many(into, 0));
}

TYPED_TEST(ChannelMisuseDeathTest, destruction_while_a_sender_waits) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        std::optional<typename TestFixture::channel_type> c;
        c.emplace(std::size_t{0});
        owned sender = send_one(*c);
        sender.start_on(ex);
        ex.run_all();
        c.reset();
      },
      waited);
}

TYPED_TEST(ChannelMisuseDeathTest, destruction_while_a_receiver_waits) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        std::optional<typename TestFixture::channel_type> c;
        c.emplace(std::size_t{1});
        owned receiver = receive_one(*c);
        receiver.start_on(ex);
        ex.run_all();
        c.reset();
      },
      waited);
}

TYPED_TEST(ChannelMisuseDeathTest, destruction_of_a_task_that_was_given_a_value) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        typename TestFixture::channel_type c{0};
        std::optional<owned> receiver;
        receiver.emplace(receive_one(c));
        receiver->start_on(ex);
        ex.run_all();
        static_cast<void>(c.try_send(1));
        receiver.reset();
      },
      "wait 0x[0-9a-f]+: a task that has been made ready must not be destroyed");
}

TYPED_TEST(ChannelMisuseDeathTest, a_deadline_on_a_thread_without_a_clock) {
  EXPECT_DEATH(
      {
        typename TestFixture::channel_type c{0};
        const owned receiver = receive_in_time(c);
        receiver.run();
      },
      "wait 0x[0-9a-f]+: a deadline needs an executor that keeps time");
}

TYPED_TEST(ChannelMisuseDeathTest, receive_many_of_nothing) {
  EXPECT_DEATH(
      {
        typename TestFixture::channel_type c{1};
        std::vector<int> into;
        const owned receiver = receive_none(c, into);
        receiver.run();
      },
      "channel 0x[0-9a-f]+: receive_many must be ready to take a value");
}

}  // namespace
}  // namespace hotseat
