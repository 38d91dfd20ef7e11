// hotseat/platform/seam.hpp — atomics, threads, parking, clock: what the machine provides.
// Layer: platform.  The folder of the machine we build for says what each name means.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(seam.hpp)
