// hotseat/tests/model/section_model.cpp — sections that the lock's owner runs for other
// tasks, among ordinary owners.
#include <gtest/gtest.h>

#include <hotseat/explore/linearizable.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/synchronized.hpp>
#include <hotseat/task/when_all.hpp>
#include <hotseat/task/with_lock.hpp>

#include <support/explored.hpp>
#include <support/mutex_kinds.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using platform::thread;
using testing::announced;
using testing::endings;
using testing::explore_some;
using testing::guarded_count;
using testing::milestone;
using testing::small_pool;

/// Every mutex, and the writer side of the shared ones.
template <class Mutex>
class SectionModel : public ::testing::Test {};
using mutexes = ::testing::Types<basic_mutex<handoff::exchange, lock_state::lock_free>,
                                 basic_mutex<handoff::exchange, lock_state::spin_locked>,
                                 basic_mutex<handoff::dispatch, lock_state::lock_free>,
                                 basic_mutex<handoff::resume_inline, lock_state::lock_free>,
                                 basic_shared_mutex<handoff::exchange>,
                                 basic_shared_mutex<handoff::resume_inline>>;
class mutex_names {
 public:
  template <class>
  static std::string GetName(int i) {
    constexpr std::array names{"exchange", "exchange_spin", "dispatch",
                               "inline",   "shared",        "shared_inline"};
    return names.at(static_cast<std::size_t>(i));
  }
};
TYPED_TEST_SUITE(SectionModel, mutexes, mutex_names);

template <class Mutex>
task<> add(Mutex& m, guarded_count& count, int times = 1) {
  for (int i = 0; i < times; ++i) {
    auto operation = with_lock(m, [&count] {
      const int before = count.value();
      count.increment();
      return before + 1;
    });
    const int after = co_await operation;
    verify(after >= 1, "it gives what the section gave");
  }
}

template <class Mutex>
task<> add_as_owner(Mutex& m, guarded_count& count) {
  co_await m.lock();
  count.increment();
  co_await reschedule();
  count.increment();
  co_await m.unlock();
}

TYPED_TEST(SectionModel, sections_run_one_at_a_time) {
  explore_some(12'000, [] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    sync_wait(pool, when_all(add(m, count, 2), add(m, count), add(m, count)));
    verify(count.value() == 4, "each was run once");
  });
}

TYPED_TEST(SectionModel, sections_and_owners_take_turns) {
  explore_some(12'000, [] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    sync_wait(pool, when_all(add_as_owner(m, count), add(m, count), add_as_owner(m, count),
                             add(m, count)));
    verify(count.value() == 6, "each was run once");
  });
}

TYPED_TEST(SectionModel, a_chain_of_sections_may_be_cut) {
  explore_some(12'000, [] {
    thread_pool_options options = small_pool();
    options.chain_limit = 1;
    thread_pool pool{options};
    TypeParam m;
    guarded_count count;
    sync_wait(pool, when_all(add_as_owner(m, count), add(m, count), add(m, count),
                             add(m, count)));
    verify(count.value() == 5, "each was run once");
  });
}

template <class Mutex>
task<> add_and_throw(Mutex& m, guarded_count& count, int number, int& caught) {
  const auto section = [&count, number] {
    count.increment();
    throw number;
  };
  auto operation = with_lock(m, section);
  try {
    co_await operation;
  } catch (int thrown) {
    verify(thrown == number, "it is the task's own exception");
    ++caught;
  }
}

TYPED_TEST(SectionModel, what_a_section_throws_goes_to_its_task) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    std::array<int, 2> caught{};
    sync_wait(pool, when_all(add_and_throw(m, count, 1, caught[0]), add_as_owner(m, count),
                             add_and_throw(m, count, 2, caught[1])));
    verify(caught[0] == 1 && caught[1] == 1, "each has caught its own");
    verify(count.value() == 4, "each was run once");
  });
}

TYPED_TEST(SectionModel, tasks_of_two_pools_and_plain_threads_take_turns) {
  explore_some(5'000, [] {
    thread_pool first{small_pool(1)};
    thread_pool second{small_pool(1)};
    TypeParam m;
    guarded_count count;
    thread other{[&] { sync_wait(second, when_all(add(m, count), add(m, count))); }};
    thread plain{[&] {
      m.lock_blocking();
      count.increment();
      m.unlock_dispatch();
    }};
    sync_wait(first, when_all(add(m, count), add_as_owner(m, count)));
    other.join();
    plain.join();
    verify(count.value() == 6, "each was run once");
  });
}

