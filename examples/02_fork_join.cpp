// Splits work into two tasks again and again; idle workers take the larger pieces.
#include <hotseat/hotseat.hpp>

#include <cstdio>

hotseat::task<long> fibonacci(int n) {
  if (n < 2) co_return n;
  const auto [a, b] = co_await hotseat::when_all(fibonacci(n - 1), fibonacci(n - 2));
  co_return a + b;
}

int main() {
  hotseat::thread_pool pool;
  const long result = hotseat::sync_wait(pool, fibonacci(20));
  std::printf("fibonacci(20) = %ld\n", result);
  return result == 6765 ? 0 : 1;
}
