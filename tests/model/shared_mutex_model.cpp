// hotseat/tests/model/shared_mutex_model.cpp — readers together, a writer alone, and no
// waiter is lost when another one leaves.
#include <gtest/gtest.h>

#include <hotseat/explore/linearizable.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sync/detail/shared_state.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/when_all.hpp>

#include <support/explored.hpp>

#include <chrono>
#include <coroutine>
#include <optional>
#include <stop_token>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using detail::access;
using detail::shared_state;
using detail::shared_waiter;
using platform::thread;
using testing::announced;
using testing::endings;
using testing::explore_all;
using testing::explore_some;
using testing::let_in;
using testing::loose_task;
using testing::milestone;
using testing::small_pool;
using testing::until;

using place = testing::spinning<shared_waiter>;

void lock(shared_state& state, access wanted) noexcept {
  place self;
  self.wants = wanted;
  if (!state.acquire_or_enqueue(self)) self.await_turn();
}

/// Returns whether it is inside.
bool lock_or_leave(shared_state& state, access wanted) noexcept {
  place self;
  self.wants = wanted;
  if (state.acquire_or_enqueue(self)) return true;
  waiter_queue heirs;
  const bool has_left = state.leave(self, heirs);
  let_in<shared_waiter>(heirs);
  if (has_left) return false;
  self.await_turn();
  return true;
}

void unlock(shared_state& state, access had) noexcept {
  let_in<shared_waiter>(state.release(had));
}

void write(shared_state& state, platform::var<int>& value) {
  lock(state, access::exclusive);
  value = value + 1;
  unlock(state, access::exclusive);
}

void read(shared_state& state, const platform::var<int>& value, int at_most) {
  lock(state, access::shared);
  verify(value <= at_most, "what is read has been written");
  unlock(state, access::shared);
}

TEST(SharedStateModel, two_writers_and_a_reader_keep_apart) {
  explore_all(4, [] {
    shared_state state;
    platform::var<int> value = 0;
    thread writer{[&] { write(state, value); }};
    thread reader{[&] { read(state, value, 2); }};
    write(state, value);
    writer.join();
    reader.join();
    verify(value == 2 && state.is_free(), "both have written, and none is inside");
  });
}

TEST(SharedStateModel, two_readers_and_a_writer_keep_apart) {
  explore_all(4, [] {
    shared_state state;
    platform::var<int> value = 0;
    thread writer{[&] { write(state, value); }};
    thread reader{[&] { read(state, value, 1); }};
    read(state, value, 1);
    writer.join();
    reader.join();
    verify(value == 1 && state.is_free(), "it is written, and none is inside");
  });
}

TEST(SharedStateModel, readers_may_be_inside_together) {
  bool were_together = false;
  explore_all(2, [&] {
    shared_state state;
    int inside = 0;
    const auto stay = [&] {
      lock(state, access::shared);
      if (++inside == 2) were_together = true;
      milestone nothing;
      nothing.reach();  // A step.
      --inside;
      unlock(state, access::shared);
    };
    thread other{stay};
    stay();
    other.join();
  });
  EXPECT_TRUE(were_together);
}

TEST(SharedStateModel, a_reader_does_not_overtake_a_writer_that_waits) {
  explore_all(4, [] {
    shared_state state;
    milestone waits;
    platform::var<bool> is_written = false;
    verify(state.try_acquire(access::shared), "it is free");
    thread writer{[&] {
      place self;
      const bool is_inside = state.acquire_or_enqueue(self);
      waits.reach();
      if (!is_inside) self.await_turn();
      is_written = true;
      unlock(state, access::exclusive);
    }};
    thread reader{[&] {
      waits.await();
      lock(state, access::shared);
      verify(is_written, "the writer came first");
      unlock(state, access::shared);
    }};
    unlock(state, access::shared);
    writer.join();
    reader.join();
    verify(state.is_free(), "none is inside");
  });
}

