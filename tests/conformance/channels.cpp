// hotseat/tests/conformance/channels.cpp — both sides of a channel as subjects.
#include <hotseat/sync/channel.hpp>

#include <conformance/subject.hpp>

#include <concepts>
#include <cstddef>
#include <vector>

namespace hotseat::conformance {
namespace {

/// With a buffer a sender runs ahead, and so does whoever has received.
template <class Handoff>
constexpr hand_over running_ahead =
    std::same_as<Handoff, handoff::resume_inline> ? hand_over::nested
                                                  : hand_over::dispatched;

/// Receivers wait for a value, which whoever has it sends on.
template <class Handoff, std::size_t Capacity>
struct receiving_kind {
  static constexpr traits what{
      .awaited = Capacity == 0 ? hand_over_of<Handoff> : running_ahead<Handoff>,
      .can_be_free = Capacity != 0,
      .is_free_afterwards = Capacity != 0};
  static constexpr bool gives_back = true;
  static bool is_granted(const receive_result<int>& result) { return result.has_value(); }

  explicit receiving_kind(unsigned) {}
  auto wait() { return c.receive(); }
  auto wait(wait_limits until) {
    if (!until.due) return c.receive(until.stop);
    if (is_a_duration(until)) return c.receive_for(duration_of(until));
    return c.receive_until(*until.due, until.stop);
  }
  void block() { static_cast<void>(c.receive_blocking()); }
  // Without a buffer, one who sends on would wait for the next.
  auto give_back() {
    return at_once{[this] { static_cast<void>(c.try_send(1)); }};
  }
  auto let_in_awaited() { return c.send(1); }
  bool let_in() { return c.try_send(1); }
  basic_channel<int, Handoff> c{Capacity};
};
template <class Handoff>
using receivers = subject_of<receiving_kind<Handoff, 1>>;
template <class Handoff>
using rendezvous_receivers = subject_of<receiving_kind<Handoff, 0>>;

/// Receivers of several at once, into vectors that have room.
template <class Handoff>
struct receiving_many_kind : receiving_kind<Handoff, 1> {
  static bool is_granted(const receive_many_result& result) { return result.count() != 0; }

  explicit receiving_many_kind(unsigned waits) : receiving_kind<Handoff, 1>{waits} {
    batches.resize(waits + 1);
    for (std::vector<int>& each : batches) each.reserve(4);
  }
  auto wait() { return this->c.receive_many(next_batch(), 4); }
  auto wait(wait_limits until) {
    if (!until.due) return this->c.receive_many(next_batch(), 4, until.stop);
    if (is_a_duration(until)) {
      return this->c.receive_many_for(next_batch(), 4, duration_of(until));
    }
    return this->c.receive_many_until(next_batch(), 4, *until.due, until.stop);
  }
  void block() { static_cast<void>(block_on(wait())); }
  std::vector<int>& next_batch() { return batches.at(next++); }
  std::vector<std::vector<int>> batches;
  std::size_t next = 0;
};
template <class Handoff>
using batch_receivers = subject_of<receiving_many_kind<Handoff>>;

/// Senders wait for room, which whoever has sent makes for the next.
template <class Handoff, std::size_t Capacity>
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
  auto wait(wait_limits until) {
    if (!until.due) return c.send(1, until.stop);
    if (is_a_duration(until)) return c.send_for(1, duration_of(until));
    return c.send_until(1, *until.due, until.stop);
  }
  void block() { static_cast<void>(c.send_blocking(1)); }
  auto give_back() {
    return at_once{[this] { static_cast<void>(c.try_receive()); }};
  }
  auto let_in_awaited() { return c.receive(); }
  bool let_in() { return c.try_receive().has_value(); }
  basic_channel<int, Handoff> c{Capacity};
};
template <class Handoff>
using senders = subject_of<sending_kind<Handoff, 1>>;
template <class Handoff>
using rendezvous_senders = subject_of<sending_kind<Handoff, 0>>;

}  // namespace

std::vector<subject_kind> channels() {
  std::vector<subject_kind> all;
  add<receivers>(all, "channel_receive");
  add<rendezvous_receivers>(all, "channel_receive_rendezvous");
  add<batch_receivers>(all, "channel_receive_many");
  add<senders>(all, "channel_send");
  add<rendezvous_senders>(all, "channel_send_rendezvous");
  return all;
}

}  // namespace hotseat::conformance
