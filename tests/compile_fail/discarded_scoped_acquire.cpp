// A scoped_acquire that is not awaited acquires nothing.
// EXPECT-ERROR: (nodiscard|warn_unused_result|unused-result)
// EXPECT-ERROR: co_await it
#include <hotseat/sync/semaphore.hpp>

void forget(hotseat::semaphore& permits) { permits.scoped_acquire(); }
