// hotseat/tests/contract/contract_fiber.cpp — the same for fibers: linked with
// hotseat::fiber.
#include <hotseat/hotseat.hpp>

#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <source_location>
#include <stdexcept>
#include <stop_token>
#include <thread>

namespace {

using namespace std::chrono_literals;

void check(bool holds, std::source_location where = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: not as promised\n", where.file_name(),
               static_cast<unsigned>(where.line()));
  std::exit(1);  // NOLINT(concurrency-mt-unsafe): nothing is left to be done
}

hotseat::task<int> number() { co_return 7; }

struct shared_table {
  hotseat::fiber_mutex m;
  hotseat::fiber_shared_mutex readable;
  hotseat::fiber_condition_variable changed;
  int visits = 0;  // Under m.
  int turn = 0;    // Under m.
};

void visit(shared_table& t) {
  {
    const std::lock_guard held{t.m};
    ++t.visits;
  }
  {
    const std::unique_lock held{t.m, 1h};
    check(held.owns_lock());
    ++t.visits;
  }
  {
    const std::scoped_lock both{t.m, t.readable};
    ++t.visits;
  }
  {
    check(t.m.lock(1h) && t.readable.lock({1h, std::stop_token{}}));
    const std::scoped_lock both{std::adopt_lock, t.m, t.readable};
  }
  {
    check(t.readable.lock_shared(1h));
    t.readable.unlock_shared();
  }
  {
    const std::shared_lock reading{t.readable};
    check(t.readable.try_lock_shared());
    t.readable.unlock_shared();
  }
}

/// Two players take turns.
void play(shared_table& t, int self) {
  for (int round = 0; round < 10; ++round) {
    std::unique_lock held{t.m};
    t.changed.wait(held, [&] { return t.turn == self; });
    t.turn = 1 - self;
    t.changed.notify_one();
  }
  t.changed.notify_all();
  std::unique_lock held{t.m};
  check(!t.changed.wait_for(held, 1us, [] { return false; }));
  check(!t.changed.wait(held, 10ms, [] { return false; }));
  check(!t.changed.wait(held, {1us, std::stop_token{}}, [] { return false; }));
}

}  // namespace

int main() {
  hotseat::thread_pool pool{hotseat::thread_pool::options{.threads = 2}};
  check(!hotseat::this_task::is_fiber());

  int seven = 0;
  bool is_fiber = false;
  hotseat::mutex m;
  hotseat::fiber f{
      pool, [&] {
        is_fiber = hotseat::this_task::is_fiber();
        seven = hotseat::await(number());
        static_assert(std::same_as<bool, decltype(hotseat::await(m.try_lock_for(1h)))>);
        check(hotseat::await(m.try_lock_for(1h)));
        hotseat::await(m.unlock());
      }};
  f.join();
  check(is_fiber && seven == 7);

  bool is_caught = false;
  hotseat::fiber throws{pool, [] { throw std::runtime_error{"on purpose"}; }};
  try {
    throws.join();
  } catch (const std::runtime_error&) {
    is_caught = true;
  }
  check(is_caught);

  shared_table t;
  hotseat::fiber a{pool, [&] { visit(t); }};
  hotseat::fiber b{pool, [&] { visit(t); }};
  std::thread plain{[&] { visit(t); }};
  visit(t);
  plain.join();
  a.join();
  b.join();
  check(t.visits == 12);

  hotseat::fiber ping{pool, [&] { play(t, 0); }};
  play(t, 1);
  ping.join();
  return 0;
}
