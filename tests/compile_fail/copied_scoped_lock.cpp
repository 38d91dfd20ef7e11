// Two scopes cannot own one lock.
// EXPECT-ERROR: (deleted|implicitly-deleted)
#include <hotseat/sync/mutex.hpp>

void twice(hotseat::scoped_lock<hotseat::mutex>& held) {
  hotseat::scoped_lock<hotseat::mutex> copy{held};
}
