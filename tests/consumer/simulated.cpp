// Simulates a program with the installed package.
#include <hotseat/hotseat.hpp>
#include <hotseat/simulate/simulate.hpp>

#include <chrono>

hotseat::task<> add(hotseat::mutex& m, int& sum) {
  co_await m.lock();
  ++sum;
  hotseat::work(std::chrono::microseconds{1});
  co_await m.unlock();
}

int main() {
  int sum = 0;
  const auto seen = hotseat::simulate(hotseat::machines::four_sockets(), 1, [&] {
    hotseat::thread_pool pool{2};
    hotseat::mutex m;
    hotseat::sync_wait(pool, hotseat::when_all(add(m, sum), add(m, sum)));
  });
  return sum == 2 && seen.end > 0 ? 0 : 1;
}
