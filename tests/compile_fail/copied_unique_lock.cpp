// Two scopes cannot own one lock.
// EXPECT-ERROR: (deleted|implicitly-deleted)
#include <hotseat/sync/mutex.hpp>

void twice(hotseat::unique_lock<hotseat::mutex>& held) {
  hotseat::unique_lock<hotseat::mutex> copy{held};
}
