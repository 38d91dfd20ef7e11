// hotseat/tests/contract/contract.cpp — every public name in every form that outside
// programs rely on, through the one header that declares them, each used once.  A form that
// is missing, or has another type, does not compile; one that behaves differently fails.
#include <hotseat/hotseat.hpp>

#include <chrono>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using hotseat::task;

void check(bool holds, std::source_location where = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: not as promised\n", where.file_name(),
               static_cast<unsigned>(where.line()));
  std::exit(1);  // NOLINT(concurrency-mt-unsafe): nothing is left to be done
}

/// The type that `co_await` yields.
template <class Awaitable>
decltype(auto) result_of(Awaitable&& awaitable) {
  if constexpr (requires { std::forward<Awaitable>(awaitable).operator co_await(); }) {
    return std::forward<Awaitable>(awaitable).operator co_await().await_resume();
  } else {
    return awaitable.await_resume();
  }
}
template <class Result, class Awaitable>
concept gives = std::same_as<Result, decltype(result_of(std::declval<Awaitable>()))>;

template <class Expected, class Given>
Given&& as(Given&& given) {
  static_assert(std::same_as<Expected, std::remove_cvref_t<Given>>);
  return std::forward<Given>(given);
}

auto soon() { return std::chrono::steady_clock::now() + 1h; }

// --- task, sync_wait, when_all, when_any, task_group.

static_assert(std::same_as<task<>, task<void>>);
static_assert(std::movable<task<int>> && !std::copyable<task<int>>);

task<int> number(int i) { co_return i; }
task<> nothing() { co_return; }
task<int> fail() {
  throw std::runtime_error{"on purpose"};
  co_return 0;
}
task<> fail_below() { co_await fail(); }
task<> raise(int& i) {
  ++i;
  co_return;
}
task<int> until_stopped() {
  const std::stop_token token = co_await hotseat::this_task::stop_token();
  while (!token.stop_requested()) co_await hotseat::reschedule();
  co_return 0;
}

task<> start_and_join(hotseat::thread_pool& pool) {
  auto several = co_await hotseat::when_all(number(1), number(2), nothing());
  check(std::get<0>(several) == 1 && std::get<1>(several) == 2);
  std::vector<task<int>> numbers;
  numbers.push_back(number(0));
  numbers.push_back(number(1));
  numbers.push_back(number(2));
  const auto all = co_await hotseat::when_all(std::move(numbers));
  static_assert(std::same_as<decltype(all), const std::vector<int>>);
  check(all == std::vector{0, 1, 2});
  std::vector<task<>> none;
  none.push_back(nothing());
  static_assert(gives<void, decltype(hotseat::when_all(std::move(none)))>);
  co_await hotseat::when_all(std::move(none));

  const int first = co_await hotseat::when_any(until_stopped(), number(7));
  check(first == 7);

  int count = 0;
  hotseat::task_group g{pool};
  g.spawn(raise(count));
  static_assert(gives<void, decltype(g.join())>);
  co_await g.join();
  check(count == 1 && as<std::size_t>(g.size()) == 0);
}

task<> settle_and_share(std::stop_token token) {
  auto [value, error] = co_await hotseat::when_all_settled(number(1), fail());
  static_assert(std::same_as<decltype(value), hotseat::settled<int>>);
  check(value && *value == 1 && value.value() == 1 && value.error() == nullptr);
  check(!error && !error.has_value() && error.error() != nullptr);
  std::vector<task<>> none;
  none.push_back(nothing());
  const auto ends = co_await hotseat::when_all_settled(std::move(none));
  static_assert(std::same_as<decltype(ends), const std::vector<hotseat::settled<void>>>);
  check(ends.size() == 1 && ends[0].has_value());

  const hotseat::shared_task<int> shared = number(2);
  static_assert(std::copyable<hotseat::shared_task<int>>);
  static_assert(gives<const int&, decltype((shared))>);
  static_assert(gives<int, hotseat::shared_task<int>>);
  static_assert(gives<void, decltype(shared.wait())>);
  const hotseat::shared_task<int> same = shared;
  const int& first = co_await shared;
  const int& second = co_await same;
  check(&first == &second && first == 2 && &shared.result() == &first);
  co_await shared.wait();
  check(as<bool>(co_await shared.wait(token)) && as<bool>(co_await shared.wait_for(1h)));
  check(as<bool>(co_await shared.wait_until(soon())));
  check(as<bool>(shared.is_done()) && as<bool>(shared.valid()));
  shared.request_stop();
}

