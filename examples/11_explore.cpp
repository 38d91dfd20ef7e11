// Finds the schedule that breaks a program.  Linked with hotseat::explored.
#include <hotseat/explore/explore.hpp>
#include <hotseat/hotseat.hpp>

#include <cstdio>

hotseat::task<> withdraw(hotseat::mutex& m, int& balance, int amount) {
  co_await m.lock();
  const bool is_enough = balance >= amount;
  co_await m.unlock();  // The bug: now another task can withdraw.
  if (!is_enough) co_return;
  co_await m.lock();
  balance -= amount;
  co_await m.unlock();
}

void two_customers() {
  hotseat::thread_pool pool{2};
  hotseat::mutex m;
  int balance = 100;
  hotseat::sync_wait(pool,
                     hotseat::when_all(withdraw(m, balance, 80), withdraw(m, balance, 70)));
  hotseat::verify(balance >= 0, "the balance is never negative");
}

int main() {
  const auto found = hotseat::explore({.name = "two customers"}, &two_customers);
  std::printf("found after %llu schedules\n",
              static_cast<unsigned long long>(found.schedules));
  return found.has_failed() ? 0 : 1;  // Here we want it to be found.
}
