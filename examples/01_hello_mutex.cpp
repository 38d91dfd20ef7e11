#include <hotseat/hotseat.hpp>

#include <map>
#include <vector>

hotseat::task<> count(hotseat::mutex& m, std::map<int, int>& hits, int key) {
  co_await m.lock();
  ++hits[key];
  co_await m.unlock();  // may continue on another thread
}

int main() {
  hotseat::thread_pool pool;
  hotseat::mutex m;
  std::map<int, int> hits;
  std::vector<hotseat::task<>> tasks;
  for (int i = 0; i < 1000; ++i) tasks.push_back(count(m, hits, i % 10));
  hotseat::sync_wait(pool, hotseat::when_all(std::move(tasks)));
  return hits[7] == 100 ? 0 : 1;
}
