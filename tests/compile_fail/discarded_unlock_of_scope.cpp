// An unlock of a unique_lock that is not awaited does not unlock.
// EXPECT-ERROR: (nodiscard|warn_unused_result|unused-result)
// EXPECT-ERROR: co_await it
#include <hotseat/sync/mutex.hpp>

void forget(hotseat::unique_lock<hotseat::mutex>& held) { held.unlock(); }
