// hotseat/platform/pages.hpp — fresh memory that lands on the node of whoever touches it.
// Layer: platform.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(pages.hpp)
