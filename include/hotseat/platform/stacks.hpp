// hotseat/platform/stacks.hpp — stacks for fibers, and what happens when one is too small.
// Layer: platform.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(stacks.hpp)
