// Waits that give up: after a time, on a stop request, and on a plain thread.
#include <hotseat/hotseat.hpp>

#include <chrono>
#include <cstdio>
#include <optional>
#include <stop_token>

using namespace std::chrono_literals;

hotseat::task<bool> try_for_a_moment(hotseat::mutex& m) {
  const bool is_owner = co_await m.try_lock_for(5ms);
  if (is_owner) co_await m.unlock();
  co_return is_owner;
}

hotseat::task<bool> add_for_a_moment(hotseat::mutex& m, int& total) {
  const std::optional<int> sum = co_await hotseat::with_lock_for(
      m, 5ms, [&] { return total += 1; });  // empty: it was not called
  co_return sum.has_value();
}

hotseat::task<bool> take_permits(hotseat::semaphore& permits) {
  const std::stop_token token = co_await hotseat::this_task::stop_token();
  const bool is_granted = co_await permits.acquire(2, token);  // false: told to stop
  if (is_granted) co_await permits.release(2);
  co_return is_granted;
}

int main() {
  hotseat::thread_pool pool{2};
  hotseat::mutex m;
  hotseat::semaphore permits{1};

  int total = 0;

  m.lock_blocking();
  const bool was_late = !hotseat::sync_wait(pool, try_for_a_moment(m)) &&
                        !hotseat::sync_wait(pool, add_for_a_moment(m, total));
  m.unlock_dispatch();
  const bool was_in_time = hotseat::sync_wait(pool, try_for_a_moment(m)) &&
                           hotseat::sync_wait(pool, add_for_a_moment(m, total));

  std::stop_source stop;
  stop.request_stop();
  const bool was_stopped =
      !hotseat::sync_wait(pool, take_permits(permits), stop.get_token());

  const bool blocked = hotseat::block_on(permits.try_acquire_for(1ms));  // a plain thread
  if (blocked) permits.release_dispatch();
  std::printf("late %d, in time %d, stopped %d, blocked %d\n", was_late, was_in_time,
              was_stopped, blocked);
  return was_late && was_in_time && was_stopped && blocked ? 0 : 1;
}
