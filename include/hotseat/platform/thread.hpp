// hotseat/platform/thread.hpp — platform::thread: starting and joining threads.
// Layer: platform.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(thread.hpp)
