// A task that is not awaited does nothing.
// EXPECT-ERROR: (nodiscard|warn_unused_result|unused-result)
// EXPECT-ERROR: a task does nothing until it is awaited
#include <hotseat/task/task.hpp>

hotseat::task<> work();

void forget() { work(); }
