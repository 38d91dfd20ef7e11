// hotseat/platform/fence.hpp — a StoreLoad order whose price only the rare side pays.
// Layer: platform.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(fence.hpp)
