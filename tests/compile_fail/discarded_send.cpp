// A send that is not awaited sends nothing.
// EXPECT-ERROR: (nodiscard|warn_unused_result|unused-result)
// EXPECT-ERROR: co_await it
#include <hotseat/sync/channel.hpp>

void forget(hotseat::channel<int>& c) { c.send(1); }
