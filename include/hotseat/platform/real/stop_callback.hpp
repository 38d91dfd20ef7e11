// hotseat/platform/real/stop_callback.hpp — on a real machine it is the standard one.
// Layer: platform.
#pragma once

#include <stop_token>

namespace hotseat::platform {

template <class F>
using stop_callback = std::stop_callback<F>;

}  // namespace hotseat::platform
