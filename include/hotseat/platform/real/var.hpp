// hotseat/platform/real/var.hpp — on a real machine a plain field is a plain field.
// Layer: platform.
#pragma once

namespace hotseat::platform {

template <class T>
using var = T;

}  // namespace hotseat::platform