TEST(SharedStateModel, a_writer_that_leaves_lets_the_readers_behind_it_in) {
  bool has_left = false;
  bool was_inside = false;
  explore_all(4, [&] {
    shared_state state;
    platform::var<int> value = 0;
    verify(state.try_acquire(access::shared), "it is free");
    thread writer{[&] {
      const bool is_inside = lock_or_leave(state, access::exclusive);
      (is_inside ? was_inside : has_left) = true;
      if (!is_inside) return;
      value = value + 1;
      unlock(state, access::exclusive);
    }};
    thread reader{[&] { read(state, value, 1); }};
    unlock(state, access::shared);
    writer.join();
    reader.join();
    verify(state.is_free(), "none is inside");
  });
  EXPECT_TRUE(has_left && was_inside);
}

TEST(SharedStateModel, a_reader_that_leaves_holds_none_up) {
  explore_all(4, [] {
    shared_state state;
    platform::var<int> value = 0;
    verify(state.try_acquire(), "it is free");
    thread reader{[&] {
      if (!lock_or_leave(state, access::shared)) return;
      verify(value <= 2, "it can be read");
      unlock(state, access::shared);
    }};
    thread writer{[&] { write(state, value); }};
    value = value + 1;
    unlock(state, access::exclusive);
    reader.join();
    writer.join();
    verify(value == 2 && state.is_free(), "none is inside");
  });
}

// --- Among tasks of a pool.

template <class Handoff>
class SharedMutexModel : public ::testing::Test {};
TYPED_TEST_SUITE(SharedMutexModel, testing::handoffs, testing::handoff_names);

template <class Mutex>
task<> write(Mutex& m, platform::var<int>& value, int times = 1) {
  for (int i = 0; i < times; ++i) {
    co_await m.lock();
    value = value + 1;
    co_await m.unlock();
  }
}

template <class Mutex>
task<> read(Mutex& m, const platform::var<int>& value) {
  co_await m.lock_shared();
  const int before = value;
  co_await reschedule();
  verify(value == before, "none writes while a reader is inside");
  co_await m.unlock_shared();
}

TYPED_TEST(SharedMutexModel, readers_and_writers_keep_apart) {
  explore_some(20'000, [] {
    thread_pool pool{small_pool()};
    basic_shared_mutex<TypeParam> m;
    platform::var<int> value = 0;
    sync_wait(pool, when_all(write(m, value, 2), read(m, value), read(m, value),
                             write(m, value)));
    verify(value == 3, "all have written");
  });
}

template <class Mutex>
task<> write_and_stay(Mutex& m, platform::var<int>& value) {
  co_await m.lock();
  value = value + 1;
  co_await reschedule();
  value = value + 1;
  co_await m.unlock();
}

/// What ends a wait early: a time or a stop request.
struct wait_end {
  std::optional<std::chrono::microseconds> time = std::nullopt;
  std::stop_token stop = {};
};

template <class Mutex>
task<> write_in_time(Mutex& m, wait_end end, platform::var<int>& value, endings& seen) {
  bool is_inside = false;
  if (end.time) {
    auto operation = m.try_lock_for(*end.time);
    is_inside = co_await operation;
  } else {
    auto operation = m.lock(end.stop);
    is_inside = co_await operation;
  }
  seen.note(is_inside);
  if (!is_inside) co_return;
  value = value + 1;
  co_await m.unlock();
}

template <class Mutex>
task<> read_in_time(Mutex& m, wait_end end, const platform::var<int>& value,
                    endings& seen) {
  bool is_inside = false;
  if (end.time) {
    auto operation = m.try_lock_shared_for(*end.time);
    is_inside = co_await operation;
  } else {
    auto operation = m.lock_shared(end.stop);
    is_inside = co_await operation;
  }
  seen.note(is_inside);
  if (!is_inside) co_return;
  verify(value >= 0, "it can be read");
  co_await m.unlock_shared();
}

TYPED_TEST(SharedMutexModel, a_task_that_is_too_late_is_out_of_the_line_or_inside) {
  endings writers;
  endings readers;
  explore_some(12'000, [&] {
    thread_pool pool{small_pool()};
    basic_shared_mutex<TypeParam> m;
    platform::var<int> value = 0;
    const wait_end soon{.time = 60us};
    sync_wait(pool,
              when_all(write_and_stay(m, value), write_in_time(m, soon, value, writers),
                       read(m, value), read_in_time(m, soon, value, readers)));
    verify(m.try_lock(), "ownership is not lost");
    m.unlock_dispatch();
  });
  EXPECT_TRUE(writers.granted && writers.left);
  EXPECT_TRUE(readers.granted && readers.left);
}

