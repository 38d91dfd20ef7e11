// A reference into a shared task must not outlive its last handle.
// EXPECT-ERROR: use of deleted function|selected deleted operator
#include <hotseat/task/shared_task.hpp>

#include <memory>

hotseat::shared_task<std::unique_ptr<int>> make();
hotseat::task<> use() { const auto& one = co_await make(); }
