// A caller that ignores whether try_lock locked does not know whether to unlock.
// EXPECT-ERROR: (nodiscard|warn_unused_result|unused-result)
#include <hotseat/sync/mutex.hpp>

void forget(hotseat::mutex& m) { m.try_lock(); }
