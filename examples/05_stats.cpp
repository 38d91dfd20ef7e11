// What the workers of a pool did, and on what machine.
#include <hotseat/hotseat.hpp>

#include <cinttypes>
#include <cstdio>
#include <vector>

void compute() {
  for (volatile int step = 0; step < 200;) step = step + 1;
}

hotseat::task<> work(hotseat::mutex& m, long& counter) {
  for (int i = 0; i < 1000; ++i) {
    co_await m.lock();
    ++counter;
    co_await m.unlock();
    compute();
  }
}

int main() {
  hotseat::thread_pool pool;
  std::printf("%s\n", pool.machine().describe().c_str());

  hotseat::mutex m;
  long counter = 0;
  std::vector<hotseat::task<>> tasks;
  for (int i = 0; i < 100; ++i) tasks.push_back(work(m, counter));
  hotseat::sync_wait(pool, hotseat::when_all(std::move(tasks)));

  const hotseat::worker_stats all = pool.stats().total();
  std::printf("workers        %u\n", pool.size());
  std::printf("sections       %ld\n", counter);
  std::printf("exchanges      %" PRIu64 "\n", all.exchanges);
  std::printf("longest chain  %" PRIu64 "\n", all.longest_chain);
  std::printf("chains cut     %" PRIu64 "\n", all.chains_cut);
  std::printf("steals         %" PRIu64 " near, %" PRIu64 " in the node, %" PRIu64
              " remote\n",
              all.steals[0], all.steals[1], all.steals[2]);
  std::printf("parks          %" PRIu64 "\n", all.parks);
  return counter == 100'000 ? 0 : 1;
}
