// A value and its lock in one.  Sections are functions, run where the data are.
#include <hotseat/hotseat.hpp>

#include <cstdio>
#include <map>
#include <vector>

using counter_map = hotseat::synchronized<std::map<int, int>>;

hotseat::task<int> count(counter_map& counters, int key) {
  const int hits = co_await counters.with([&](auto& map) { return ++map[key]; });
  co_return hits;
}

hotseat::task<bool> run() {
  counter_map counters;
  std::vector<hotseat::task<int>> tasks;
  for (int i = 0; i < 1000; ++i) tasks.push_back(count(counters, i % 10));
  co_await hotseat::when_all(std::move(tasks));
  const std::size_t keys = co_await counters.with([](auto& map) { return map.size(); });
  std::printf("%zu keys\n", keys);
  co_return keys == 10;
}

int main() {
  hotseat::thread_pool pool;
  return hotseat::sync_wait(pool, run()) ? 0 : 1;
}
