// What a user of fibers builds against the installed package.
#include <hotseat/hotseat.hpp>

#include <mutex>

int main() {
  hotseat::thread_pool pool{2};
  hotseat::fiber_mutex m;
  int count = 0;
  const auto enter = [&] {
    const std::lock_guard held{m};
    ++count;
  };
  hotseat::fiber a{pool, enter};
  hotseat::fiber b{pool, enter};
  a.join();
  b.join();
  return count == 2 ? 0 : 1;
}
