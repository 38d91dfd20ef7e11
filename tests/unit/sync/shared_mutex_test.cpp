// hotseat/tests/unit/sync/shared_mutex_test.cpp — what every shared mutex promises, and
// what the hand-offs do differently.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <hotseat/core/waiter.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/section_operation.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <hotseat/sync/unique_lock.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/with_lock.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <support/events.hpp>
#include <support/probes.hpp>
#include <support/shared_mutex_kinds.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::detached;
using testing::event_at;
using testing::events;
using testing::manual_executor;
using testing::owned;

static_assert(std::same_as<shared_mutex, basic_shared_mutex<handoff::exchange>>);

template <class Mutex>
owned write(Mutex& m, std::string& log, char name) {
  co_await m.lock();
  log += name;
  co_await m.unlock();
}

template <class Mutex>
owned read(Mutex& m, std::string& log, char name) {
  co_await m.lock_shared();
  log += name;
  co_await m.unlock_shared();
}

template <class Mutex>
class SharedMutexOfAnyKind : public ::testing::Test {
 protected:
  static_assert(!std::is_copy_constructible_v<Mutex>);
  static_assert(!std::is_move_constructible_v<Mutex>);
  static_assert(!std::is_copy_assignable_v<Mutex>);
  static_assert(!std::is_move_assignable_v<Mutex>);
  static_assert(noexcept(std::declval<Mutex&>().lock().await_suspend(nullptr)));
  static_assert(noexcept(std::declval<Mutex&>().lock_shared().await_suspend(nullptr)));
  static_assert(noexcept(std::declval<Mutex&>().unlock().await_ready()));
  static_assert(noexcept(std::declval<Mutex&>().unlock().await_suspend(nullptr)));
  static_assert(noexcept(std::declval<Mutex&>().unlock_shared().await_ready()));
  static_assert(noexcept(std::declval<Mutex&>().unlock_shared().await_suspend(nullptr)));

  void SetUp() override {
    // A thread's count may include locks that its tasks left on other threads.
    detail::current().locks_held = 0;
  }

  /// Starts a task and runs it until it suspends or ends.
  owned& start(owned task) {
    tasks.push_back(std::make_unique<owned>(std::move(task)));
    tasks.back()->start_on(ex);
    ex.run_all();
    return *tasks.back();
  }
  owned& start_writer(char name) { return start(write(m, log, name)); }
  owned& start_reader(char name) { return start(read(m, log, name)); }

  bool is_free() {
    if (!m.try_lock()) return false;
    m.unlock_dispatch();
    return true;
  }

  /// Destroys the test's tasks before what they refer to.
  void TearDown() override { tasks.clear(); }

  Mutex m;
  std::string log;
  manual_executor ex{2};
  std::vector<std::unique_ptr<owned>> tasks;
};
TYPED_TEST_SUITE(SharedMutexOfAnyKind, testing::shared_mutex_kinds);

// --- What is inside, and what is next.

TYPED_TEST(SharedMutexOfAnyKind, is_constant_initialized_and_small) {
  static constinit TypeParam constant;
  EXPECT_TRUE(constant.try_lock());
  constant.unlock_dispatch();
  EXPECT_LE(sizeof(TypeParam), 4 * sizeof(void*));
}

TYPED_TEST(SharedMutexOfAnyKind, try_lock_takes_what_is_free_and_nothing_else) {
  TypeParam& lock = this->m;
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock_shared());
  lock.unlock_dispatch();
  ASSERT_TRUE(lock.try_lock_shared());
  ASSERT_TRUE(lock.try_lock_shared());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock_shared_dispatch();
  EXPECT_FALSE(lock.try_lock());
  lock.unlock_shared_dispatch();
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(SharedMutexOfAnyKind, readers_are_inside_together_and_a_writer_waits_for_all) {
  ASSERT_TRUE(this->m.try_lock_shared());
  EXPECT_TRUE(this->start_reader('r').done());
  ASSERT_TRUE(this->m.try_lock_shared());
  this->start_writer('w');
  this->m.unlock_shared_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "r");
  this->m.unlock_shared_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "rw");
}

