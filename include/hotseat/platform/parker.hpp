// hotseat/platform/parker.hpp — platform::parker: where one thread sleeps until it is
// woken. Layer: platform.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(parker.hpp)
