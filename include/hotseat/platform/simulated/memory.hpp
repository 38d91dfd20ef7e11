// hotseat/platform/simulated/memory.hpp — the memory of the machine that simulates.
// Layer: platform.
#pragma once

#include <hotseat/platform/real/memory.hpp>
