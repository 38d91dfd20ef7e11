// A join takes the results by a move, too.
// EXPECT-ERROR: a result is moved out of its task
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>

struct rooted {
  explicit rooted(int) {}
  rooted(const rooted&) = delete;
  rooted& operator=(const rooted&) = delete;
};

hotseat::task<rooted> make() { co_return 3; }
hotseat::task<> use() { co_await hotseat::when_all(make(), make()); }