task<> go_elsewhere(hotseat::thread_pool& pool, hotseat::thread_pool& other) {
  co_await hotseat::reschedule();
  hotseat::executor& where = other;
  co_await hotseat::resume_on(where);
  check(hotseat::executor::current() == &other);
  co_await hotseat::resume_on(pool);
  check(hotseat::executor::current() == &pool);
  co_await hotseat::sleep_for(1us);
  co_await hotseat::sleep_for(0.001ms);
  co_await hotseat::sleep_until(std::chrono::steady_clock::now() + 1us);
  co_await hotseat::sleep_until(std::chrono::system_clock::now() + 1us);
}

// --- mutex, with_lock, scoped_lock, synchronized.

template <class Mutex>
task<> lock_and_unlock(Mutex& m, std::stop_token token) {
  static_assert(gives<void, decltype(m.lock())> && gives<void, decltype(m.unlock())>);
  co_await m.lock();
  check(!as<bool>(m.try_lock()));
  check(!as<bool>(co_await m.try_lock_for(1us)));
  check(!as<bool>(co_await m.try_lock_until(std::chrono::steady_clock::now())));
  co_await m.unlock();
  check(as<bool>(m.try_lock()));
  co_await m.unlock();
  check(as<bool>(co_await m.try_lock_for(1h)));
  co_await m.unlock();
  check(as<bool>(co_await m.try_lock_until(soon())));
  co_await m.unlock();
  check(as<bool>(co_await m.lock(token)));
  co_await m.unlock();
}

template <class Mutex>
task<> enter_sections(Mutex& m) {
  int count = 0;
  co_await hotseat::with_lock(m, [&] { ++count; });
  check(as<int>(co_await hotseat::with_lock(m, [&] { return ++count; })) == 2);
  check(as<int>(co_await hotseat::with_lock(m, [] { return number(3); })) == 3);
  bool is_caught = false;
  try {
    co_await hotseat::with_lock(m, [] { throw std::runtime_error{"inside"}; });
  } catch (const std::runtime_error&) {
    is_caught = true;
  }
  check(is_caught);
  {
    auto held = co_await m.scoped_lock();
    static_assert(std::same_as<decltype(held), hotseat::scoped_lock<Mutex>>);
    check(!m.try_lock());
    static_assert(gives<void, decltype(held.unlock())>);
    co_await held.unlock();
    check(m.try_lock());
    co_await m.unlock();
  }
  {
    const auto held = co_await m.scoped_lock();
  }
  check(m.try_lock());
  co_await m.unlock();
}

task<> limited_scopes(hotseat::mutex& m, std::stop_token token) {
  {
    const auto held = co_await m.scoped_lock_for(1h);
    check(held && held.owns_lock());
    const auto late = co_await m.scoped_lock_for(1us);
    check(!late && !late.owns_lock());
  }
  {
    const auto held = co_await m.scoped_lock_until(soon());
    check(held.owns_lock());
  }
  const auto held = co_await m.scoped_lock(token);
  check(held.owns_lock());
}

task<> permit_scopes(std::stop_token token) {
  hotseat::semaphore permits(3);
  {
    auto held = co_await permits.scoped_acquire(2);
    static_assert(
        std::same_as<decltype(held), hotseat::scoped_permits<hotseat::semaphore>>);
    check(held && held.count() == 2 && permits.available() == 1);
    static_assert(gives<void, decltype(held.release())>);
    co_await held.release();
    check(!held && permits.available() == 3);
  }
  {
    const auto one = co_await permits.scoped_acquire();
    const auto two = co_await permits.scoped_acquire(token);
    const auto three = co_await permits.scoped_acquire(1, token);
    const auto late = co_await permits.scoped_acquire_for(1us);
    check(one && two && three && !late);
  }
  {
    auto held = co_await permits.scoped_acquire_for(1h, 2);
    check(held.disown() == 2);
    const hotseat::scoped_permits adopted{permits, 2, hotseat::adopt_permits};
    const auto late = co_await permits.scoped_acquire_until(soon() - 1h, 2);
    check(adopted.count() == 2 && !late);
  }
  auto held = co_await permits.scoped_acquire_until(soon(), 3, token);
  held.release_dispatch();
  check(permits.available() == 3);
}

