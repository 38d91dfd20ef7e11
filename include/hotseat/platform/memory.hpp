// hotseat/platform/memory.hpp — pages, coroutine frames and stacks from the machine.
// Layer: platform.  The folder of the machine we build for says what each name means.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(memory.hpp)
