// hotseat/platform/explored/seam.hpp — every access is a step that a chooser orders.
// Layer: platform.
#pragma once

#include <hotseat/platform/explored/account.hpp>
#include <hotseat/platform/explored/atomic.hpp>
#include <hotseat/platform/explored/clock.hpp>
#include <hotseat/platform/explored/fence.hpp>
#include <hotseat/platform/explored/futex.hpp>
#include <hotseat/platform/explored/per_thread.hpp>
#include <hotseat/platform/explored/relax.hpp>
#include <hotseat/platform/explored/stop_callback.hpp>
#include <hotseat/platform/explored/thread.hpp>
#include <hotseat/platform/explored/var.hpp>
