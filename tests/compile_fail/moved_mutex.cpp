// A mutex is its address: waiters point to it.
// EXPECT-ERROR: (deleted|implicitly-deleted)
#include <hotseat/sync/mutex.hpp>

#include <utility>

void away(hotseat::mutex& m) { hotseat::mutex other{std::move(m)}; }
