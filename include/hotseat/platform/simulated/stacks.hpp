// hotseat/platform/simulated/stacks.hpp — the same as on the real machine.
// Layer: platform.
#pragma once
#include <hotseat/platform/real/stacks.hpp>
