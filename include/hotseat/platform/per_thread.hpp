// hotseat/platform/per_thread.hpp — platform::per_thread<T>(): one T for each thread.
// Layer: platform.  `thread_local` cannot be used above: the threads of the other machines
// are not the operating system's.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(per_thread.hpp)
