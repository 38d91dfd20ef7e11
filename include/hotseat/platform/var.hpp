// hotseat/platform/var.hpp — platform::var<T>: a plain field that several threads touch.
// Layer: platform.  Says "ordered by somebody else's atomics", so that a machine that
// tracks happens-before can check it.
#pragma once

#include <hotseat/platform/config.hpp>

#include HOTSEAT_MACHINE_HEADER(var.hpp)