template <class Mutex>
task<> run_never(Mutex& m, milestone& waits) {
  auto operation =
      with_lock(m, [] { verify(false, "it is destroyed before its turn comes"); });
  co_await announced{operation, waits};
}

template <class Mutex>
task<> own_until(Mutex& m, milestone& waits, const milestone& gone) {
  auto operation = m.lock();
  co_await announced{operation, waits};
  co_await testing::until(gone);
  co_await m.unlock();
}

TYPED_TEST(SectionModel, a_task_is_destroyed_in_line_while_the_lock_is_passed_on) {
  explore_some(4'000, [] {
    testing::destroy_in_line<TypeParam>(own_until<TypeParam>, run_never<TypeParam>);
  });
}

template <class Mutex>
struct short_lived {
  std::optional<Mutex> m{std::in_place};
  platform::var<int> users = 3;
};

template <class Mutex>
task<> use_and_destroy(short_lived<Mutex>& shared) {
  auto operation = with_lock(*shared.m, [&shared] {
    const int left = shared.users - 1;
    shared.users = left;
    return left;
  });
  const int left = co_await operation;
  if (left == 0) shared.m.reset();
}

TYPED_TEST(SectionModel, the_last_to_go_on_may_destroy_it_at_once) {
  explore_some(12'000, [] {
    thread_pool pool{small_pool()};
    short_lived<TypeParam> shared;
    sync_wait(pool, when_all(use_and_destroy(shared), use_and_destroy(shared),
                             use_and_destroy(shared)));
    verify(!shared.m, "the last one has destroyed it");
  });
}

/// The model of a counter.
struct counter {
  int value = 0;
  int add(int n) { return value += n; }
  bool operator==(const counter&) const = default;
};

template <class Mutex>
task<> add_noted(Mutex& m, platform::var<int>& value, int n, history<counter>& calls) {
  for (int i = 0; i < 2; ++i) {
    auto call = calls.begin("add", [n](counter& c) { return c.add(n); });
    auto operation = with_lock(m, [&value, n] {
      const int sum = value + n;
      value = sum;
      return sum;
    });
    const int sum = co_await operation;
    call.end(sum);
  }
}

TYPED_TEST(SectionModel, a_counter_made_of_sections_is_linearizable) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    TypeParam m;
    platform::var<int> value = 0;
    history<counter> calls;
    sync_wait(pool, when_all(add_noted(m, value, 1, calls), add_noted(m, value, 10, calls),
                             add_noted(m, value, 100, calls)));
    calls.verify_linearizable();
  });
}

task<> read(shared_mutex& m, const guarded_count& count) {
  co_await m.lock_shared();
  const int before = count.value();
  co_await reschedule();
  verify(count.value() == before, "none writes while a reader is inside");
  co_await m.unlock_shared();
}

TEST(SharedSectionModel, sections_of_writers_keep_apart_from_readers) {
  explore_some(30'000, [] {
    thread_pool pool{small_pool()};
    shared_mutex m;
    guarded_count count;
    sync_wait(pool,
              when_all(add(m, count, 2), read(m, count), add(m, count), read(m, count)));
    verify(count.value() == 3, "each was run once");
  });
}

/// Notes whether a worker ran the section of a task that suspended on another one.
task<> add_watched(mutex& m, const thread_pool& pool, guarded_count& count,
                   bool& was_delegated) {
  const auto before = pool.current_worker();
  auto operation = with_lock(m, [&] {
    count.increment();
    if (pool.current_worker() != before) was_delegated = true;
  });
  co_await operation;
}

TEST(DelegationModel, the_owner_of_the_lock_runs_the_sections_of_others) {
  bool was_delegated = false;
  explore_some(20'000, [&] {
    thread_pool pool{small_pool()};
    mutex m;
    guarded_count count;
    sync_wait(pool,
              when_all(add_watched(m, pool, count, was_delegated), add_as_owner(m, count),
                       add_watched(m, pool, count, was_delegated)));
    verify(count.value() == 4, "each was run once");
  });
  EXPECT_TRUE(was_delegated);
}

task<> append(synchronized<std::string>& text, char letter) {
  auto operation = text.with([letter](std::string& t) { t += letter; });
  co_await operation;
}

