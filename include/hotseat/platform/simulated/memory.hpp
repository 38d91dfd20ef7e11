// hotseat/platform/simulated/memory.hpp — the memory of the real machine.
// Layer: platform.
#pragma once

#include <hotseat/platform/real/memory.hpp>
