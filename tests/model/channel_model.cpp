// hotseat/tests/model/channel_model.cpp — every value sent is received once, in order,
// whichever task closes the channel, leaves or is destroyed meanwhile.
#include <gtest/gtest.h>

#include <hotseat/explore/linearizable.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sync/channel.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/when_all.hpp>

#include <support/explored.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using platform::thread;
using testing::announced;
using testing::endings;
using testing::explore_some;
using testing::loose_task;
using testing::milestone;
using testing::small_pool;

/// A value whose read is a race unless the write is ordered before it.
struct parcel {
  platform::var<int> number = 0;
};

using parcels = channel<parcel>;

/// Without a buffer, and with one that fills up soon.
template <class Capacity>
class ChannelModel : public ::testing::Test {
 protected:
  static constexpr std::size_t capacity = Capacity::value;
};
using capacities = ::testing::Types<std::integral_constant<std::size_t, 0>,
                                    std::integral_constant<std::size_t, 1>>;
class capacity_names {
 public:
  template <class Capacity>
  static std::string GetName(int) {
    return "capacity_" + std::to_string(Capacity::value);
  }
};
TYPED_TEST_SUITE(ChannelModel, capacities, capacity_names);

/// What went through a channel, as senders and receivers saw it.
struct ledger {
  std::vector<int> sent;
  std::vector<int> received;

  /// Nothing is lost, duplicated or made up.
  void verify_complete() const {
    verify(sent.size() == received.size(), "as many are received as were sent");
    for (const int number : sent) {
      int times = 0;
      for (const int each : received) times += each == number ? 1 : 0;
      verify(times == 1, "each is received once");
    }
  }
  void verify_ordered() const {
    for (std::size_t i = 0; i < received.size(); ++i) {
      for (std::size_t j = i + 1; j < received.size(); ++j) {
        const bool same_sender = received[i] / 10 == received[j] / 10;
        verify(!same_sender || received[i] < received[j], "in the order sent");
      }
    }
  }
};

task<> send(parcels& c, int first, int count, ledger& book) {
  for (int i = 0; i < count; ++i) {
    parcel p{first + i};
    const bool is_sent = co_await c.send(std::move(p));
    if (is_sent) book.sent.push_back(first + i);
  }
}

task<> receive(parcels& c, int count, ledger& book) {
  for (int i = 0; i < count; ++i) {
    const auto p = co_await c.receive();
    verify(p.has_value(), "it is not closed");
    book.received.push_back(p->number);
  }
}

TYPED_TEST(ChannelModel, two_senders_reach_one_receiver_in_order) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    sync_wait(pool,
              when_all(send(c, 10, 2, book), receive(c, 4, book), send(c, 20, 2, book)));
    book.verify_complete();
    book.verify_ordered();
  });
}

TYPED_TEST(ChannelModel, two_receivers_share_what_is_sent) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    sync_wait(pool,
              when_all(receive(c, 1, book), receive(c, 2, book), send(c, 10, 3, book)));
    book.verify_complete();
  });
}

task<> drain(parcels& c, ledger& book) {
  for (;;) {
    const auto p = co_await c.receive();
    if (!p) break;
    book.received.push_back(p->number);
  }
}

TYPED_TEST(ChannelModel, a_close_loses_nothing_that_was_sent) {
  endings seen;
  explore_some(20'000, [&] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    thread closing{[&] { c.close(); }};
    sync_wait(pool, when_all(send(c, 10, 2, book), drain(c, book), send(c, 20, 1, book)));
    closing.join();
    book.verify_complete();
    book.verify_ordered();
    seen.note(book.sent.size() == 3);
  });
  EXPECT_TRUE(seen.granted && seen.left) << "some are closed too early";
}

task<> drain_in_batches(parcels& c, ledger& book) {
  std::vector<parcel> batch;
  for (;;) {
    batch.clear();
    const std::size_t count = co_await c.receive_many(batch, 2);
    verify(count == batch.size() && count <= 2, "no more than wanted");
    if (count == 0) break;
    for (const parcel& p : batch) book.received.push_back(p.number);
  }
}