template <class Handoff>
task<> every_state(std::stop_token token) {
  hotseat::basic_mutex<Handoff> by_default;
  co_await lock_and_unlock(by_default, token);
  co_await enter_sections(by_default);
  hotseat::basic_mutex<Handoff, hotseat::lock_state::spin_locked> spin_locked;
  co_await lock_and_unlock(spin_locked, token);
  hotseat::basic_shared_mutex<Handoff> shared;
  co_await lock_and_unlock(shared, token);
  co_await enter_sections(shared);
  hotseat::basic_semaphore<Handoff> permits{1};
  co_await permits.acquire();
  co_await permits.release();
}
static_assert(
    std::same_as<hotseat::mutex, hotseat::basic_mutex<hotseat::handoff::exchange>>);

task<> synchronize() {
  hotseat::synchronized<std::string> v;
  co_await v.with([](std::string& t) { t = "text"; });
  check(as<std::size_t>(co_await v.with([](std::string& t) { return t.size(); })) == 4);
}

// --- shared_mutex, semaphore.

task<> read(hotseat::shared_mutex& m, std::stop_token token) {
  static_assert(gives<void, decltype(m.lock_shared())>);
  static_assert(gives<void, decltype(m.unlock_shared())>);
  co_await m.lock_shared();
  check(as<bool>(m.try_lock_shared()));
  check(as<bool>(co_await m.try_lock_shared_for(1h)));
  check(as<bool>(co_await m.try_lock_shared_until(soon())));
  check(as<bool>(co_await m.lock_shared(token)));
  check(!m.try_lock());
  for (int i = 0; i < 5; ++i) co_await m.unlock_shared();
  const auto held = co_await m.scoped_lock_shared();
  static_assert(std::same_as<decltype(held),
                             const hotseat::shared_scoped_lock<hotseat::shared_mutex>>);
}

task<> take_permits(std::stop_token token) {
  hotseat::semaphore permits(3);
  static_assert(gives<void, decltype(permits.acquire())>);
  static_assert(gives<void, decltype(permits.release())>);
  co_await permits.acquire();
  co_await permits.acquire(2);
  check(!as<bool>(permits.try_acquire()) && !permits.try_acquire(2));
  check(!as<bool>(co_await permits.try_acquire_for(1us)));
  check(!as<bool>(co_await permits.try_acquire_until(std::chrono::steady_clock::now())));
  co_await permits.release();
  co_await permits.release(2);
  check(permits.try_acquire(3));
  co_await permits.release(3);
  check(co_await permits.try_acquire_for(1h, 2));
  co_await permits.release(2);
  check(co_await permits.try_acquire_until(soon(), 2));
  co_await permits.release(2);
  check(as<bool>(co_await permits.acquire(token)));
  check(as<bool>(co_await permits.acquire(2, token)));
  co_await permits.release(3);
}

// --- condition_variable.

struct signal_box {
  hotseat::mutex m;
  hotseat::condition_variable changed;
  int value = 0;
};

task<> wait_in_vain(signal_box& box, std::stop_token stopped) {
  co_await box.m.lock();
  check(!as<bool>(co_await box.changed.wait_for(box.m, 1us)));
  check(!as<bool>(co_await box.changed.wait_for(box.m, 1us, [] { return false; })));
  check(!as<bool>(co_await box.changed.wait_until(box.m, soon() - 1h)));
  check(!as<bool>(co_await box.changed.wait(box.m, stopped)));
  co_await box.m.unlock();
}

task<> wait_for_changes(signal_box& box, std::stop_token token) {
  static_assert(gives<void, decltype(box.changed.wait(box.m))>);
  const auto is = [&](int value) { return [&box, value] { return box.value >= value; }; };
  co_await box.m.lock();
  while (box.value < 1) co_await box.changed.wait(box.m);
  co_await box.changed.wait(box.m, is(2));
  check(as<bool>(co_await box.changed.wait_for(box.m, 1h, is(3))));
  check(as<bool>(co_await box.changed.wait_until(box.m, soon(), is(4))));
  check(as<bool>(co_await box.changed.wait(box.m, token, is(5))));
  co_await box.m.unlock();
}

