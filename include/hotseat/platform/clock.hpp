// hotseat/platform/clock.hpp — time, and a cheap counter for durations.
// Layer: platform.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(clock.hpp)