TEST(SynchronizedModel, nothing_is_lost) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    synchronized<std::string> text;
    sync_wait(pool, when_all(append(text, 'a'), append(text, 'b'), append(text, 'c')));
    const std::size_t length = text.with_blocking([](auto& t) { return t.size(); });
    verify(length == 3, "each was appended once");
  });
}

// --- With limits.

/// Runs its section only if its turn comes in time; notes whether it did.
template <class Mutex>
task<> add_in_time(Mutex& m, std::stop_token stop, guarded_count& count, int& called,
                   endings& seen) {
  const auto section = [&count, &called] {
    count.increment();
    return ++called;
  };
  // Either a stop request or a timeout, so that each must end the wait alone.
  auto operation = stop.stop_possible() ? with_lock(m, std::move(stop), section)
                                        : with_lock_for(m, 40us, section);
  const std::optional<int> result = co_await operation;
  seen.note(result.has_value());
}

TYPED_TEST(SectionModel, a_section_that_is_too_late_is_not_run) {
  endings seen;
  explore_some(8'000, [&] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    int called = 0;
    sync_wait(pool, when_all(add_as_owner(m, count), add(m, count),
                             add_in_time(m, {}, count, called, seen),
                             add_in_time(m, {}, count, called, seen)));
    verify(count.value() == 3 + called, "each was run once, or not at all");
    verify(m.try_lock(), "ownership is not lost");
    m.unlock_dispatch();
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

TYPED_TEST(SectionModel, a_section_that_is_told_to_stop_is_not_run) {
  endings seen;
  explore_some(8'000, [&] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    int called = 0;
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, when_all(add_as_owner(m, count), add(m, count),
                             add_in_time(m, source.get_token(), count, called, seen)));
    stopping.join();
    verify(count.value() == 3 + called, "it was run once, or not at all");
    verify(m.try_lock(), "ownership is not lost");
    m.unlock_dispatch();
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

template <class Mutex>
task<> add_never(Mutex& m, std::stop_token stop, guarded_count& count) {
  const auto section = [&count] { count.increment(); };
  auto operation = with_lock(m, std::move(stop), section);
  verify(!co_await operation, "the mutex is never free");
}

TYPED_TEST(SectionModel, a_stop_ends_the_wait_for_a_mutex_that_is_not_passed_on) {
  explore_some(6'000, [&] {
    thread_pool pool{small_pool()};
    TypeParam m;
    guarded_count count;
    verify(m.try_lock(), "it is free");
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    sync_wait(pool, add_never(m, source.get_token(), count));
    stopping.join();
    verify(count.value() == 0, "it was not run");
    m.unlock_dispatch();
  });
}

/// The section is itself a task, awaited while owning the mutex.
task<> add_slowly(mutex& m, guarded_count& count) {
  const auto body = [](guarded_count& of) -> task<> {
    of.increment();
    co_await reschedule();
    of.increment();
  };
  auto section = [&] { return body(count); };
  co_await with_lock(m, section);
}

task<> add_slowly_in_time(mutex& m, guarded_count& count, endings& seen) {
  const auto body = [](guarded_count& of) -> task<> {
    of.increment();
    co_await reschedule();
    of.increment();
  };
  auto section = [&] { return body(count); };
  seen.note(co_await with_lock_for(m, 40us, section));
}

TEST(AwaitedSectionModel, a_section_that_has_begun_goes_on_to_its_end) {
  endings seen;
  explore_some(20'000, [&] {
    thread_pool pool{small_pool()};
    mutex m;
    guarded_count count;
    sync_wait(pool, when_all(add_slowly(m, count), add_slowly_in_time(m, count, seen),
                             add_slowly_in_time(m, count, seen)));
    verify(count.value() % 2 == 0, "each was run to its end, or not at all");
    verify(m.try_lock(), "ownership is not lost");
    m.unlock_dispatch();
  });
  EXPECT_TRUE(seen.granted && seen.left);
}

TEST(AwaitedSectionModel, a_section_may_suspend_while_others_wait) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    mutex m;
    guarded_count count;
    sync_wait(pool, when_all(add_slowly(m, count), add(m, count), add_slowly(m, count)));
    verify(count.value() == 5, "each was run once");
  });
}

}  // namespace
}  // namespace hotseat
