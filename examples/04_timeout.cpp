// A race between work and a clock.  The loser is asked to stop, and awaited.
#include <hotseat/hotseat.hpp>

#include <chrono>
#include <cstdio>
#include <stop_token>

using namespace std::chrono_literals;

hotseat::task<long> count_until_stopped() {
  const std::stop_token token = co_await hotseat::this_task::stop_token();
  long steps = 0;
  while (!token.stop_requested()) {
    ++steps;
    co_await hotseat::reschedule();  // lets other tasks run
  }
  co_return steps;
}

hotseat::task<> sleep(std::chrono::milliseconds time) {
  const bool is_over = co_await hotseat::sleep_for(time);  // false: woken by a stop request
  if (!is_over) std::puts("the sleeper was asked to stop");
}

hotseat::task<int> quick_answer() { co_return 42; }

hotseat::task<bool> run() {
  const auto slow = co_await hotseat::when_any(count_until_stopped(), sleep(20ms));
  std::printf("first of the slow ones: %zu\n", slow.index);  // the sleeper

  const auto quick = co_await hotseat::when_any(quick_answer(), sleep(1h));
  std::printf("first of the quick ones: %zu\n", quick.index);  // the answer
  co_return slow.index == 1 && quick.index == 0 && std::get<0>(quick.value) == 42;
}

int main() {
  hotseat::thread_pool pool{2};
  return hotseat::sync_wait(pool, run()) ? 0 : 1;
}