TYPED_TEST(SharedMutexOfAnyKind, readers_that_come_while_a_writer_waits_stand_behind_it) {
  ASSERT_TRUE(this->m.try_lock_shared());
  this->start_writer('w');
  EXPECT_FALSE(this->m.try_lock_shared());
  this->start_reader('r');
  EXPECT_EQ(this->log, "");
  this->m.unlock_shared_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "wr");
}

TYPED_TEST(SharedMutexOfAnyKind, all_enter_in_order_of_arrival) {
  ASSERT_TRUE(this->m.try_lock());
  for (const char name : {'a', 'B', 'c', 'd', 'E', 'F', 'g', 'h'}) {
    if (name < 'a') {
      this->start_writer(name);
    } else {
      this->start_reader(name);
    }
  }
  this->m.unlock_dispatch();
  this->ex.run_all();
  // Readers that are neighbours in line are inside together, so their mutual order is free.
  std::sort(this->log.begin() + 2, this->log.begin() + 4);
  std::sort(this->log.begin() + 6, this->log.end());
  EXPECT_EQ(this->log, "aBcdEFgh");
  EXPECT_TRUE(this->is_free());
}

template <class Mutex>
owned count_shared_locks(Mutex& a, Mutex& b, std::vector<std::uint32_t>& counts) {
  co_await a.lock_shared();
  counts.push_back(detail::current().locks_held);
  co_await b.lock();
  counts.push_back(detail::current().locks_held);
  co_await b.unlock();
  counts.push_back(detail::current().locks_held);
  co_await a.unlock_shared();
  counts.push_back(detail::current().locks_held);
}

TYPED_TEST(SharedMutexOfAnyKind, a_task_knows_how_many_locks_it_owns_wherever_it_runs) {
  TypeParam other;
  std::vector<std::uint32_t> counts;
  ASSERT_TRUE(this->m.try_lock());
  ASSERT_TRUE(other.try_lock_shared());
  EXPECT_EQ(detail::current().locks_held, 2U);
  this->start(count_shared_locks(this->m, other, counts));
  this->m.unlock_dispatch();
  this->ex.run_all();
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{1}));
  other.unlock_shared_dispatch();
  this->ex.run_all();
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{1, 2, 1, 0}));
  EXPECT_EQ(detail::current().locks_held, 0U);
}

template <class Mutex>
detached write_then_destroy(executor& where, std::unique_ptr<Mutex>& m) {
  co_await testing::on(where);
  co_await m->lock();
  m->unlock_dispatch();
  m.reset();
}

template <class Mutex>
detached leave_once(executor& where, Mutex& m, bool is_reader, bool& is_done) {
  co_await testing::on(where);
  if (is_reader) {
    co_await m.unlock_shared();
  } else {
    co_await m.unlock();
  }
  is_done = true;
}

// An heir may destroy the mutex before unlock has returned, and self may be gone before the
// executor's schedule returns.
TYPED_TEST(SharedMutexOfAnyKind, the_heir_may_destroy_it_at_once) {
  testing::immediate_executor now;
  for (const bool is_reader : {false, true}) {
    auto doomed = std::make_unique<TypeParam>();
    bool is_done = false;
    ASSERT_TRUE(is_reader ? doomed->try_lock_shared() : doomed->try_lock());
    write_then_destroy(now, doomed);
    ASSERT_NE(doomed, nullptr);
    leave_once(now, *doomed, is_reader, is_done);
    EXPECT_EQ(doomed, nullptr);
    EXPECT_TRUE(is_done);
  }
}

// --- Tasks that leave early.

template <class Mutex>
owned write_unless_stopped(Mutex& m, std::string& log, char name, std::stop_token stop) {
  const bool is_inside = co_await m.lock(std::move(stop));
  log += is_inside ? name : '-';
  if (is_inside) co_await m.unlock();
}

template <class Mutex>
owned read_unless_stopped(Mutex& m, std::string& log, char name, std::stop_token stop) {
  const bool is_inside = co_await m.lock_shared(std::move(stop));
  log += is_inside ? name : '-';
  if (is_inside) co_await m.unlock_shared();
}

