// hotseat/tests/unit/explore/linearizable_test.cpp — which histories have an order that
// explains them.
#include <gtest/gtest.h>

#include <hotseat/explore/explore.hpp>
#include <hotseat/explore/linearizable.hpp>
#include <hotseat/platform/seam.hpp>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using platform::thread;

/// The model of a word.
struct word_model {
  int value = 0;
  void store(int v) { value = v; }
  [[nodiscard]] int load() const { return value; }
  int add(int n) { return value += n; }
  bool operator==(const word_model&) const = default;
};

auto storing(int value) {
  return [value](word_model& w) { w.store(value); };
}
auto loading() {
  return [](word_model& w) { return w.load(); };
}

/// The model of a queue of values.
struct fifo {
  std::deque<int> values;
  void push(int v) { values.push_back(v); }
  std::optional<int> pop() {
    if (values.empty()) return std::nullopt;
    const int first = values.front();
    values.pop_front();
    return first;
  }
  bool operator==(const fifo&) const = default;
};

auto pushing(int value) {
  return [value](fifo& q) { q.push(value); };
}
auto popping() {
  return [](fifo& q) { return q.pop(); };
}

/// The model of a lock.
struct owner {
  bool is_owned = false;
  bool lock() { return !std::exchange(is_owned, true); }
  void unlock() { is_owned = false; }
  bool operator==(const owner&) const = default;
};

auto locking() {
  return [](owner& o) { return o.lock(); };
}
auto unlocking() {
  return [](owner& o) { o.unlock(); };
}

TEST(Linearizable, an_empty_history_is) {
  const history<word_model> calls;
  EXPECT_TRUE(calls.is_linearizable());
  EXPECT_EQ(calls.size(), 0U);
}

TEST(Linearizable, calls_that_do_not_overlap_have_one_order) {
  history<word_model> calls;
  calls.begin("store 1", storing(1)).end();
  calls.begin("load", loading()).end(1);
  EXPECT_TRUE(calls.is_linearizable());
  calls.begin("load", loading()).end(0);
  EXPECT_FALSE(calls.is_linearizable());
}

TEST(Linearizable, calls_that_overlap_may_come_in_either_order) {
  for (const int seen : {0, 1, 2}) {
    history<word_model> calls;
    auto store = calls.begin("store 1", storing(1));
    auto load = calls.begin("load", loading());
    load.end(seen);
    store.end();
    EXPECT_EQ(calls.is_linearizable(), seen != 2) << seen;
  }
}

TEST(Linearizable, two_readers_must_agree_on_an_order) {
  for (const int second : {0, 1}) {
    history<word_model> calls;
    auto store = calls.begin("store 1", storing(1));
    calls.begin("load", loading()).end(1);
    calls.begin("load", loading()).end(second);
    store.end();
    EXPECT_EQ(calls.is_linearizable(), second == 1);
  }
}

TEST(Linearizable, a_model_may_start_with_something) {
  history<word_model> calls{word_model{7}};
  calls.begin("load", loading()).end(7);
  EXPECT_TRUE(calls.is_linearizable());
}

TEST(Linearizable, a_queue_must_not_swap_values) {
  for (const bool swaps : {false, true}) {
    history<fifo> calls;
    calls.begin("push 1", pushing(1)).end();
    calls.begin("push 2", pushing(2)).end();
    auto first = calls.begin("pop", popping());
    auto second = calls.begin("pop", popping());
    first.end(std::optional{swaps ? 2 : 1});
    second.end(std::optional{swaps ? 1 : 2});
    EXPECT_TRUE(calls.is_linearizable()) << "the calls overlap";
    calls.begin("pop", popping()).end(std::optional<int>{});
    EXPECT_TRUE(calls.is_linearizable());
  }
  history<fifo> calls;
  calls.begin("push 1", pushing(1)).end();
  calls.begin("push 2", pushing(2)).end();
  calls.begin("pop", popping()).end(std::optional{2});
  calls.begin("pop", popping()).end(std::optional{1});
  EXPECT_FALSE(calls.is_linearizable());
}

TEST(Linearizable, a_value_is_neither_lost_nor_doubled) {
  history<fifo> lost;
  lost.begin("push 1", pushing(1)).end();
  lost.begin("pop", popping()).end(std::optional<int>{});
  EXPECT_FALSE(lost.is_linearizable());
  history<fifo> doubled;
  doubled.begin("push 1", pushing(1)).end();
  auto first = doubled.begin("pop", popping());
  auto second = doubled.begin("pop", popping());
  first.end(std::optional{1});
  second.end(std::optional{1});
  EXPECT_FALSE(doubled.is_linearizable());
}

TEST(Linearizable, a_call_that_cannot_return_yet_comes_later) {
  history<owner> good;
  good.begin("lock", locking()).end();
  auto second = good.begin("lock", locking());
  auto unlock = good.begin("unlock", unlocking());
  second.end();
  unlock.end();
  EXPECT_TRUE(good.is_linearizable());
  history<owner> bad;
  bad.begin("lock", locking()).end();
  bad.begin("lock", locking()).end();
  bad.begin("unlock", unlocking()).end();
  EXPECT_FALSE(bad.is_linearizable()) << "two owners";
}

TEST(Linearizable, a_call_that_has_not_ended_may_have_had_its_effect) {
  for (const int seen : {0, 1, 2}) {
    history<word_model> calls;
    auto store = calls.begin("store 1", storing(1));
    static_cast<void>(store);
    calls.begin("load", loading()).end(seen);
    EXPECT_EQ(calls.is_linearizable(), seen != 2) << seen;
  }
}

