// hotseat/boost_fiber/recursive_mutex.hpp — boost::fibers::recursive_mutex and
// recursive_timed_mutex, with the exchange.
#pragma once

#include <hotseat/boost_fiber/detail/lockable.hpp>

namespace hotseat::boost_fiber {

/// Takes the place of `boost::fibers::recursive_mutex`: the owner may lock again.  The
/// outermost unlock may suspend, as that of `mutex` may.
class recursive_mutex : public detail::recursive_lock {};

/// Takes the place of `boost::fibers::recursive_timed_mutex`.
class recursive_timed_mutex : public detail::timed<detail::recursive_lock> {};

}  // namespace hotseat::boost_fiber
