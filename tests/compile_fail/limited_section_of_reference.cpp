// A section that may not run has no reference to return.
// EXPECT-ERROR: a section that may not run gives a value, or a pointer
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/with_lock.hpp>

#include <chrono>

auto refer(hotseat::mutex& m, int& i) {
  return hotseat::with_lock_for(m, std::chrono::seconds{1}, [&i]() -> int& { return i; });
}
