// hotseat/platform/stop_callback.hpp — platform::stop_callback<F>: called when a stop is
// requested. Layer: platform.  Its destructor waits for a call that is under way on another
// thread, and which threads there are is the machine's business.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(stop_callback.hpp)
