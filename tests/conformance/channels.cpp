// hotseat/tests/conformance/channels.cpp — both sides of a channel as subjects.
#include <hotseat/sync/channel.hpp>

#include <conformance/subject.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace hotseat::conformance {
namespace {

/// Receivers wait for a value, and each sends on the value that it received.
template <std::size_t Capacity>
struct receiving_kind {
  // With a buffer a sender continues at once, and so does a receiver that has a value.
  static constexpr traits what{
      .awaited = Capacity == 0 ? hand_over::exchanged : hand_over::dispatched,
      .can_be_free = Capacity != 0,
      .is_free_afterwards = Capacity != 0};
  static constexpr bool gives_back = true;
  static bool is_granted(const receive_result<int>& result) { return result.has_value(); }

  explicit receiving_kind(unsigned) {}
  auto wait() { return c.receive(); }
  auto wait(wait_limits until) { return c.receive(std::move(until)); }
  void block() { static_cast<void>(c.receive_blocking()); }
  // Without a buffer, sending it on would wait for the next receiver.
  auto give_back() {
    return at_once{[this] { static_cast<void>(c.try_send(1)); }};
  }
  auto let_in_awaited() { return c.send(1); }
  bool let_in() { return c.try_send(1); }
  channel<int> c{Capacity};
};

/// Receivers of several at once, into vectors that have room.
struct receiving_many_kind : receiving_kind<1> {
  static bool is_granted(const receive_many_result& result) { return result.count() != 0; }

  explicit receiving_many_kind(unsigned waits) : receiving_kind<1>{waits} {
    batches.resize(waits + 1);
    for (std::vector<int>& each : batches) each.reserve(4);
  }
  auto wait() { return this->c.receive_many(next_batch(), 4); }
  auto wait(wait_limits until) {
    return this->c.receive_many(next_batch(), 4, std::move(until));
  }
  void block() { static_cast<void>(block_on(wait())); }
  std::vector<int>& next_batch() { return batches.at(next++); }
  std::vector<std::vector<int>> batches;
  std::size_t next = 0;
};

/// Senders wait for room; each makes room for the next after it has sent.
template <std::size_t Capacity>
struct sending_kind {
  static constexpr traits what{.awaited = hand_over::dispatched,
                               .can_be_free = Capacity != 0,
                               .is_free_afterwards = Capacity != 0};
  static constexpr bool gives_back = true;
  static bool is_granted(const send_result& result) { return result; }

  explicit sending_kind(unsigned) {
    for (std::size_t i = 0; i < Capacity; ++i) static_cast<void>(c.try_send(0));
  }
  auto wait() { return c.send(1); }
  auto wait(wait_limits until) { return c.send(1, std::move(until)); }
  void block() { static_cast<void>(c.send_blocking(1)); }
  auto give_back() {
    return at_once{[this] { static_cast<void>(c.try_receive()); }};
  }
  auto let_in_awaited() { return c.receive(); }
  bool let_in() { return c.try_receive().has_value(); }
  channel<int> c{Capacity};
};

}  // namespace

std::vector<subject_kind> channels() {
  std::vector<subject_kind> all;
  add_one<subject_of<receiving_kind<1>>>(all, "channel_receive");
  add_one<subject_of<receiving_kind<0>>>(all, "channel_receive_rendezvous");
  add_one<subject_of<receiving_many_kind>>(all, "channel_receive_many");
  add_one<subject_of<sending_kind<1>>>(all, "channel_send");
  add_one<subject_of<sending_kind<0>>>(all, "channel_send_rendezvous");
  return all;
}

}  // namespace hotseat::conformance