task<> change(signal_box& box) {
  static_assert(gives<void, decltype(box.changed.notify_one())>);
  static_assert(gives<void, decltype(box.changed.notify_all())>);
  for (int i = 1; i <= 5; ++i) {
    co_await hotseat::with_lock(box.m, [&] { box.value = i; });
    if (i % 2 == 0) {
      co_await box.changed.notify_one();
    } else {
      co_await box.changed.notify_all();
    }
    co_await hotseat::reschedule();
  }
}

// --- event, auto_reset_event, latch, barrier, wait_group, call_once.

template <class Event>
task<> wait_for_event(Event& e, std::stop_token token) {
  static_assert(gives<void, decltype(e.wait())> && gives<void, decltype(e.set())>);
  co_await e.set();
  co_await e.wait();
  e.reset();
  check(!as<bool>(co_await e.wait_for(1us)));
  check(!as<bool>(co_await e.wait_until(std::chrono::steady_clock::now())));
  co_await e.set();
  check(as<bool>(co_await e.wait(token)));
  e.reset();
}

/// What the forms that do not suspend return.
task<> count_those_let_in() {
  hotseat::event e;
  hotseat::auto_reset_event one(true);
  check(as<bool>(one.is_set()) && as<bool>(one.try_wait()) && !one.is_set());
  hotseat::latch l(2);
  check(as<std::uint64_t>(l.remaining()) == 2);
  hotseat::wait_group g;
  g.add();
  check(as<std::uint64_t>(g.remaining()) == 1);
  hotseat::semaphore permits(0);
  hotseat::condition_variable changed;
  check(as<std::size_t>(e.set_dispatch()) == 0);
  check(as<std::size_t>(one.set_dispatch()) == 0);
  check(as<std::size_t>(l.count_down_dispatch(2)) == 0);
  check(as<std::size_t>(g.done_dispatch()) == 0);
  check(as<std::size_t>(permits.release_dispatch()) == 0);
  check(as<std::size_t>(changed.notify_one_dispatch()) == 0);
  check(as<std::size_t>(changed.notify_all_dispatch()) == 0);
  co_return;
}

task<> arrive(hotseat::latch& l) { co_await l.arrive_and_wait(); }

task<> count_down(std::stop_token token) {
  hotseat::latch l(4);
  static_assert(gives<void, decltype(l.count_down())> && gives<void, decltype(l.wait())>);
  static_assert(gives<void, decltype(l.arrive_and_wait())>);
  co_await l.count_down();
  co_await l.count_down(1);
  check(!as<bool>(co_await l.wait_for(1us)));
  co_await hotseat::when_all(arrive(l), arrive(l));
  co_await l.wait();
  check(as<bool>(co_await l.wait(token)) && as<bool>(co_await l.wait_until(soon())));
}

template <class Barrier>
task<> two_phases(Barrier& b) {
  static_assert(gives<void, decltype(b.arrive_and_wait())>);
  static_assert(gives<void, decltype(b.arrive_and_drop())>);
  co_await b.arrive_and_wait();
  co_await b.arrive_and_drop();
}

task<> pass_barriers() {
  hotseat::barrier plain(2);
  co_await hotseat::when_all(two_phases(plain), two_phases(plain));
  int phases = 0;
  hotseat::barrier counted(2, [&]() noexcept { ++phases; });
  co_await hotseat::when_all(two_phases(counted), two_phases(counted));
  check(phases == 2);
  hotseat::barrier alone(1);
  check(as<bool>(co_await alone.arrive_and_wait_for(1h)));
  check(as<bool>(co_await alone.arrive_and_wait_until(soon())));
  check(as<bool>(co_await alone.arrive_and_wait(std::stop_token{})));
}

task<> done(hotseat::wait_group& all) { co_await all.done(); }

task<> wait_for_all(std::stop_token token) {
  hotseat::wait_group all;
  all.add();
  all.add(2);
  static_assert(gives<void, decltype(all.wait())> && gives<void, decltype(all.done())>);
  check(!as<bool>(co_await all.wait_for(1us)));
  co_await hotseat::when_all(done(all), done(all), done(all));
  co_await all.wait();
  check(as<bool>(co_await all.wait(token)) && as<bool>(co_await all.wait_until(soon())));
}