TYPED_TEST(ChannelModel, batches_are_in_order_and_complete) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    thread closing{[&] { c.close(); }};
    sync_wait(pool, when_all(send(c, 10, 2, book), drain_in_batches(c, book),
                             send(c, 20, 2, book)));
    closing.join();
    book.verify_complete();
    book.verify_ordered();
  });
}

task<> send_limited(parcels& c, int number, std::stop_token stop, ledger& book,
                    endings& seen) {
  parcel p{number};
  // Either a stop request or a timeout, so that each must end the wait alone.
  auto operation = stop.stop_possible() ? c.send(std::move(p), std::move(stop))
                                        : c.send_for(std::move(p), 60us);
  const auto result = co_await operation;
  const bool is_sent = result;
  seen.note(is_sent);
  verify(!result.is_closed(), "it is not closed");
  if (is_sent) book.sent.push_back(number);
}

task<> receive_limited(parcels& c, std::stop_token stop, ledger& book, endings& seen) {
  auto operation = stop.stop_possible() ? c.receive(std::move(stop)) : c.receive_for(60us);
  const auto p = co_await operation;
  seen.note(p.has_value());
  verify(!p.is_closed(), "it is not closed");
  if (p) book.received.push_back(p->number);
}

/// Receives what is left.
task<> settle(parcels& c, ledger& book) {
  while (book.received.size() < book.sent.size()) co_await receive(c, 1, book);
}

TYPED_TEST(ChannelModel, a_task_that_is_too_late_has_sent_and_received_nothing) {
  endings senders;
  endings receivers;
  explore_some(20'000, [&] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    sync_wait(pool, when_all(receive_limited(c, {}, book, receivers),
                             send_limited(c, 10, {}, book, senders),
                             send_limited(c, 20, {}, book, senders)));
    sync_wait(pool, settle(c, book));
    book.verify_complete();
    verify(!c.try_receive(), "nothing is left");
  });
  EXPECT_TRUE(senders.granted && senders.left);
  EXPECT_TRUE(receivers.granted && receivers.left);
}

TYPED_TEST(ChannelModel, a_task_that_is_told_to_stop_has_sent_and_received_nothing) {
  endings senders;
  endings receivers;
  explore_some(20'000, [&] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(receive_limited(c, source.get_token(), book, receivers),
                             send_limited(c, 10, source.get_token(), book, senders),
                             send_limited(c, 20, source.get_token(), book, senders)));
    stopping.join();
    sync_wait(pool, settle(c, book));
    book.verify_complete();
    verify(!c.try_receive(), "nothing is left");
  });
  EXPECT_TRUE(senders.granted && senders.left);
  EXPECT_TRUE(receivers.granted && receivers.left);
}

task<> receive_many_limited(parcels& c, std::stop_token stop, ledger& book, endings& seen) {
  std::vector<parcel> batch;
  auto operation = stop.stop_possible() ? c.receive_many(batch, 2, std::move(stop))
                                        : c.receive_many_for(batch, 2, 60us);
  const auto result = co_await operation;
  seen.note(static_cast<bool>(result));
  verify(!result.is_closed(), "it is not closed");
  verify(result.count() == batch.size() && batch.size() <= 2, "no more than wanted");
  for (const parcel& p : batch) book.received.push_back(p.number);
}

TYPED_TEST(ChannelModel, a_task_that_wants_many_and_is_too_late_has_received_nothing) {
  endings senders;
  endings receivers;
  explore_some(20'000, [&] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    sync_wait(pool, when_all(receive_many_limited(c, {}, book, receivers),
                             send_limited(c, 10, {}, book, senders),
                             send_limited(c, 20, {}, book, senders)));
    sync_wait(pool, settle(c, book));
    book.verify_complete();
    verify(!c.try_receive(), "nothing is left");
  });
  EXPECT_TRUE(receivers.granted && receivers.left);
}

