// hotseat/boost_fiber/mutex.hpp — boost::fibers::mutex, but unlock exchanges fibers.
// Read next: detail/lock_core.hpp (who is next?), detail/hand_over.hpp (how do we get
// there?).
#pragma once

#include <hotseat/boost_fiber/detail/lockable.hpp>

namespace hotseat::boost_fiber {

/// Takes the place of `boost::fibers::mutex`, on any of Boost's scheduling algorithms.
///
/// `unlock` may suspend the fiber: if others wait, one of them continues here, at once,
/// with the protected data still in this core's cache.  The caller becomes ready, and may
/// continue on another thread if its algorithm shares fibers.  It does not suspend if it
/// owns another of our locks, or while an exception is handled.
///
/// Throws `boost::fibers::lock_error` as Boost's does: resource_deadlock_would_occur if the
/// owner locks again, operation_not_permitted if another fiber unlocks.
class mutex : public detail::single_lock {};

}  // namespace hotseat::boost_fiber
