// hotseat/boost_fiber/timed_mutex.hpp — boost::fibers::timed_mutex, with the exchange.
#pragma once

#include <hotseat/boost_fiber/detail/lockable.hpp>

namespace hotseat::boost_fiber {

/// Takes the place of `boost::fibers::timed_mutex`; see `mutex`.
class timed_mutex : public detail::timed<detail::single_lock> {};

}  // namespace hotseat::boost_fiber