TEST(Linearizable, a_result_that_is_not_determined_is_given_to_the_model) {
  const auto try_locking = [](owner& o, bool is_owner) { return !is_owner || o.lock(); };
  history<owner> calls;
  calls.begin("try_lock", try_locking).end(false);
  calls.begin("try_lock", try_locking).end(true);
  EXPECT_TRUE(calls.is_linearizable());
  auto never = calls.begin("try_lock", try_locking);
  static_cast<void>(never);
  calls.begin("unlock", unlocking()).end();
  calls.begin("try_lock", try_locking).end(true);
  EXPECT_TRUE(calls.is_linearizable());
  calls.begin("try_lock", try_locking).end(true);
  EXPECT_FALSE(calls.is_linearizable());
}

TEST(Linearizable, a_wide_history_is_searched_in_no_time) {
  // 16 calls overlap, and none explains what the last one sees: 16! orders, but only about
  // 2^17 configurations.
  history<word_model> calls;
  std::vector<history<word_model>::open_call<decltype(storing(0))>> stores;
  for (int i = 0; i < 16; ++i) stores.push_back(calls.begin("store", storing(i % 2)));
  for (auto& each : stores) each.end();
  calls.begin("load", loading()).end(2);
  EXPECT_FALSE(calls.is_linearizable());
}

TEST(Linearizable, its_text_has_a_line_for_each_call) {
  history<fifo> calls;
  calls.begin("push 1", pushing(1)).end();
  calls.begin("pop", popping()).end(std::optional{1});
  calls.begin("pop", popping()).end(std::optional<int>{});
  auto open = calls.begin("push 2", pushing(2));
  static_cast<void>(open);
  const std::string text = calls.describe();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_NE(text.find("1..2    push 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("3..4    pop = 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("5..6    pop = nothing\n"), std::string::npos) << text;
  EXPECT_NE(text.find("7..    push 2 has not ended\n"), std::string::npos) << text;
}

TEST(Linearizable, an_atomic_addition_is_under_all_schedules) {
  const explore_result result =
      explore({.how = strategy::exhaustive, .schedules = 100'000}, [] {
        platform::atomic<int> real{0};
        history<word_model> calls;
        const auto add = [&] {
          calls.call(
              "add 1", [&] { return real.fetch_add(1, std::memory_order_relaxed) + 1; },
              [](word_model& w) { return w.add(1); });
        };
        thread other{add};
        add();
        other.join();
        verify(calls.size() == 2, "both were written down");
        calls.verify_linearizable();
      });
  EXPECT_FALSE(result.has_failed()) << result.report;
  EXPECT_TRUE(result.is_complete);
}

/// Adds in two steps.
explore_result add_in_two_steps() {
  return explore({.schedules = 2000, .prints = false}, [] {
    platform::atomic<int> real{0};
    history<word_model> calls;
    const auto add = [&] {
      calls.call(
          "add 1",
          [&] {
            const int seen = real.load(std::memory_order_relaxed);
            real.store(seen + 1, std::memory_order_relaxed);
            return seen + 1;
          },
          [](word_model& w) { return w.add(1); });
    };
    thread other{add};
    add();
    other.join();
    calls.verify_linearizable();
  });
}

TEST(Linearizable, a_lost_addition_is_found_and_the_report_has_the_history) {
  const explore_result result = add_in_two_steps();
  EXPECT_EQ(result.failure, explore_result::kind::assertion);
  EXPECT_NE(result.report.find("the history is linearizable"), std::string::npos);
  EXPECT_NE(result.report.find("thread-1  add 1 = 1"), std::string::npos) << result.report;
  EXPECT_NE(result.report.find("main  add 1 = 1"), std::string::npos) << result.report;
}

/// One thread stores and another one loads, without synchronization.
explore_result store_and_load(call_order order, std::memory_order of_flag) {
  return explore({.schedules = 5000, .prints = false}, [=] {
    platform::atomic<int> real{0};
    platform::atomic<bool> is_stored{false};
    history<word_model> calls{word_model{}, order};
    thread other{[&] {
      const auto store = [&] { real.store(1, std::memory_order_relaxed); };
      calls.call("store 1", store, storing(1));
      is_stored.store(true, of_flag == std::memory_order_acquire
                                ? std::memory_order_release
                                : std::memory_order_relaxed);
    }};
    if (is_stored.load(of_flag)) {
      calls.call("load", [&] { return real.load(std::memory_order_relaxed); }, loading());
    }
    other.join();
    calls.verify_linearizable();
  });
}

TEST(Linearizable, an_old_value_has_an_order_if_nothing_happened_before) {
  EXPECT_TRUE(
      store_and_load(call_order::real_time, std::memory_order_relaxed).has_failed());
  EXPECT_FALSE(
      store_and_load(call_order::happens_before, std::memory_order_relaxed).has_failed());
}

TEST(Linearizable, what_happens_before_comes_before) {
  bool was_loaded = false;
  const explore_result result = explore({.schedules = 2000, .prints = false}, [&] {
    platform::atomic<bool> is_done{false};
    history<word_model> calls{word_model{}, call_order::happens_before};
    thread other{[&] {
      calls.begin("store 1", storing(1)).end();
      is_done.store(true, std::memory_order_release);
    }};
    if (is_done.load(std::memory_order_acquire)) {
      calls.begin("load", loading()).end(0);
      was_loaded = true;
    }
    other.join();
    calls.verify_linearizable();
  });
  EXPECT_TRUE(was_loaded);
  EXPECT_EQ(result.failure, explore_result::kind::assertion);
  EXPECT_FALSE(
      store_and_load(call_order::real_time, std::memory_order_acquire).has_failed());
}

}  // namespace
}  // namespace hotseat
