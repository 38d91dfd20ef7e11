// A task owns its coroutine alone.
// EXPECT-ERROR: (deleted|implicitly-deleted)
#include <hotseat/task/task.hpp>

void twice(hotseat::task<int>& t) { hotseat::task<int> copy{t}; }
