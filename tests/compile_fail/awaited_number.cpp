// Only what can be awaited can be waited for.
// EXPECT-ERROR: (constraints not satisfied|no matching function)
#include <hotseat/sched/executor.hpp>
#include <hotseat/task/sync_wait.hpp>

void wait(hotseat::executor& where) { hotseat::sync_wait(where, 5); }
