// hotseat/platform/simulated/pages.hpp — memory of the machine that simulates.
// Layer: platform.
#pragma once

#include <hotseat/platform/real/pages.hpp>
