// A section with limits that is not awaited is not run either.
// EXPECT-ERROR: (nodiscard|warn_unused_result|unused-result)
// EXPECT-ERROR: co_await it
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/with_lock.hpp>

#include <chrono>

void forget(hotseat::mutex& m) {
  hotseat::with_lock_for(m, std::chrono::seconds{1}, [] {});
}