TYPED_TEST(SharedMutexOfAnyKind, a_writer_that_stops_lets_in_the_readers_behind_it) {
  std::stop_source source;
  ASSERT_TRUE(this->m.try_lock_shared());
  this->start(write_unless_stopped(this->m, this->log, 'w', source.get_token()));
  this->start_reader('a');
  this->start_reader('b');
  this->start_writer('x');
  EXPECT_EQ(this->log, "");
  source.request_stop();
  EXPECT_EQ(this->ex.ready().size(), 3U) << "two readers and the writer that left";
  this->ex.run_all();
  std::sort(this->log.begin(), this->log.end());
  EXPECT_EQ(this->log, "-ab");
  this->m.unlock_shared_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "-abx");
}

TYPED_TEST(SharedMutexOfAnyKind, a_reader_that_stops_is_out_of_the_line) {
  std::stop_source source;
  ASSERT_TRUE(this->m.try_lock());
  this->start_writer('a');
  this->start(read_unless_stopped(this->m, this->log, 'r', source.get_token()));
  this->start_writer('b');
  source.request_stop();
  this->ex.run_all();
  EXPECT_EQ(this->log, "-");
  this->m.unlock_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "-ab");
}

constexpr platform::clock::time_point at(int time) {
  return platform::clock::time_point{std::chrono::seconds{time}};
}

template <class Mutex>
owned write_until(Mutex& m, std::string& log, char name, int due) {
  const bool is_inside = co_await m.try_lock_until(at(due));
  log += is_inside ? name : '-';
  if (is_inside) co_await m.unlock();
}

template <class Mutex>
owned read_until(Mutex& m, std::string& log, char name, int due) {
  const bool is_inside = co_await m.try_lock_shared_until(at(due));
  log += is_inside ? name : '-';
  if (is_inside) co_await m.unlock_shared();
}

TYPED_TEST(SharedMutexOfAnyKind, a_writer_that_is_late_lets_in_the_readers_behind_it) {
  ASSERT_TRUE(this->m.try_lock_shared());
  this->start(write_until(this->m, this->log, 'w', 1));
  this->start(read_until(this->m, this->log, 'r', 2));
  this->start_writer('x');
  this->ex.clock.advance_to(at(1));
  this->ex.run_all();
  std::sort(this->log.begin(), this->log.end());
  EXPECT_EQ(this->log, "-r");
  EXPECT_TRUE(this->ex.clock.is_empty()) << "the task that got in has withdrawn its alarm";
  this->m.unlock_shared_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "-rx");
}

TYPED_TEST(SharedMutexOfAnyKind, a_task_that_is_destroyed_while_it_waits_leaves_the_line) {
  std::optional<owned> writer{write(this->m, this->log, 'w')};
  std::optional<owned> limited{write_until(this->m, this->log, 'l', 1)};
  ASSERT_TRUE(this->m.try_lock_shared());
  writer->start_on(this->ex);
  this->ex.run_all();
  limited->start_on(this->ex);
  this->ex.run_all();
  this->start_reader('r');
  writer.reset();
  this->ex.run_all();
  EXPECT_EQ(this->log, "") << "another writer is first now";
  limited.reset();
  EXPECT_TRUE(this->ex.clock.is_empty());
  this->ex.run_all();
  EXPECT_EQ(this->log, "r");
  this->m.unlock_shared_dispatch();
  EXPECT_TRUE(this->is_free());
}

// --- Sections run by other tasks, and scopes.

template <class Mutex>
owned run_alone(Mutex& m, std::string& log, char name) {
  const char result = co_await detail::run_section(m, [&log, name] {
    log += name;
    return name;
  });
  log += result == name ? '.' : '!';
}

