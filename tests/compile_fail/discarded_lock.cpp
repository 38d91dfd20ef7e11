// A lock that is not awaited does not lock.
// EXPECT-ERROR: (nodiscard|warn_unused_result|unused-result)
// EXPECT-ERROR: co_await it
#include <hotseat/sync/mutex.hpp>

void forget(hotseat::mutex& m) { m.lock(); }
