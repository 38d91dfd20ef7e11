// One task loads, several await it; at most two ask at a time, and some of them fail.
#include <hotseat/hotseat.hpp>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

hotseat::task<std::string> load(int& runs) {
  ++runs;
  co_await hotseat::reschedule();
  co_return "config";
}

hotseat::task<std::size_t> ask(hotseat::shared_task<std::string> loaded,
                               hotseat::semaphore& permits, int number) {
  auto held = co_await permits.scoped_acquire();
  const std::string& config = co_await loaded;  // the first to await starts it
  co_await held.release();  // or leave it to the destructor, as a throw does
  if (number % 3 == 0) throw std::runtime_error{"refused"};
  co_return config.size();
}

int main() {
  hotseat::thread_pool pool;
  hotseat::semaphore permits{2};
  int runs = 0;
  const hotseat::shared_task<std::string> loaded = load(runs);
  std::vector<hotseat::task<std::size_t>> tasks;
  for (int i = 0; i < 6; ++i) tasks.push_back(ask(loaded, permits, i));

  int answers = 0;
  for (const hotseat::settled<std::size_t>& each :
       hotseat::sync_wait(pool, hotseat::when_all_settled(std::move(tasks)))) {
    if (each) ++answers;
  }
  std::printf("loaded %d time, %d answers\n", runs, answers);
  return runs == 1 && answers == 4 && permits.available() == 2 ? 0 : 1;
}
