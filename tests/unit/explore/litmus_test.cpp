// hotseat/tests/unit/explore/litmus_test.cpp — the outcomes that the memory model shows are
// exactly those that C++20 allows.
//
// Each test runs a few lines under every schedule and compares the set of outcomes.  Where
// the model shows less than C++ allows, the test's name says "not shown": load buffering,
// and any outcome that needs an order of read-modify-writes of one word, or of seq_cst
// operations, other than the order of execution.
#include <gtest/gtest.h>

#include <hotseat/explore/explore.hpp>
#include <hotseat/platform/seam.hpp>

#include <atomic>
#include <functional>
#include <set>
#include <string>

namespace hotseat {
namespace {

using platform::heavy_fence;
using platform::load_after_stores;
using platform::thread;
using word = platform::atomic<int>;
using order = std::memory_order;
using outcomes = std::set<std::string>;

constexpr order relaxed = order::relaxed;
constexpr order acquire = order::acquire;
constexpr order release = order::release;
constexpr order acq_rel = order::acq_rel;
constexpr order seq_cst = order::seq_cst;

/// Allows more deviations than a program of two threads has steps...
constexpr unsigned no_bound = 200;
/// ...but three or four threads have too many schedules for that.  No outcome of these
/// programs needs more than three deviations.
constexpr unsigned some_bound = 3;

/// Digits, one for each load, in the order of the text.
template <class... Values>
std::string digits(Values... values) {
  return (std::to_string(values) + ...);
}

/// What `program` returns, over all schedules.
outcomes all_of(const std::function<std::string()>& program, unsigned bound = no_bound,
                bool has_membarrier = true) {
  outcomes seen;
  const explore_result result = explore({.name = "litmus",
                                         .how = strategy::exhaustive,
                                         .schedules = 20'000'000,
                                         .preemptions = bound,
                                         .has_membarrier = has_membarrier},
                                        [&] { seen.insert(program()); });
  EXPECT_FALSE(result.has_failed());
  EXPECT_TRUE(result.is_complete) << result.schedules;
  return seen;
}

/// All texts of `count` binary digits, except the forbidden ones.
outcomes any_but(unsigned count, const outcomes& forbidden) {
  outcomes all;
  for (unsigned number = 0; number < 1U << count; ++number) {
    std::string text;
    for (unsigned i = count; i > 0; --i) text += (number >> (i - 1) & 1U) != 0 ? '1' : '0';
    if (!forbidden.contains(text)) all.insert(text);
  }
  return all;
}
outcomes any(unsigned count) { return any_but(count, {}); }

/// Runs the bodies in threads, to their ends.
template <class... Bodies>
void together(Bodies... bodies) {
  thread threads[]{thread{bodies}...};
  for (thread& each : threads) each.join();
}

// ------------------------------------------------------------------ message passing

outcomes message_passing(order publish, order observe) {
  return all_of([=] {
    word data{0};
    word flag{0};
    int seen_flag = 0;
    int seen_data = 0;
    together(
        [&] {
          data.store(1, relaxed);
          flag.store(1, publish);
        },
        [&] {
          seen_flag = flag.load(observe);
          seen_data = data.load(relaxed);
        });
    return digits(seen_flag, seen_data);
  });
}

TEST(Litmus, message_passing_needs_both_release_and_acquire) {
  EXPECT_EQ(message_passing(relaxed, relaxed), any(2));
  EXPECT_EQ(message_passing(release, relaxed), any(2));
  EXPECT_EQ(message_passing(relaxed, acquire), any(2));
  EXPECT_EQ(message_passing(release, acquire), any_but(2, {"10"}));
  EXPECT_EQ(message_passing(seq_cst, seq_cst), any_but(2, {"10"}));
}

TEST(Litmus, starting_and_joining_a_thread_pass_messages) {
  EXPECT_EQ(all_of([] {
              word before{0};
              word inside{0};
              int seen = 0;
              before.store(1, relaxed);
              thread other{[&] {
                seen = before.load(relaxed);
                inside.store(1, relaxed);
              }};
              other.join();
              return digits(seen, inside.load(relaxed));
            }),
            outcomes{"11"});
}

// ------------------------------------------------------------------ store buffering

outcomes store_buffering(order store, order load) {
  return all_of([=] {
    word x{0};
    word y{0};
    int seen_y = 0;
    int seen_x = 0;
    together(
        [&] {
          x.store(1, store);
          seen_y = y.load(load);
        },
        [&] {
          y.store(1, store);
          seen_x = x.load(load);
        });
    return digits(seen_y, seen_x);
  });
}

TEST(Litmus, store_buffering_is_forbidden_by_seq_cst_alone) {
  EXPECT_EQ(store_buffering(relaxed, relaxed), any(2));
  EXPECT_EQ(store_buffering(release, acquire), any(2));
  EXPECT_EQ(store_buffering(seq_cst, acquire), any(2));
  EXPECT_EQ(store_buffering(release, seq_cst), any(2));
  EXPECT_EQ(store_buffering(seq_cst, seq_cst), any_but(2, {"00"}));
}

// C++ allows 11 if all is relaxed.
TEST(Litmus, load_buffering_is_not_shown) {
  const auto load_buffering = [](order load, order store) {
    return all_of([=] {
      word x{0};
      word y{0};
      int seen_x = 0;
      int seen_y = 0;
      together(
          [&] {
            seen_x = x.load(load);
            y.store(1, store);
          },
          [&] {
            seen_y = y.load(load);
            x.store(1, store);
          });
      return digits(seen_x, seen_y);
    });
  };
  EXPECT_EQ(load_buffering(relaxed, relaxed), any_but(2, {"11"}));
  EXPECT_EQ(load_buffering(acquire, release), any_but(2, {"11"}));
  EXPECT_EQ(load_buffering(seq_cst, seq_cst), any_but(2, {"11"}));
}

// ------------------------------------------------------------------ coherence

TEST(Litmus, CoRR_two_loads_of_a_thread_do_not_go_back) {
  for (const order how : {relaxed, seq_cst}) {
    EXPECT_EQ(all_of([=] {
                word x{0};
                int first = 0;
                int second = 0;
                together(
                    [&] {
                      x.store(1, how);
                      x.store(2, how);
                    },
                    [&] {
                      first = x.load(how);
                      second = x.load(how);
                    });
                return digits(first, second);
              }),
              (outcomes{"00", "01", "02", "11", "12", "22"}));
  }
}

TEST(Litmus, CoRR_two_threads_agree_on_the_order_of_stores) {
  const auto opposite = [](int a, int b, int c, int d) {
    return a != 0 && d != 0 && a == d && b == c && a != b && b != 0;
  };
  const outcomes seen = all_of(
      [&] {
        word x{0};
        int a = 0;
        int b = 0;
        int c = 0;
        int d = 0;
        together([&] { x.store(1, relaxed); }, [&] { x.store(2, relaxed); },
                 [&] {
                   a = x.load(relaxed);
                   b = x.load(relaxed);
                 },
                 [&] {
                   c = x.load(relaxed);
                   d = x.load(relaxed);
                 });
        return std::string{opposite(a, b, c, d) ? "opposite" : "same"} +
               (a == 1 && b == 2 ? " 12" : "") + (c == 2 && d == 1 ? " 21" : "");
      },
      some_bound);
  EXPECT_EQ(seen, (outcomes{"same", "same 12", "same 21"}));
}

TEST(Litmus, CoWR_a_thread_sees_its_own_store_or_a_newer_one) {
  EXPECT_EQ(all_of([] {
              word x{0};
              int seen = 0;
              together(
                  [&] {
                    x.store(1, relaxed);
                    seen = x.load(relaxed);
                  },
                  [&] { x.store(2, relaxed); });
              return digits(seen, x.load(relaxed));
            }),
            (outcomes{"11", "12", "22"}));
}

TEST(Litmus, CoRW_a_store_comes_after_what_its_thread_has_seen) {
  EXPECT_EQ(all_of([] {
              word x{0};
              int seen = 0;
              together(
                  [&] {
                    seen = x.load(relaxed);
                    x.store(1, relaxed);
                  },
                  [&] { x.store(2, relaxed); });
              return digits(seen, x.load(relaxed));
            }),
            (outcomes{"01", "02", "21"}));
}

TEST(Litmus, read_modify_writes_lose_nothing) {
  EXPECT_EQ(all_of(
                [] {
                  word x{0};
                  const auto add = [&] { x.fetch_add(1, relaxed); };
                  together(add, add, add);
                  return digits(x.load(relaxed));
                },
                some_bound),
            outcomes{"3"});
}

TEST(Litmus, CoWW_the_stores_of_a_thread_stay_in_order) {
  EXPECT_EQ(all_of([] {
              word x{0};
              together([&] { x.store(3, relaxed); },
                       [&] {
                         x.store(1, relaxed);
                         x.store(2, relaxed);
                       });
              return digits(x.load(relaxed));
            }),
            (outcomes{"2", "3"}));
}

TEST(Litmus, no_store_comes_between_a_read_modify_write_and_what_it_saw) {
  EXPECT_EQ(all_of([] {
              word x{0};
              int first = 0;
              int second = 0;
              together([&] { x.store(5, relaxed); },
                       [&] {
                         first = x.fetch_add(1, relaxed);
                         second = x.fetch_add(1, relaxed);
                       });
              return digits(first, second, x.load(relaxed));
            }),
            (outcomes{"015", "056", "567"}));
}

/// The digits are the last values of the two words.
outcomes two_plus_two_stores(order how) {
  return all_of([=] {
    word x{0};
    word y{0};
    together(
        [&] {
          x.store(1, how);
          y.store(2, how);
        },
        [&] {
          y.store(1, how);
          x.store(2, how);
        });
    return digits(x.load(relaxed), y.load(relaxed));
  });
}

// In 11, the orders of stores to the two words contradict the order of the threads.
TEST(Litmus, the_weak_outcome_of_2_plus_2W_is_forbidden_by_seq_cst_alone) {
  EXPECT_EQ(two_plus_two_stores(relaxed), (outcomes{"11", "12", "21", "22"}));
  EXPECT_EQ(two_plus_two_stores(release), (outcomes{"11", "12", "21", "22"}));
  EXPECT_EQ(two_plus_two_stores(seq_cst), (outcomes{"12", "21", "22"}));
}

/// Whether the second thread has seen the flag of the first, and which of them stored last.
outcomes store_after_store(order publish, order observe) {
  return all_of([=] {
    word x{0};
    word flag{0};
    int seen_flag = 0;
    together(
        [&] {
          x.store(1, relaxed);
          flag.store(1, publish);
        },
        [&] {
          seen_flag = flag.load(observe);
          x.store(2, relaxed);
        });
    return digits(seen_flag, x.load(relaxed));
  });
}

TEST(Litmus, S_the_order_of_stores_needs_both_release_and_acquire) {
  const outcomes all{"01", "02", "11", "12"};
  EXPECT_EQ(store_after_store(relaxed, relaxed), all);
  EXPECT_EQ(store_after_store(release, relaxed), all);
  EXPECT_EQ(store_after_store(relaxed, acquire), all);
  EXPECT_EQ(store_after_store(release, acquire), (outcomes{"01", "02", "12"}));
}

// ------------------------------------------------------------------ three and four threads

outcomes write_to_read_causality(order store_x, order load_x, order store_y, order load_y) {
  return all_of(
      [=] {
        word x{0};
        word y{0};
        int first_x = 0;
        int seen_y = 0;
        int second_x = 0;
        together([&] { x.store(1, store_x); },
                 [&] {
                   first_x = x.load(load_x);
                   y.store(1, store_y);
                 },
                 [&] {
                   seen_y = y.load(load_y);
                   second_x = x.load(load_x);
                 });
        return digits(first_x, seen_y, second_x);
      },
      some_bound);
}

TEST(Litmus, WRC_causality_is_transitive) {
  const outcomes causal = any_but(3, {"110"});
  EXPECT_EQ(write_to_read_causality(relaxed, relaxed, relaxed, relaxed), any(3));
  EXPECT_EQ(write_to_read_causality(release, acquire, relaxed, relaxed), any(3));
  EXPECT_EQ(write_to_read_causality(release, acquire, release, relaxed), any(3));
  EXPECT_EQ(write_to_read_causality(release, acquire, release, acquire), causal);
  EXPECT_EQ(write_to_read_causality(seq_cst, seq_cst, seq_cst, seq_cst), causal);
}

TEST(Litmus, WRC_what_was_seen_before_is_not_missed_even_if_relaxed) {
  EXPECT_EQ(write_to_read_causality(relaxed, relaxed, release, acquire),
            any_but(3, {"110"}));
}

outcomes independent_reads(order store, order load) {
  return all_of(
      [=] {
        word x{0};
        word y{0};
        int a = 0;
        int b = 0;
        int c = 0;
        int d = 0;
        together([&] { x.store(1, store); }, [&] { y.store(1, store); },
                 [&] {
                   a = x.load(load);
                   b = y.load(load);
                 },
                 [&] {
                   c = y.load(load);
                   d = x.load(load);
                 });
        return digits(a, b, c, d);
      },
      some_bound);
}

TEST(Litmus, IRIW_readers_agree_only_if_their_loads_are_seq_cst) {
  EXPECT_EQ(independent_reads(relaxed, relaxed), any(4));
  EXPECT_EQ(independent_reads(release, acquire), any(4));
  EXPECT_EQ(independent_reads(seq_cst, acquire), any(4));
  EXPECT_EQ(independent_reads(seq_cst, seq_cst), any_but(4, {"1010"}));
}

// What one reader has seen, no later one may miss, whichever thread stored it.
TEST(Litmus, IRIW_seq_cst_loads_agree_even_about_relaxed_stores) {
  EXPECT_EQ(independent_reads(relaxed, seq_cst), any_but(4, {"1010"}));
}

TEST(Litmus, ISA2_a_message_goes_through_a_third_thread) {
  const auto isa2 = [](order first, order middle_load, order middle_store, order last) {
    return all_of(
        [=] {
          word x{0};
          word y{0};
          word z{0};
          int seen_y = 0;
          int seen_z = 0;
          int seen_x = 0;
          together(
              [&] {
                x.store(1, relaxed);
                y.store(1, first);
              },
              [&] {
                seen_y = y.load(middle_load);
                z.store(1, middle_store);
              },
              [&] {
                seen_z = z.load(last);
                seen_x = x.load(relaxed);
              });
          return digits(seen_y, seen_z, seen_x);
        },
        some_bound);
  };
  const outcomes causal = any_but(3, {"110"});
  EXPECT_EQ(isa2(relaxed, relaxed, relaxed, relaxed), any(3));
  EXPECT_EQ(isa2(release, acquire, release, acquire), causal);
  EXPECT_EQ(isa2(relaxed, acquire, release, acquire), any(3));
  EXPECT_EQ(isa2(release, relaxed, release, acquire), any(3));
  EXPECT_EQ(isa2(release, acquire, relaxed, acquire), any(3));
  EXPECT_EQ(isa2(release, acquire, release, relaxed), any(3));
}

// ------------------------------------------------------------------ release sequences

TEST(Litmus, a_release_sequence_goes_on_through_read_modify_writes) {
  const auto sequence = [](order middle) {
    return all_of(
        [=] {
          word data{0};
          word flag{0};
          int seen_flag = 0;
          int seen_data = 0;
          together(
              [&] {
                data.store(1, relaxed);
                flag.store(1, release);
              },
              [&] { flag.fetch_add(2, middle); },
              [&] {
                seen_flag = flag.load(acquire);
                seen_data = data.load(relaxed);
              });
          return digits(seen_flag, seen_data);
        },
        some_bound);
  };
  // 2: the addition came first, and is not part of the sequence.
  const outcomes allowed{"00", "01", "11", "20", "21", "31"};
  EXPECT_EQ(sequence(relaxed), allowed);
  EXPECT_EQ(sequence(acq_rel), allowed);
}

TEST(Litmus, a_release_sequence_is_broken_by_a_store_even_of_the_same_thread) {
  EXPECT_EQ(all_of([] {
              word data{0};
              word flag{0};
              int seen_flag = 0;
              int seen_data = 0;
              together(
                  [&] {
                    data.store(1, relaxed);
                    flag.store(1, release);
                    flag.store(2, relaxed);
                  },
                  [&] {
                    seen_flag = flag.load(acquire);
                    seen_data = data.load(relaxed);
                  });
              return digits(seen_flag, seen_data);
            }),
            (outcomes{"00", "01", "11", "20", "21"}));
}

TEST(Litmus, a_release_sequence_is_broken_by_a_store_of_another_thread) {
  EXPECT_EQ(all_of(
                [] {
                  word data{0};
                  word flag{0};
                  int seen_flag = 0;
                  int seen_data = 0;
                  together(
                      [&] {
                        data.store(1, relaxed);
                        flag.store(1, release);
                      },
                      [&] { flag.store(2, relaxed); },
                      [&] {
                        seen_flag = flag.load(acquire);
                        seen_data = data.load(relaxed);
                      });
                  return digits(seen_flag, seen_data);
                },
                some_bound),
            (outcomes{"00", "01", "11", "20", "21"}));
}

TEST(Litmus, a_release_update_publishes_what_came_before_both_heads) {
  EXPECT_EQ(all_of(
                [] {
                  word x{0};
                  word y{0};
                  word flag{0};
                  std::string seen;
                  together(
                      [&] {
                        x.store(1, relaxed);
                        flag.fetch_add(1, release);
                      },
                      [&] {
                        y.store(1, relaxed);
                        flag.fetch_add(1, release);
                      },
                      [&] {
                        const int both = flag.load(acquire);
                        if (both == 2) seen = digits(x.load(relaxed), y.load(relaxed));
                      });
                  return seen;
                },
                some_bound),
            (outcomes{"", "11"}));
}

// ------------------------------------------------------------------ compare and exchange

outcomes exchange_that_fails(order success, order failure) {
  return all_of([=] {
    word data{0};
    word flag{0};
    int seen_flag = 7;
    int seen_data = 0;
    together(
        [&] {
          data.store(1, relaxed);
          flag.store(1, release);
        },
        [&] {
          flag.compare_exchange_strong(seen_flag, 8, success, failure);
          seen_data = data.load(relaxed);
        });
    return digits(seen_flag, seen_data);
  });
}

TEST(Litmus, an_exchange_that_fails_has_the_order_of_its_failure) {
  EXPECT_EQ(exchange_that_fails(acq_rel, relaxed), any(2));
  EXPECT_EQ(exchange_that_fails(acq_rel, acquire), any_but(2, {"10"}));
  EXPECT_EQ(exchange_that_fails(relaxed, acquire), any_but(2, {"10"}));
}

TEST(Litmus, an_exchange_that_succeeds_has_the_order_of_its_success) {
  const auto exchange = [](order success) {
    return all_of([=] {
      word data{0};
      word flag{0};
      bool is_done = false;
      int seen_data = 0;
      together(
          [&] {
            data.store(1, relaxed);
            flag.store(1, release);
          },
          [&] {
            int expected = 1;
            is_done = flag.compare_exchange_strong(expected, 2, success, relaxed);
            seen_data = data.load(relaxed);
          });
      return digits(is_done ? 1 : 0, seen_data);
    });
  };
  EXPECT_EQ(exchange(relaxed), any(2));
  EXPECT_EQ(exchange(release), any(2));
  EXPECT_EQ(exchange(acquire), any_but(2, {"10"}));
  EXPECT_EQ(exchange(seq_cst), any_but(2, {"10"}));
}

TEST(Litmus, an_exchange_may_fail_because_of_an_old_value) {
  const auto late_exchange = [](order publish, order observe) {
    return all_of([=] {
      word data{0};
      word flag{0};
      int seen_flag = 0;
      bool is_done = false;
      together(
          [&] {
            data.store(1, relaxed);
            flag.store(1, publish);
          },
          [&] {
            seen_flag = flag.load(observe);
            int expected = 1;
            is_done = data.compare_exchange_strong(expected, 2, relaxed, relaxed);
          });
      return digits(seen_flag, is_done ? 1 : 0);
    });
  };
  EXPECT_EQ(late_exchange(relaxed, relaxed), any(2));
  EXPECT_EQ(late_exchange(release, acquire), any_but(2, {"10"}));
}

TEST(Litmus, only_a_weak_exchange_fails_for_no_reason) {
  const auto alone = [](bool is_weak) {
    return all_of([=] {
      word x{0};
      int expected = 0;
      const bool is_done = is_weak ? x.compare_exchange_weak(expected, 1)
                                   : x.compare_exchange_strong(expected, 1);
      return digits(is_done ? 1 : 0, expected);
    });
  };
  EXPECT_EQ(alone(false), outcomes{"10"});
  EXPECT_EQ(alone(true), (outcomes{"00", "10"}));
}

// ------------------------------------------------------------------ seq_cst among others

TEST(Litmus, a_seq_cst_store_shows_others_no_more_than_a_release) {
  EXPECT_EQ(all_of([] {
              word x{0};
              word y{0};
              word unrelated{0};
              int seen_y = 0;
              int seen_x = 0;
              together(
                  [&] {
                    x.store(1, relaxed);
                    y.store(1, seq_cst);
                  },
                  [&] {
                    seen_y = y.load(relaxed);
                    static_cast<void>(unrelated.load(seq_cst));
                    seen_x = x.load(relaxed);
                  });
              return digits(seen_y, seen_x);
            }),
            any(2));
}

// ------------------------------------------------------------------ asymmetric fences

enum class side : bool { plain, fenced };

outcomes asymmetric_dekker(side often, side rarely, bool has_membarrier) {
  return all_of(
      [=] {
        word data{0};
        word flag{0};
        int seen_flag = 0;
        int seen_data = 0;
        together(
            [&] {
              data.store(1, relaxed);
              seen_flag =
                  often == side::fenced ? load_after_stores(flag) : flag.load(acquire);
            },
            [&] {
              flag.fetch_add(1, acq_rel);
              if (rarely == side::fenced) heavy_fence();
              seen_data = data.load(acquire);
            });
        return digits(seen_flag, seen_data);
      },
      no_bound, has_membarrier);
}

TEST(Litmus, of_a_light_and_a_heavy_fence_one_sees_the_other) {
  const outcomes dekker = any_but(2, {"00"});
  EXPECT_EQ(asymmetric_dekker(side::fenced, side::fenced, true), dekker);
  EXPECT_EQ(asymmetric_dekker(side::fenced, side::fenced, false), dekker);
}

TEST(Litmus, a_light_or_a_heavy_fence_alone_orders_nothing) {
  EXPECT_EQ(asymmetric_dekker(side::fenced, side::plain, true), any(2));
  EXPECT_EQ(asymmetric_dekker(side::plain, side::fenced, true), any(2));
  EXPECT_EQ(asymmetric_dekker(side::plain, side::fenced, false), any(2));
  EXPECT_EQ(asymmetric_dekker(side::plain, side::plain, true), any(2));
}

// Without membarrier both sides meet in one word, and no fence is needed.
TEST(Litmus, without_membarrier_the_heavy_fence_does_nothing) {
  EXPECT_EQ(asymmetric_dekker(side::fenced, side::plain, false), any_but(2, {"00"}));
}

TEST(Litmus, two_light_fences_order_nothing) {
  EXPECT_EQ(all_of([] {
              word x{0};
              word y{0};
              int seen_y = 0;
              int seen_x = 0;
              together(
                  [&] {
                    x.store(1, relaxed);
                    seen_y = load_after_stores(y);
                  },
                  [&] {
                    y.store(1, relaxed);
                    seen_x = load_after_stores(x);
                  });
              return digits(seen_y, seen_x);
            }),
            any(2));
}

TEST(Litmus, two_heavy_fences_order_each_other) {
  EXPECT_EQ(all_of([] {
              word x{0};
              word y{0};
              int seen_y = 0;
              int seen_x = 0;
              together(
                  [&] {
                    x.store(1, relaxed);
                    heavy_fence();
                    seen_y = y.load(relaxed);
                  },
                  [&] {
                    y.store(1, relaxed);
                    heavy_fence();
                    seen_x = x.load(relaxed);
                  });
              return digits(seen_y, seen_x);
            }),
            any_but(2, {"00"}));
}

// 010: the first thread came before the fence, so its store is visible to any thread that
// the fence happened before.
TEST(Litmus, what_a_fence_shows_is_passed_on) {
  EXPECT_EQ(all_of(
                [] {
                  word x{0};
                  word y{0};
                  word flag{0};
                  int seen_flag = 0;
                  int seen_y = 0;
                  int seen_x = 0;
                  together(
                      [&] {
                        x.store(1, relaxed);
                        seen_flag = load_after_stores(flag);
                      },
                      [&] {
                        flag.fetch_add(1, relaxed);
                        heavy_fence();
                        y.store(1, release);
                      },
                      [&] {
                        seen_y = y.load(acquire);
                        seen_x = x.load(relaxed);
                      });
                  return digits(seen_flag, seen_y, seen_x);
                },
                some_bound),
            any_but(3, {"010"}));
}

}  // namespace
}  // namespace hotseat
