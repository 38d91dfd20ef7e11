// Fibers of Boost under a lock of the installed package.
#include <hotseat/boost_fiber/condition_variable.hpp>
#include <hotseat/boost_fiber/mutex.hpp>
#include <hotseat/boost_fiber/timed_mutex.hpp>

#include <boost/fiber/fiber.hpp>

#include <mutex>

int main() {
  hotseat::boost_fiber::mutex m;
  hotseat::boost_fiber::condition_variable is_set;
  bool value = false;
  boost::fibers::fiber sets{[&] {
    const std::lock_guard held{m};
    value = true;
    is_set.notify_one();
  }};
  {
    std::unique_lock held{m};
    is_set.wait(held, [&] { return value; });
  }
  sets.join();
  return value ? 0 : 1;
}
