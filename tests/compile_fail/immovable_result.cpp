// A result leaves its task by a move.
// EXPECT-ERROR: a result is moved out of its task
#include <hotseat/task/task.hpp>

struct rooted {
  explicit rooted(int) {}
  rooted(const rooted&) = delete;
  rooted& operator=(const rooted&) = delete;
};

hotseat::task<rooted> make() { co_return 3; }
hotseat::task<> use() { const rooted& one = co_await make(); }
