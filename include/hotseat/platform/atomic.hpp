// hotseat/platform/atomic.hpp — platform::atomic<T>: the only atomics of the library.
// Layer: platform.  One of the seam's headers; the machine decides what it means.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(atomic.hpp)
