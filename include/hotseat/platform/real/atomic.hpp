// hotseat/platform/real/atomic.hpp — on a real machine an atomic is the standard one.
// Layer: platform.
#pragma once

#include <atomic>

namespace hotseat::platform {

template <class T>
using atomic = std::atomic<T>;

}  // namespace hotseat::platform
