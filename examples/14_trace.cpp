// Which task ran where?  Run it as
//
//     HOTSEAT_TRACE=trace.json ./example_14_trace
//
// and open trace.json in https://ui.perfetto.dev or chrome://tracing.
#include <hotseat/hotseat.hpp>

#include <map>
#include <vector>

hotseat::task<> count(hotseat::mutex& m, std::map<int, int>& hits, int key) {
  hotseat::trace::name_task("counter");
  co_await m.lock();  // Sections are marked by the library.
  ++hits[key];
  co_await m.unlock();
  const hotseat::trace::section mark{"after the section"};  // Mark anything else you like.
  for (int i = 0; i < key; ++i) co_await hotseat::reschedule();
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
