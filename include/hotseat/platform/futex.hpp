// hotseat/platform/futex.hpp — sleeping on a word until somebody says it has changed.
// Layer: platform.  Only platform/parker.hpp should need it.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(futex.hpp)
