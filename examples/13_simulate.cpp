// Asks what a lock does on 256 CPUs.  Linked with hotseat::simulated.
#include <hotseat/hotseat.hpp>
#include <hotseat/simulate/simulate.hpp>

#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

template <class Mutex>
hotseat::task<> count(Mutex& m, int& hits) {
  for (int i = 0; i < 20; ++i) {
    co_await m.lock();
    ++hits;
    hotseat::work(500ns);  // The section, apart from hotseat's own work.
    co_await m.unlock();
    hotseat::work(20us);  // What runs in parallel.
  }
}

/// Millions of sections per second.
template <class Handoff>
double throughput(unsigned workers) {
  const auto machine = hotseat::machines::two_sockets();
  double result = 0;
  hotseat::simulate(machine, 1, [&] {
    hotseat::thread_pool pool{
        {.threads = workers, .machine = hotseat::topology_of(machine)}};
    hotseat::basic_mutex<Handoff> m;
    int hits = 0;
    std::vector<hotseat::task<>> tasks;
    for (int i = 0; i < 500; ++i) tasks.push_back(count(m, hits));
    const auto start = hotseat::virtual_time();
    hotseat::sync_wait(pool, hotseat::when_all(std::move(tasks)));
    const std::chrono::duration<double, std::micro> time = hotseat::virtual_time() - start;
    result = hits / time.count();
  });
  return result;
}

int main() {
  const double exchange = throughput<hotseat::handoff::exchange>(256);
  const double dispatch = throughput<hotseat::handoff::dispatch>(256);
  std::printf("simulated: %.2f and %.2f million sections per second\n", exchange, dispatch);
  return exchange > dispatch ? 0 : 1;
}