TYPED_TEST(SharedMutexOfAnyKind, a_section_runs_alone_and_gives_its_result) {
  this->start(run_alone(this->m, this->log, 'a'));
  EXPECT_EQ(this->log, "a.");
  ASSERT_TRUE(this->m.try_lock_shared());
  this->start(run_alone(this->m, this->log, 'b'));
  this->start_reader('r');
  EXPECT_EQ(this->log, "a.");
  this->m.unlock_shared_dispatch();
  this->ex.run_all();
  EXPECT_EQ(std::count(this->log.begin(), this->log.end(), '.'), 2);
  EXPECT_LT(this->log.find('b'), this->log.find('r'));
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(SharedMutexOfAnyKind, a_section_that_waits_can_be_destroyed) {
  {
    ASSERT_TRUE(this->m.try_lock_shared());
    owned section = run_alone(this->m, this->log, 's');
    section.start_on(this->ex);
    this->ex.run_all();
    this->start_reader('r');
  }
  this->ex.run_all();
  EXPECT_EQ(this->log, "r");
  this->m.unlock_shared_dispatch();
  EXPECT_TRUE(this->is_free());
}

template <class Mutex>
task<int> add_one(Mutex& m, int& number) {
  const int seen = co_await with_lock(m, [&number] { return ++number; });
  co_return seen;
}

template <class Mutex>
owned run_section_for_an_hour(Mutex& m, std::string& log, char name) {
  auto operation = with_lock_for(m, std::chrono::hours{1}, [&log, name] { log += name; });
  const bool has_run = co_await operation;
  log += has_run ? '.' : '-';
}

TYPED_TEST(SharedMutexOfAnyKind, a_section_that_is_late_lets_in_the_readers_behind_it) {
  ASSERT_TRUE(this->m.try_lock_shared());
  this->start(run_section_for_an_hour(this->m, this->log, 'a'));
  this->start_reader('r');
  EXPECT_EQ(this->log, "");
  this->ex.clock.ring_all();
  this->ex.run_all();
  std::string sorted = this->log;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, "-r");
  this->start(run_section_for_an_hour(this->m, this->log, 'b'));
  this->m.unlock_shared_dispatch();
  this->ex.clock.ring_all();
  this->ex.run_all();
  EXPECT_NE(this->log.find("b."), std::string::npos) << "its turn came before the end";
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(SharedMutexOfAnyKind, with_lock_takes_it_as_the_writer) {
  testing::immediate_executor now;
  int number = 0;
  EXPECT_EQ(sync_wait(now, add_one(this->m, number)), 1);
  EXPECT_TRUE(this->is_free());
}

template <class Mutex>
owned hold_scopes(Mutex& m, std::string& log) {
  {
    const auto held = co_await m.scoped_lock();
    log += held.owns_lock() && !m.try_lock_shared() ? 'w' : '!';
  }
  auto first = co_await m.scoped_lock_shared();
  {
    const auto second = co_await m.scoped_lock_shared();
    log += second.owns_lock() && !m.try_lock() ? 'r' : '!';
  }
  log += m.try_lock() ? '!' : 'r';
  co_await first.unlock();
  log += first.owns_lock() ? '!' : '.';
}

TYPED_TEST(SharedMutexOfAnyKind, scopes_own_it_until_their_end) {
  this->start(hold_scopes(this->m, this->log));
  EXPECT_EQ(this->log, "wrr.");
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(SharedMutexOfAnyKind, the_end_of_a_scope_hands_over_without_suspending) {
  {
    ASSERT_TRUE(this->m.try_lock_shared());
    const shared_lock held{this->m, adopt_lock};
    this->start_writer('w');
  }
  EXPECT_EQ(this->ex.ready().size(), 1U);
  this->ex.run_all();
  EXPECT_EQ(this->log, "w");
}

// --- What the hand-offs do differently: the paper's rules.

/// One shared mutex and two workers: worker 1 brings in all tasks, worker 0 unlocks.
template <class Mutex>
class scene {
 public:
  /// Enters, and leaves when told to.  Upper case: it is back from unlock.
  owned& add_owner(char name, bool is_reader) {
    return add(is_reader ? read_when_told(name) : write_when_told(name));
  }
  /// Stands in line; notes when it is inside and when it is back from unlock.
  owned& add_writer(char name) { return add(write_noting(name)); }
  owned& add_reader(char name) { return add(read_noting(name)); }
  owned& add_section(char name) { return add(run_noting(name)); }

  /// The oldest owner leaves, on worker 0; runs it, and what continues there.
  void leave_on_worker_0() {
    dispatch_task(pause.pop_front());
    EXPECT_TRUE(ex.step(0));
  }
  void run_rest_on_worker_1() {
    while (ex.step(1)) {
    }
    for (const auto& each : tasks) EXPECT_TRUE(each->done());
  }

  Mutex m;
  manual_executor ex{2};
  waiter_queue pause;
  events log;
  std::vector<std::unique_ptr<owned>> tasks;

 private:
  owned& add(owned task) {
    tasks.push_back(std::make_unique<owned>(std::move(task)));
    tasks.back()->start_on(ex);
    EXPECT_TRUE(ex.step(1));
    return *tasks.back();
  }
  void note(char name) { log.push_back(event_at{name, ex.current_worker()}); }

  owned write_when_told(char name) {
    co_await m.lock();
    co_await testing::stand_in(pause);
    co_await m.unlock();
    note(name);
  }
  owned read_when_told(char name) {
    co_await m.lock_shared();
    co_await testing::stand_in(pause);
    co_await m.unlock_shared();
    note(name);
  }
  owned write_noting(char name) {
    co_await m.lock();
    note(name);
    co_await m.unlock();
    note(static_cast<char>(name - 'a' + 'A'));
  }
  owned read_noting(char name) {
    co_await m.lock_shared();
    note(name);
    co_await m.unlock_shared();
    note(static_cast<char>(name - 'a' + 'A'));
  }
  owned run_noting(char name) {
    co_await detail::run_section(m, [this, name] { note(name); });
    note(static_cast<char>(name - 'a' + 'A'));
  }
};

using exchanging = scene<basic_shared_mutex<handoff::exchange>>;
using dispatching = scene<basic_shared_mutex<handoff::dispatch>>;
using nesting = scene<basic_shared_mutex<handoff::resume_inline>>;

TEST(SharedMutex, unlock_shared_goes_on_unless_the_caller_was_the_last_reader) {
  exchanging s;
  s.add_owner('R', true);
  s.add_owner('S', true);
  s.add_writer('w');
  s.leave_on_worker_0();
  EXPECT_EQ(s.log, (events{{'R', 0}}));
  EXPECT_TRUE(s.ex.is_idle());
  s.leave_on_worker_0();
  EXPECT_EQ(s.log, (events{{'R', 0}, {'w', 0}, {'W', 0}}));
  s.run_rest_on_worker_1();
  EXPECT_EQ(s.log, (events{{'R', 0}, {'w', 0}, {'W', 0}, {'S', 1}}));
}

TEST(SharedMutex, unlock_shared_of_the_last_reader_lets_in_one_writer_only) {
  exchanging s;
  owned& owner = s.add_owner('R', true);
  s.add_writer('v');
  s.add_writer('w');
  s.leave_on_worker_0();
  // Each writer hands over to the next, and is scheduled itself.
  EXPECT_EQ(s.log, (events{{'v', 0}, {'w', 0}, {'W', 0}}));
  EXPECT_TRUE(s.ex.is_ready(owner.handle()));
  s.run_rest_on_worker_1();
  EXPECT_EQ(s.log, (events{{'v', 0}, {'w', 0}, {'W', 0}, {'R', 1}, {'V', 1}}));
}

TEST(SharedMutex, unlock_resumes_one_reader_here_and_schedules_the_rest_and_the_caller) {
  exchanging s;
  owned& owner = s.add_owner('O', false);
  s.add_reader('a');
  owned& second = s.add_reader('b');
  owned& third = s.add_reader('c');
  owned& writer = s.add_writer('w');
  owned& late = s.add_reader('d');
  s.leave_on_worker_0();
  EXPECT_EQ(s.log, (events{{'a', 0}, {'A', 0}}));
  ASSERT_EQ(s.ex.ready().size(), 3U);
  EXPECT_EQ(s.ex.ready()[0].task, second.handle());
  EXPECT_EQ(s.ex.ready()[1].task, third.handle());
  EXPECT_EQ(s.ex.ready()[2].task, owner.handle());
  EXPECT_FALSE(s.ex.is_ready(writer.handle()));
  EXPECT_FALSE(s.ex.is_ready(late.handle()));
  s.run_rest_on_worker_1();
  // The last reader exchanges with the writer, which then exchanges with the late reader.
  EXPECT_EQ(s.log, (events{{'a', 0},
                           {'A', 0},
                           {'b', 1},
                           {'B', 1},
                           {'c', 1},
                           {'w', 1},
                           {'d', 1},
                           {'D', 1},
                           {'O', 1},
                           {'C', 1},
                           {'W', 1}}));
}

TEST(SharedMutex, dispatch_lets_the_caller_go_on_and_schedules_all_heirs) {
  dispatching s;
  s.add_owner('O', false);
  s.add_reader('a');
  s.add_reader('b');
  s.add_writer('w');
  s.leave_on_worker_0();
  EXPECT_EQ(s.log, (events{{'O', 0}}));
  EXPECT_EQ(s.ex.ready().size(), 2U);
  s.run_rest_on_worker_1();
  EXPECT_EQ(s.log,
            (events{{'O', 0}, {'a', 1}, {'A', 1}, {'b', 1}, {'B', 1}, {'w', 1}, {'W', 1}}));
}

TEST(SharedMutex, resume_inline_runs_all_heirs_first_and_then_the_caller) {
  nesting s;
  s.add_owner('O', false);
  s.add_reader('a');
  s.add_reader('b');
  s.add_writer('w');
  s.leave_on_worker_0();
  EXPECT_EQ(s.log,
            (events{{'a', 0}, {'A', 0}, {'b', 0}, {'w', 0}, {'W', 0}, {'B', 0}, {'O', 0}}));
  EXPECT_TRUE(s.ex.is_idle());
}

TEST(SharedMutex, the_last_reader_runs_the_sections_of_writers_and_then_resumes_a_reader) {
  exchanging s;
  owned& owner = s.add_owner('R', true);
  owned& first = s.add_section('s');
  owned& second = s.add_section('t');
  s.add_reader('a');
  owned& other = s.add_reader('b');
  s.leave_on_worker_0();
  EXPECT_EQ(s.log, (events{{'s', 0}, {'t', 0}, {'a', 0}, {'A', 0}}));
  ASSERT_EQ(s.ex.ready().size(), 4U);
  EXPECT_EQ(s.ex.ready()[0].task, owner.handle());
  EXPECT_EQ(s.ex.ready()[1].task, first.handle());
  EXPECT_EQ(s.ex.ready()[2].task, second.handle());
  EXPECT_EQ(s.ex.ready()[3].task, other.handle());
  s.run_rest_on_worker_1();
}

TEST(SharedMutex, a_writer_runs_the_sections_of_others_when_it_leaves) {
  exchanging s;
  s.add_owner('O', false);
  s.add_section('s');
  s.add_section('t');
  s.add_writer('w');
  s.leave_on_worker_0();
  EXPECT_EQ(s.log, (events{{'s', 0}, {'t', 0}, {'w', 0}, {'W', 0}}));
  s.run_rest_on_worker_1();
}

TEST(SharedMutex, dispatch_runs_no_sections_of_others) {
  dispatching s;
  s.add_owner('R', true);
  s.add_section('s');
  s.leave_on_worker_0();
  EXPECT_EQ(s.log, (events{{'R', 0}}));
  s.run_rest_on_worker_1();
  EXPECT_EQ(s.log, (events{{'R', 0}, {'s', 1}, {'S', 1}}));
}

TEST(SharedMutex, resume_inline_runs_the_sections_of_others_and_goes_on) {
  nesting s;
  s.add_owner('R', true);
  s.add_section('s');
  s.leave_on_worker_0();
  EXPECT_EQ(s.log, (events{{'s', 0}, {'R', 0}}));
  s.run_rest_on_worker_1();
  EXPECT_EQ(s.log, (events{{'s', 0}, {'R', 0}, {'S', 1}}));
}

}  // namespace
}  // namespace hotseat
