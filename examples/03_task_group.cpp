// Starts tasks one by one, protects what they share, and joins them together.
#include <hotseat/hotseat.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

hotseat::task<> parse(std::string line, hotseat::mutex& m, std::vector<int>& numbers) {
  const int number = std::stoi(line);  // outside the section: on all workers at once
  co_await hotseat::with_lock(m, [&] { numbers.push_back(number); });
}

hotseat::task<int> sum(hotseat::executor& pool, std::vector<std::string> lines) {
  hotseat::mutex m;
  std::vector<int> numbers;
  hotseat::task_group parsers{pool};
  for (const std::string& line : lines) parsers.spawn(parse(line, m, numbers));
  co_await parsers.join();  // throws the first exception that left one of them
  int total = 0;
  for (const int number : numbers) total += number;
  co_return total;
}

int main() {
  hotseat::thread_pool pool;
  const int total = hotseat::sync_wait(pool, sum(pool, {"1", "20", "300"}));
  std::printf("total = %d\n", total);
  try {
    hotseat::sync_wait(pool, sum(pool, {"1", "twenty"}));
  } catch (const std::invalid_argument& error) {
    std::printf("rejected: %s\n", error.what());
    return total == 321 ? 0 : 1;
  }
  return 1;
}