TYPED_TEST(ChannelModel, a_task_that_wants_many_and_is_told_to_stop_has_received_nothing) {
  endings senders;
  endings receivers;
  explore_some(20'000, [&] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(receive_many_limited(c, source.get_token(), book, receivers),
                             send_limited(c, 10, source.get_token(), book, senders),
                             send_limited(c, 20, {}, book, senders)));
    stopping.join();
    sync_wait(pool, settle(c, book));
    book.verify_complete();
    verify(!c.try_receive(), "nothing is left");
  });
  EXPECT_TRUE(receivers.granted && receivers.left);
}

task<> receive_never(parcels& c, milestone& waits) {
  auto operation = c.receive();
  static_cast<void>(co_await announced{operation, waits});
  verify(false, "it is destroyed before its turn comes");
}

task<> receive_first(parcels& c, milestone& waits, ledger& book) {
  auto operation = c.receive();
  const auto p = co_await announced{operation, waits};
  verify(p.has_value(), "it is not closed");
  book.received.push_back(p->number);
}

TYPED_TEST(ChannelModel, a_receiver_is_destroyed_in_line_while_another_one_is_served) {
  explore_some(15'000, [] {
    milestone first_waits;
    milestone second_waits;
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    loose_task doomed{receive_never(c, second_waits)};
    thread other{[&] {
      first_waits.await();
      doomed.start_on(pool);
      second_waits.await_and_see();
      verify(c.try_send(parcel{10}), "a receiver waits");
      book.sent.push_back(10);
    }};
    thread destroying{[&] {
      second_waits.await_and_see();
      doomed.destroy();
    }};
    sync_wait(pool, receive_first(c, first_waits, book));
    other.join();
    destroying.join();
    book.verify_complete();
  });
}

task<> send_never(parcels& c, milestone& waits) {
  parcel p{99};
  auto operation = c.send(std::move(p));
  static_cast<void>(co_await announced{operation, waits});
  verify(false, "it is destroyed before its turn comes");
}

task<> send_first(parcels& c, milestone& waits, ledger& book) {
  parcel p{10};
  auto operation = c.send(std::move(p));
  const bool is_sent = co_await announced{operation, waits};
  verify(is_sent, "it is not closed");
  book.sent.push_back(10);
}

TYPED_TEST(ChannelModel, a_sender_is_destroyed_in_line_while_another_one_is_served) {
  explore_some(15'000, [] {
    milestone first_waits;
    milestone second_waits;
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    for (std::size_t i = 0; i < TestFixture::capacity; ++i) {
      verify(c.try_send(parcel{1}), "there is room");
      book.sent.push_back(1);
    }
    loose_task doomed{send_never(c, second_waits)};
    thread other{[&] {
      first_waits.await();
      doomed.start_on(pool);
      second_waits.await();
      // This serves the first of the two: its value, or the one in front of it, is
      // received.
      const auto p = c.receive_blocking();
      book.received.push_back(p->number);
    }};
    thread destroying{[&] {
      second_waits.await_and_see();
      doomed.destroy();
    }};
    sync_wait(pool, send_first(c, first_waits, book));
    other.join();
    destroying.join();
    sync_wait(pool, settle(c, book));
    book.verify_complete();
    verify(!c.try_receive(), "nothing is left");
  });
}

task<> receive_and_destroy(std::optional<parcels>& c) {
  const auto p = co_await c->receive();
  verify(p.has_value() && p->number == 7, "it is what was sent");
  c.reset();
}
task<> send_last(std::optional<parcels>& c) {
  parcel p{7};
  static_cast<void>(co_await c->send(std::move(p)));
}

TYPED_TEST(ChannelModel, the_task_with_the_last_value_may_destroy_it_at_once) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    std::optional<parcels> c{std::in_place, TestFixture::capacity};
    sync_wait(pool, when_all(receive_and_destroy(c), send_last(c)));
    verify(!c, "it is gone");
  });
}

