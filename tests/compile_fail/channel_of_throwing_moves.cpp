// A value that throws half-way between two tasks would belong to neither.
// EXPECT-ERROR: values move between tasks where nothing may throw
#include <hotseat/sync/channel.hpp>

struct fragile {
  fragile() = default;
  fragile(fragile&&) noexcept(false) {}
};

hotseat::channel<fragile> c{1};