task<> do_once(std::stop_token token) {
  hotseat::once_flag flag;
  int count = 0;
  const auto count_it = [&] { ++count; };
  for (int i = 0; i < 2; ++i) co_await hotseat::call_once(flag, count_it);
  check(as<bool>(co_await hotseat::call_once(flag, token, count_it)));
  check(as<bool>(co_await hotseat::call_once_for(flag, 1h, count_it)));
  check(count == 1);
  hotseat::once_flag other;
  co_await hotseat::call_once(other, [&] { return raise(count); });
  check(count == 2);
}

// --- channel.

task<> send_three(hotseat::channel<std::unique_ptr<int>>& c) {
  for (int i = 1; i <= 3; ++i) {
    auto value = std::make_unique<int>(i);
    check(as<bool>(co_await c.send(std::move(value))));
  }
  c.close();
  check(!co_await c.send(nullptr));
}

task<int> receive_all(hotseat::channel<std::unique_ptr<int>>& c) {
  int sum = 0;
  static_assert(gives<std::optional<std::unique_ptr<int>>, decltype(c.receive())>);
  while (auto value = co_await c.receive()) sum += **value;
  co_return sum;
}

task<> pass_values(std::size_t capacity) {
  hotseat::channel<std::unique_ptr<int>> c(capacity);
  auto both = co_await hotseat::when_all(send_three(c), receive_all(c));
  check(std::get<1>(both) == 6);
}

task<> try_values(std::stop_token token) {
  hotseat::channel<int> c(1);
  check(as<bool>(c.try_send(1)) && !c.try_send(2));
  check(!co_await c.send_for(2, 1us) && !co_await c.send_until(2, soon() - 1h));
  const std::optional<int> one = as<std::optional<int>>(c.try_receive());
  check(one == 1 && !c.try_receive());
  check(!co_await c.receive_for(1us));
  check(co_await c.send(3, token));
  const auto three = co_await c.receive(token);
  check(three && *three == 3);
  check(c.try_send(4));
  const auto four = co_await c.receive_until(soon());
  check(four.has_value() && *four == 4);
  check(c.try_send(5));
  std::vector<int> many;
  check(as<std::size_t>(co_await c.receive_many(many, 8)) == 1);
  check(c.try_send(6));
  check(as<std::size_t>(c.close(hotseat::discard_buffer)) == 1);
  c.close();
}

// --- Limits: the last argument of every wait, before a function.

static_assert(std::convertible_to<std::stop_token, hotseat::wait_limits>);
static_assert(std::convertible_to<std::chrono::hours, hotseat::wait_limits>);
static_assert(std::convertible_to<std::chrono::duration<double>, hotseat::wait_limits>);
static_assert(
    std::convertible_to<std::chrono::steady_clock::time_point, hotseat::wait_limits>);
static_assert(
    std::convertible_to<std::chrono::system_clock::time_point, hotseat::wait_limits>);

template <class Mutex>
task<> lock_within_limits(Mutex& m, std::stop_token token) {
  static_assert(std::same_as<hotseat::unique_lock<Mutex>, hotseat::scoped_lock<Mutex>>);
  check(as<bool>(co_await m.lock(10ms)));
  check(!as<bool>(co_await m.lock(1us)));
  check(!as<bool>(co_await m.lock({1us, token})));
  co_await m.unlock();
  check(as<bool>(co_await m.lock({10ms, token})));
  co_await m.unlock();
  check(as<bool>(co_await m.lock(soon())));
  co_await m.unlock();
  check(as<bool>(co_await m.lock({soon(), token})));
  co_await m.unlock();

  int count = 0;
  const auto raise_it = [&count] { return ++count; };
  const auto one = co_await hotseat::with_lock(m, 10ms, raise_it);
  static_assert(std::same_as<decltype(one), const std::optional<int>>);
  const auto two = co_await hotseat::with_lock(m, {10ms, token}, raise_it);
  check(one == 1 && two == 2);
  check(as<bool>(co_await hotseat::with_lock(m, 10ms, [&] { ++count; })));
  const auto three = co_await hotseat::with_lock(m, 10ms, [] { return number(3); });
  check(as<std::optional<int>>(three) == 3 && count == 3);

  {
    auto held = co_await m.scoped_lock(10ms);
    static_assert(std::same_as<decltype(held), hotseat::unique_lock<Mutex>>);
    check(held && held.owns_lock());
    const auto late = co_await m.scoped_lock({1us, token});
    check(!late);
    co_await held.unlock();
  }
  co_await m.lock();
  const hotseat::unique_lock adopted{m, hotseat::adopt_lock};
  check(adopted.owns_lock() && !m.try_lock());
}

