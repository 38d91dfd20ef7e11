// A program outside the project: two tasks count under one lock.
#include <hotseat/hotseat.hpp>

namespace {

constexpr int sections = 1000;

hotseat::task<> count(hotseat::mutex& m, int& counter) {
  for (int i = 0; i < sections; ++i) {
    co_await m.lock();
    ++counter;
    co_await m.unlock();
  }
}

}  // namespace

int main() {
  hotseat::thread_pool pool;
  hotseat::mutex m;
  int counter = 0;
  hotseat::sync_wait(pool, hotseat::when_all(count(m, counter), count(m, counter)));
  return counter == 2 * sections ? 0 : 1;
}
