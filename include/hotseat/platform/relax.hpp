// hotseat/platform/relax.hpp — platform::relax(): one breath in a spin loop.
// Layer: platform.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(relax.hpp)
