// hotseat/tests/conformance/names_test.cpp — the public names next to those of the C
// library and the standard library, for programs that say `using namespace hotseat`.  A
// name that collides makes its use ambiguous: then this file does not compile.
#include <aio.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <math.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <barrier>
#include <chrono>
#include <condition_variable>
#include <hotseat/hotseat.hpp>
#include <latch>
#include <mutex>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <tuple>
#include <vector>

// Names that the standard library has too (mutex, latch, barrier, call_once, this_thread
// ...) collide only with `using namespace std`: docs/guide/footguns.md.
namespace a_program_outside {
namespace {

using namespace hotseat;  // NOLINT(google-build-using-namespace): under test
using namespace std::chrono_literals;

template <class... Types>
constexpr bool are_types = sizeof...(Types) != 0;

static_assert(are_types<task<>, task<int>, thread_pool, thread_pool_options, pool_stats,
                        worker_stats, task_group, executor, worker_scope, alarm_clock,
                        timer_queue, event_source, waiter, waiter_queue, topology, cpu>);
static_assert(
    are_types<mutex, basic_mutex<handoff::exchange>, basic_mutex<handoff::dispatch>,
              basic_mutex<handoff::resume_inline, lock_state::spin_locked>,
              unique_lock<mutex>, scoped_lock<mutex>, adopt_lock_t, synchronized<int>>);
static_assert(are_types<shared_mutex, basic_shared_mutex<>, shared_lock<shared_mutex>,
                        shared_scoped_lock<shared_mutex>, semaphore, basic_semaphore<>,
                        condition_variable>);
static_assert(are_types<event, auto_reset_event, latch, barrier<>, no_completion,
                        wait_group, once_flag, one_shot<>, one_shot<int>,
                        one_shot<int>::completer, one_shot_dropped, one_shot_stopped>);
static_assert(are_types<channel<int>, channel_status, send_result, receive_result<int>,
                        receive_many_result, once_status, wait_limits, discard_buffer_t>);
static_assert(are_types<shared_task<>, shared_task<int>, settled<int>, settled<void>,
                        scoped_permits<semaphore>, adopt_permits_t>);
static_assert(are_types<violation, violation_handler, queue_order, pinning, outcome, turn,
                        blocked_thread, when_any_result<int>>);

task<int> use_what_is_awaited(thread_pool& pool) {
  mutex m;
  once_flag once;
  semaphore permits{1};
  int calls = 0;
  const auto count = [&calls] { return ++calls; };
  co_await reschedule();
  co_await resume_on(pool);
  const bool has_slept = co_await sleep_for(1ns);
  const bool has_slept_until = co_await sleep_until(std::chrono::steady_clock::now());
  const std::stop_token token = co_await this_task::stop_token();
  co_await with_lock(m, count);
  const std::optional<int> in_time = co_await with_lock_for(m, 1h, count);
  const std::optional<int> until =
      co_await with_lock_until(m, std::chrono::steady_clock::now() + 1h, count);
  co_await call_once(once, count);
  const bool is_done = co_await call_once_for(once, 1h, count);
  const bool is_done_until =
      co_await call_once_until(once, std::chrono::steady_clock::now(), count);
  co_await permits.acquire();
  co_await permits.release();
  EXPECT_TRUE(has_slept && has_slept_until && in_time && until && is_done && is_done_until);
  EXPECT_FALSE(token.stop_requested());
  co_return calls;
}

task<> do_nothing() { co_return; }

TEST(Names, can_be_used_unqualified_beside_those_of_the_c_library) {
  static_cast<void>(alarm(0));  // The function of <unistd.h>.
  static_cast<void>(getpid());
  thread_pool pool{1};
  EXPECT_EQ(sync_wait(pool, use_what_is_awaited(pool)), 4);
  sync_wait(pool, when_all(do_nothing(), do_nothing()));
  EXPECT_LE(sync_wait(pool, when_any(do_nothing(), do_nothing())).index, 1U);
  mutex m;
  block_on(m.lock());
  const scoped_lock<mutex> held{m, adopt_lock};
  once_flag once;
  call_once_blocking(once, [] {});
  EXPECT_TRUE(call_once_blocking(once, 1h, [] {}));
}

}  // namespace
}  // namespace a_program_outside
