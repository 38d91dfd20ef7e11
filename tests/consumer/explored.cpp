// Explores a program with the installed package.
#include <hotseat/explore/explore.hpp>
#include <hotseat/hotseat.hpp>

hotseat::task<> add(hotseat::mutex& m, int& sum) {
  co_await m.lock();
  ++sum;
  co_await m.unlock();
}

int main() {
  const hotseat::explore_result result = hotseat::explore({.schedules = 1000}, [] {
    hotseat::thread_pool pool{2};
    hotseat::mutex m;
    int sum = 0;
    hotseat::sync_wait(pool, hotseat::when_all(add(m, sum), add(m, sum)));
    hotseat::verify(sum == 2, "both have added");
  });
  return result.has_failed() ? 1 : 0;
}
