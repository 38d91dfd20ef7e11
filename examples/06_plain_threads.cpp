// One mutex for tasks and for plain threads: a thread blocks where a task suspends.
#include <hotseat/hotseat.hpp>

#include <cstdio>
#include <thread>
#include <vector>

constexpr int rounds = 10'000;

hotseat::task<> count(hotseat::mutex& m, long& counter) {
  for (int i = 0; i < rounds; ++i) {
    co_await m.lock();
    ++counter;
    co_await m.unlock();
  }
}

int main() {
  hotseat::thread_pool pool;
  hotseat::mutex m;
  long counter = 0;

  std::thread plain{[&] {
    for (int i = 0; i < rounds; ++i) {
      m.lock_blocking();  // joins the same line as the tasks
      ++counter;
      m.unlock_dispatch();  // cannot suspend, so the heir is scheduled on its pool
    }
  }};
  std::vector<hotseat::task<>> tasks;
  for (int i = 0; i < 10; ++i) tasks.push_back(count(m, counter));
  hotseat::sync_wait(pool, hotseat::when_all(std::move(tasks)));
  plain.join();

  std::printf("counter = %ld\n", counter);
  return counter == 11L * rounds ? 0 : 1;
}