task<> read_within_limits(hotseat::shared_mutex& m, std::stop_token token) {
  using shared_lock = hotseat::shared_lock<hotseat::shared_mutex>;
  static_assert(
      std::same_as<shared_lock, hotseat::shared_scoped_lock<hotseat::shared_mutex>>);
  check(as<bool>(co_await m.lock_shared(10ms)));
  check(as<bool>(co_await m.lock_shared({10ms, token})));
  {
    const auto held = co_await m.scoped_lock_shared(10ms);
    static_assert(std::same_as<decltype(held), const shared_lock>);
    check(held.owns_lock());
  }
  for (int i = 0; i < 2; ++i) co_await m.unlock_shared();
}

task<> take_permits_within_limits(std::stop_token token) {
  hotseat::semaphore permits(3);
  check(as<bool>(co_await permits.acquire(10ms)));
  check(as<bool>(co_await permits.acquire(2, 10ms)));
  check(!as<bool>(co_await permits.acquire({1us, token})));
  check(!as<bool>(co_await permits.acquire(2, {1us, token})));
  co_await permits.release(3);
  const auto one = co_await permits.scoped_acquire(10ms);
  const auto two = co_await permits.scoped_acquire(2, 10ms);
  const auto late = co_await permits.scoped_acquire(2, {1us, token});
  check(one.count() == 1 && two.count() == 2 && !late);
}

task<> wait_for_changes_within_limits(signal_box& box, std::stop_token token) {
  const auto holds = [] { return true; };
  const auto never = [] { return false; };
  co_await box.m.lock();
  check(!as<bool>(co_await box.changed.wait(box.m, 10ms)));
  check(!as<bool>(co_await box.changed.wait(box.m, {1us, token})));
  check(!as<bool>(co_await box.changed.wait(box.m, soon() - 1h)));
  check(as<bool>(co_await box.changed.wait(box.m, 10ms, holds)));
  check(!as<bool>(co_await box.changed.wait(box.m, 10ms, never)));
  check(!as<bool>(co_await box.changed.wait(box.m, {1us, token}, never)));
  co_await box.m.unlock();
}

template <class Event>
task<> wait_for_event_within_limits(Event& e, std::stop_token token) {
  check(!as<bool>(co_await e.wait(1us)));
  co_await e.set();
  check(as<bool>(co_await e.wait(10ms)));
  co_await e.set();
  check(as<bool>(co_await e.wait({10ms, token})));
  co_await e.set();
  check(as<bool>(co_await e.wait(soon())));
  e.reset();
}

task<> arrive_within_limits(std::stop_token token) {
  hotseat::latch l(4);
  check(!as<bool>(co_await l.arrive_and_wait(1us)));
  check(!as<bool>(co_await l.arrive_and_wait(2, {1us, token})));
  check(as<bool>(co_await l.arrive_and_wait(10ms)) && as<bool>(co_await l.wait(10ms)));
  hotseat::barrier alone(1);
  check(as<bool>(co_await alone.arrive_and_wait(10ms)));
  check(as<bool>(co_await alone.arrive_and_wait({10ms, token})));
  hotseat::wait_group all;
  check(as<bool>(co_await all.wait(10ms)) && as<bool>(co_await all.wait({10ms, token})));

  hotseat::once_flag flag;
  int count = 0;
  const auto count_it = [&count] { ++count; };
  check(as<bool>(co_await hotseat::call_once(flag, 10ms, count_it)));
  check(as<bool>(co_await hotseat::call_once(flag, {10ms, token}, count_it)));
  check(as<bool>(co_await hotseat::call_once_until(flag, soon(), count_it)));
  check(count == 1);

  const hotseat::shared_task<int> shared = number(2);
  check(as<bool>(co_await shared.wait(10ms)));
  check(as<bool>(co_await shared.wait({10ms, token})));

  hotseat::synchronized<int> value;
  const auto raise_it = [](int& i) { return ++i; };
  const auto raised = co_await value.with(10ms, raise_it);
  check(as<std::optional<int>>(raised) == 1);
  check(as<bool>(co_await value.with({10ms, token}, [](int& i) { ++i; })));
}

