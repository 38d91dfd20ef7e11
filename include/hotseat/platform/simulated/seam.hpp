// hotseat/platform/simulated/seam.hpp — every access takes its time on a described machine.
// Layer: platform.
#pragma once

#include <hotseat/platform/simulated/account.hpp>
#include <hotseat/platform/simulated/atomic.hpp>
#include <hotseat/platform/simulated/clock.hpp>
#include <hotseat/platform/simulated/fence.hpp>
#include <hotseat/platform/simulated/futex.hpp>
#include <hotseat/platform/simulated/per_thread.hpp>
#include <hotseat/platform/simulated/relax.hpp>
#include <hotseat/platform/simulated/stop_callback.hpp>
#include <hotseat/platform/simulated/thread.hpp>
#include <hotseat/platform/simulated/var.hpp>