TYPED_TEST(ChannelModel, plain_threads_are_like_tasks) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    ledger book;
    thread sending{[&] {
      parcel p{20};
      if (c.send_blocking(std::move(p))) book.sent.push_back(20);
    }};
    thread receiving{[&] {
      const auto p = c.receive_blocking();
      verify(p.has_value(), "it is not closed");
      book.received.push_back(p->number);
    }};
    sync_wait(pool, when_all(send(c, 10, 1, book), receive(c, 1, book)));
    sending.join();
    receiving.join();
    book.verify_complete();
  });
}

/// The model of a channel.  A send takes effect when its value is in line.
struct queue {
  std::deque<int> values;
  bool is_closed = false;

  bool send(int value, bool is_sent) {
    if (!is_sent) return is_closed;
    values.push_back(value);
    return !is_closed;
  }
  bool receive(std::optional<int> value) {
    if (!value) return is_closed && values.empty();
    if (values.empty() || values.front() != *value) return false;
    values.pop_front();
    return true;
  }
  bool operator==(const queue&) const = default;
};

auto sending(int value) {
  return [value](queue& q, bool is_sent) { return q.send(value, is_sent); };
}
constexpr auto receiving = [](queue& q, std::optional<int> value) {
  return q.receive(value);
};
constexpr auto trying = [](queue& q, std::optional<int> value) {
  return !value || q.receive(value);
};
constexpr auto closing = [](queue& q) { q.is_closed = true; };

constexpr auto discarding = [](queue& q, std::size_t count) {
  const bool is_right = count == q.values.size();
  q.values.clear();
  q.is_closed = true;
  return is_right;
};

std::optional<int> number_in(const std::optional<parcel>& p) {
  if (!p) return std::nullopt;
  return p->number;
}

task<> send_noted(parcels& c, int first, int& balance, history<queue>& calls) {
  for (int i = 0; i < 2; ++i) {
    auto call = calls.begin("send", sending(first + i));
    parcel p{first + i};
    const bool is_sent = co_await c.send(std::move(p));
    call.end(is_sent);
    if (!is_sent) continue;
    ++balance;
    verify(balance <= static_cast<int>(c.capacity()), "it waits while there is no room");
  }
}

task<> receive_noted(parcels& c, int& balance, history<queue>& calls) {
  for (int i = 0; i < 3; ++i) {
    auto call = calls.begin("receive", receiving);
    --balance;  // From here on senders may continue.
    const auto p = co_await c.receive();
    call.end(number_in(p));
  }
}

task<> try_receive_noted(parcels& c, int& balance, history<queue>& calls) {
  --balance;
  calls.call("try_receive", [&] { return number_in(c.try_receive()); }, trying);
  calls.call("close", [&] { c.close(); }, closing);
  co_return;
}

TYPED_TEST(ChannelModel, its_histories_are_linearizable) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    int balance = 0;
    history<queue> calls;
    sync_wait(
        pool,
        when_all(send_noted(c, 10, balance, calls), receive_noted(c, balance, calls),
                 send_noted(c, 20, balance, calls), try_receive_noted(c, balance, calls)));
    calls.verify_linearizable();
  });
}

task<> discard_noted(parcels& c, history<queue>& calls) {
  co_await reschedule();
  calls.call("close(discard_buffer)", [&] { return c.close(discard_buffer); }, discarding);
}

TYPED_TEST(ChannelModel, a_close_that_discards_leaves_nothing_to_receive) {
  bool has_discarded = false;
  explore_some(20'000, [&] {
    thread_pool pool{small_pool()};
    parcels c{TestFixture::capacity};
    int balance = 0;
    history<queue> calls;
    sync_wait(pool, when_all(send_noted(c, 10, balance, calls), discard_noted(c, calls),
                             receive_noted(c, balance, calls)));
    calls.verify_linearizable();
    verify(c.size() == 0, "nothing is left");
    has_discarded |= balance + 3 > 0;
  });
  EXPECT_TRUE(has_discarded);
}

}  // namespace
}  // namespace hotseat