TYPED_TEST(SharedMutexModel, a_task_that_is_told_to_stop_is_out_of_the_line_or_inside) {
  endings writers;
  endings readers;
  explore_some(12'000, [&] {
    thread_pool pool{small_pool()};
    basic_shared_mutex<TypeParam> m;
    platform::var<int> value = 0;
    std::stop_source source;
    thread stopping{[&] { source.request_stop(); }};
    const wait_end told{.stop = source.get_token()};
    sync_wait(pool,
              when_all(write_and_stay(m, value), write_in_time(m, told, value, writers),
                       read(m, value), read_in_time(m, told, value, readers)));
    stopping.join();
    verify(m.try_lock(), "ownership is not lost");
    m.unlock_dispatch();
  });
  EXPECT_TRUE(writers.granted && writers.left);
  EXPECT_TRUE(readers.granted && readers.left);
}

template <class Mutex>
task<> write_until_told(Mutex& m, std::stop_token stop, milestone& waits) {
  auto operation = m.lock(std::move(stop));
  const bool is_inside = co_await announced{operation, waits};
  waits.reach();
  if (is_inside) co_await m.unlock();
}

template <class Mutex>
task<> read_behind(Mutex& m, const milestone& writer_waits, milestone& is_inside) {
  co_await until(writer_waits);
  co_await m.lock_shared();
  is_inside.reach();
  co_await m.unlock_shared();
}

TYPED_TEST(SharedMutexModel, readers_behind_a_writer_that_gives_up_join_those_inside) {
  explore_some(8'000, [] {
    milestone waits;
    milestone is_inside;
    thread_pool pool{small_pool()};
    basic_shared_mutex<TypeParam> m;
    verify(m.try_lock_shared(), "it is free");
    std::stop_source source;
    thread staying{[&] {
      waits.await_and_see();
      source.request_stop();
      is_inside.await_and_see();  // Only then does the first reader leave.
      m.unlock_shared_dispatch();
    }};
    sync_wait(pool, when_all(write_until_told(m, source.get_token(), waits),
                             read_behind(m, waits, is_inside)));
    staying.join();
    verify(m.try_lock(), "ownership is not lost");
    m.unlock_dispatch();
  });
}

template <class Mutex>
task<> write_never(Mutex& m, milestone& waits) {
  auto operation = m.lock();
  co_await announced{operation, waits};
  verify(false, "it is destroyed before its turn comes");
}

/// Stands behind the writer, and cannot be let in before it.
template <class Mutex>
task<> read_after(Mutex& m, const milestone& writer_waits, platform::var<int>& value) {
  co_await until(writer_waits);
  co_await read(m, value);
}

TYPED_TEST(SharedMutexModel, a_writer_is_destroyed_in_line_and_readers_go_on) {
  explore_some(6'000, [] {
    milestone waits;
    thread_pool pool{small_pool()};
    basic_shared_mutex<TypeParam> m;
    platform::var<int> value = 0;
    loose_task doomed{write_never(m, waits)};
    verify(m.try_lock_shared(), "it is free");
    doomed.start_on(pool);
    thread destroying{[&] {
      waits.await_and_see();
      doomed.destroy();
      m.unlock_shared_dispatch();
    }};
    sync_wait(pool, when_all(read_after(m, waits, value), write_and_stay(m, value)));
    destroying.join();
    verify(m.try_lock(), "ownership is not lost");
    m.unlock_dispatch();
  });
}

TYPED_TEST(SharedMutexModel, plain_threads_are_like_tasks) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    basic_shared_mutex<TypeParam> m;
    platform::var<int> value = 0;
    thread plain{[&] {
      m.lock_blocking();
      value = value + 1;
      m.unlock_dispatch();
      m.lock_shared_blocking();
      verify(value >= 1, "it can be read");
      m.unlock_shared_dispatch();
    }};
    sync_wait(pool, when_all(write(m, value), read(m, value)));
    plain.join();
    verify(value == 2, "both have written");
  });
}

