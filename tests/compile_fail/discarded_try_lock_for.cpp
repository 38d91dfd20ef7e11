// A lock with limits that is not awaited does not lock either.
// EXPECT-ERROR: (nodiscard|warn_unused_result|unused-result)
// EXPECT-ERROR: co_await it
#include <hotseat/sync/mutex.hpp>

#include <chrono>

void forget(hotseat::mutex& m) { m.try_lock_for(std::chrono::seconds{1}); }