task<> pass_values_within_limits(std::stop_token token) {
  hotseat::channel<int> c(1);
  const auto sent = co_await c.send(1, 10ms);
  const auto late = co_await c.send(2, {1us, token});
  check(as<hotseat::send_result>(sent) && !late && !late.is_closed());
  const auto one = co_await c.receive(10ms);
  check(as<hotseat::receive_result<int>>(one) && *one == 1);
  check(!co_await c.receive({1us, token}));
  check(c.try_send(3));
  std::vector<int> many;
  const auto some = co_await c.receive_many(many, 8, 10ms);
  check(as<hotseat::receive_many_result>(some).count() == 1 && many == std::vector{3});
  const auto none = co_await c.receive_many(many, 8, {1us, token});
  check(none.count() == 0 && !none.is_closed());
}

/// The same for a thread that blocks.
void block_within_limits(std::stop_token token) {
  hotseat::mutex m;
  check(as<bool>(hotseat::block_on(m.lock(10ms))));
  check(!hotseat::block_on(m.lock({1us, token})));
  m.unlock_dispatch();
  hotseat::once_flag flag;
  check(as<bool>(hotseat::call_once_blocking(flag, 10ms, [] {})));
}

}  // namespace

int main() {
  hotseat::thread_pool pool{hotseat::thread_pool::options{.threads = 0}};
  hotseat::thread_pool other{{.threads = 1}};
  hotseat::executor& where = pool;
  const std::stop_token token;

  static_assert(std::same_as<int, decltype(hotseat::sync_wait(pool, number(1)))>);
  check(hotseat::sync_wait(where, number(1)) == 1);
  bool is_caught = false;
  try {
    hotseat::sync_wait(pool, fail_below());
  } catch (const std::runtime_error&) {
    is_caught = true;
  }
  check(is_caught);
  hotseat::sync_wait(pool, start_and_join(pool));
  hotseat::sync_wait(pool, settle_and_share(token));
  hotseat::sync_wait(pool, go_elsewhere(pool, other));

  hotseat::sync_wait(pool, every_state<hotseat::handoff::exchange>(token));
  hotseat::sync_wait(pool, every_state<hotseat::handoff::dispatch>(token));
  hotseat::sync_wait(pool, every_state<hotseat::handoff::resume_inline>(token));
  hotseat::mutex m;
  hotseat::sync_wait(pool, limited_scopes(m, token));
  hotseat::sync_wait(pool, permit_scopes(token));
  hotseat::sync_wait(pool, synchronize());
  hotseat::shared_mutex shared;
  hotseat::sync_wait(pool, read(shared, token));
  hotseat::sync_wait(pool, take_permits(token));

  signal_box box;
  std::stop_source stopped;
  stopped.request_stop();
  hotseat::sync_wait(pool, wait_in_vain(box, stopped.get_token()));
  hotseat::sync_wait(pool, hotseat::when_all(wait_for_changes(box, token), change(box)));
  hotseat::event e;
  hotseat::sync_wait(pool, wait_for_event(e, token));
  hotseat::auto_reset_event one;
  hotseat::sync_wait(pool, wait_for_event(one, token));
  hotseat::sync_wait(pool, count_those_let_in());
  hotseat::sync_wait(pool, count_down(token));
  hotseat::sync_wait(pool, pass_barriers());
  hotseat::sync_wait(pool, wait_for_all(token));
  hotseat::sync_wait(pool, do_once(token));
  hotseat::sync_wait(pool, pass_values(0));
  hotseat::sync_wait(pool, pass_values(2));
  hotseat::sync_wait(pool, try_values(token));

  hotseat::sync_wait(pool, lock_within_limits(m, token));
  hotseat::sync_wait(pool, lock_within_limits(shared, token));
  hotseat::sync_wait(pool, read_within_limits(shared, token));
  hotseat::sync_wait(pool, take_permits_within_limits(token));
  hotseat::sync_wait(pool, wait_for_changes_within_limits(box, token));
  hotseat::sync_wait(pool, wait_for_event_within_limits(e, token));
  hotseat::sync_wait(pool, wait_for_event_within_limits(one, token));
  hotseat::sync_wait(pool, arrive_within_limits(token));
  hotseat::sync_wait(pool, pass_values_within_limits(token));
  block_within_limits(token);
  return 0;
}