template <class Mutex>
struct short_lived {
  std::optional<Mutex> m{std::in_place};
  platform::var<int> users = 2;
};

/// Reads, then enters as a writer that may be the last user.
template <class Mutex>
task<> use_and_destroy(short_lived<Mutex>& shared) {
  co_await shared.m->lock_shared();
  co_await shared.m->unlock_shared();
  co_await shared.m->lock();
  const int left = shared.users - 1;
  shared.users = left;
  co_await shared.m->unlock();
  if (left == 0) shared.m.reset();
}

TYPED_TEST(SharedMutexModel, the_last_to_go_on_may_destroy_it_at_once) {
  explore_some(15'000, [] {
    thread_pool pool{small_pool()};
    short_lived<basic_shared_mutex<TypeParam>> shared;
    sync_wait(pool, when_all(use_and_destroy(shared), use_and_destroy(shared)));
    verify(!shared.m, "the last one has destroyed it");
  });
}

template <class Mutex>
task<> scoped(Mutex& m, platform::var<int>& value, bool writes) {
  if (writes) {
    auto held = co_await m.scoped_lock();
    value = value + 1;
  } else {
    auto held = co_await m.scoped_lock_shared();
    verify(value >= 0, "it can be read");
    co_await held.unlock();
  }
}

TYPED_TEST(SharedMutexModel, a_scope_unlocks_at_its_end) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    basic_shared_mutex<TypeParam> m;
    platform::var<int> value = 0;
    sync_wait(pool, when_all(scoped(m, value, true), scoped(m, value, false),
                             scoped(m, value, true)));
    verify(value == 2, "both have written");
  });
}

/// The model of a shared mutex.
struct owners {
  int readers = 0;
  bool is_written = false;
  bool lock() { return readers == 0 && !std::exchange(is_written, true); }
  bool lock_shared() {
    if (is_written) return false;
    ++readers;
    return true;
  }
  bool unlock() { return std::exchange(is_written, false); }
  bool unlock_shared() { return readers-- > 0; }
  bool operator==(const owners&) const = default;
};

constexpr auto locking = [](owners& o) { return o.lock(); };
constexpr auto unlocking = [](owners& o) { return o.unlock(); };
constexpr auto locking_shared = [](owners& o) { return o.lock_shared(); };
constexpr auto unlocking_shared = [](owners& o) { return o.unlock_shared(); };
constexpr auto waiting = [](owners& o, bool is_inside) { return !is_inside || o.lock(); };

template <class Mutex>
task<> write_noted(Mutex& m, history<owners>& calls) {
  auto lock = calls.begin("lock", locking);
  co_await m.lock();
  lock.end();
  auto unlock = calls.begin("unlock", unlocking);
  co_await m.unlock();
  unlock.end();
}

template <class Mutex>
task<> read_noted(Mutex& m, history<owners>& calls) {
  for (int i = 0; i < 2; ++i) {
    auto lock = calls.begin("lock_shared", locking_shared);
    co_await m.lock_shared();
    lock.end();
    auto unlock = calls.begin("unlock_shared", unlocking_shared);
    co_await m.unlock_shared();
    unlock.end();
  }
}

template <class Mutex>
task<> try_noted(Mutex& m, history<owners>& calls) {
  auto lock = calls.begin("try_lock_for", waiting);
  auto operation = m.try_lock_for(40us);
  const bool is_inside = co_await operation;
  lock.end(is_inside);
  if (!is_inside) co_return;
  auto unlock = calls.begin("unlock", unlocking);
  co_await m.unlock();
  unlock.end();
}

TYPED_TEST(SharedMutexModel, its_histories_are_linearizable) {
  explore_some(10'000, [] {
    thread_pool pool{small_pool()};
    basic_shared_mutex<TypeParam> m;
    history<owners> calls;
    sync_wait(pool, when_all(write_noted(m, calls), read_noted(m, calls),
                             read_noted(m, calls), try_noted(m, calls)));
    calls.verify_linearizable();
  });
}

}  // namespace
}  // namespace hotseat
