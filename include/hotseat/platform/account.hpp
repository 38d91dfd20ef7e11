// hotseat/platform/account.hpp — tells a machine that keeps books what is being done.
// Layer: platform.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(account.hpp)
