// A mutex is its address: waiters point to it.
// EXPECT-ERROR: (deleted|implicitly-deleted)
#include <hotseat/sync/mutex.hpp>

void twice(hotseat::mutex& m) { hotseat::mutex copy{m}; }
