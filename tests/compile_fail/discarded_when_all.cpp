// Tasks that are joined but not awaited do nothing.
// EXPECT-ERROR: (nodiscard|warn_unused_result|unused-result)
// EXPECT-ERROR: co_await it
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>

hotseat::task<> work();

void forget() { hotseat::when_all(work(), work()); }
