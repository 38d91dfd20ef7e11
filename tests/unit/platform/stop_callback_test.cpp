// hotseat/tests/unit/platform/stop_callback_test.cpp — called once, and never after its
// destruction.
#include <gtest/gtest.h>

#include <atomic>
#include <hotseat/platform/seam.hpp>
#include <stop_token>
#include <thread>

namespace hotseat {
namespace {

struct count {
  std::atomic<int>* calls;
  void operator()() const noexcept { calls->fetch_add(1); }
};

TEST(StopCallback, is_called_by_the_request) {
  std::atomic<int> calls{0};
  std::stop_source source;
  const platform::stop_callback<count> callback{source.get_token(), count{&calls}};
  EXPECT_EQ(calls.load(), 0);
  source.request_stop();
  EXPECT_EQ(calls.load(), 1);
}

TEST(StopCallback, is_called_at_once_if_the_request_was_before) {
  std::atomic<int> calls{0};
  std::stop_source source;
  source.request_stop();
  const platform::stop_callback<count> callback{source.get_token(), count{&calls}};
  EXPECT_EQ(calls.load(), 1);
}

TEST(StopCallback, is_not_called_after_its_destruction) {
  std::atomic<int> calls{0};
  std::stop_source source;
  {
    const platform::stop_callback<count> callback{source.get_token(), count{&calls}};
  }
  source.request_stop();
  EXPECT_EQ(calls.load(), 0);
}

TEST(StopCallback, destruction_waits_for_a_call_on_another_thread) {
  for (int round = 0; round < 200; ++round) {
    std::stop_source source;
    std::atomic<bool> is_alive{true};
    struct look {
      std::atomic<bool>* is_alive;
      void operator()() const noexcept { EXPECT_TRUE(is_alive->load()); }
    };
    std::thread other{[&] { source.request_stop(); }};
    {
      const platform::stop_callback<look> callback{source.get_token(), look{&is_alive}};
    }
    is_alive.store(false);
    other.join();
  }
}

}  // namespace
}  // namespace hotseat
