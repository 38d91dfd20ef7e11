// Code that knows nothing of tasks, run in fibers: std::lock_guard suspends, not blocks.
#include <hotseat/hotseat.hpp>

#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

/// A class like any other.  With a std::mutex, it would block the workers.
class hit_counter {
 public:
  void count(const std::string& page) {
    const std::lock_guard held{mutex_};  // its destructor may suspend the fiber
    ++hits_[page];
  }
  int hits(const std::string& page) {
    const std::lock_guard held{mutex_};
    return hits_[page];
  }
  hotseat::task<> count_in_a_task(std::string page) {
    co_await hotseat::with_lock(mutex_.native(), [&] { ++hits_[page]; });
  }

 private:
  hotseat::fiber_mutex mutex_;
  std::map<std::string, int> hits_;
};

int main() {
  hotseat::thread_pool pool;
  hit_counter counter;

  std::vector<hotseat::fiber> fibers;
  for (int i = 0; i < 100; ++i) {
    fibers.emplace_back(pool, [&] {
      for (int j = 0; j < 10; ++j) counter.count("index");
      hotseat::await(counter.count_in_a_task("about"));
    });
  }
  std::thread plain{[&] { counter.count("index"); }};  // blocks if it must wait
  plain.join();
  for (hotseat::fiber& each : fibers) each.join();

  std::printf("index %d, about %d\n", counter.hits("index"), counter.hits("about"));
  return counter.hits("index") == 1001 && counter.hits("about") == 100 ? 0 : 1;
}
