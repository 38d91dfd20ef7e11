// A thread that blocks for a value runs no task inside.
// EXPECT-ERROR: no matching (member )?function for call to
#include <hotseat/hotseat.hpp>

hotseat::task<> change(int& value);

void block(hotseat::synchronized<int>& value) { value.with_blocking(change); }
