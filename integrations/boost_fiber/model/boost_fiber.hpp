// integrations/boost_fiber/model/boost_fiber.hpp — Boost.Fiber as the drop-in sees it,
// rewritten on the seam.  On the explored machine the explorer can choose each of its
// steps; on the real one the thread sanitizer knows its switches.  Read next: context.hpp,
// scheduler.hpp.
//
// It keeps Boost 1.74's order of steps where the drop-in can notice: what is pushed,
// unlocked, notified and freed, and when.  Plain fields that Boost protects only by
// convention are `var`s, so that breaking the convention is a race.
//
// HOTSEAT_BOOST_HAS_WAKERS chooses how a timed wait ends: as since Boost 1.80, or as
// before.
//
// One thing differs: a joiner waits until the joined fiber's thread is done with the
// joiner's scheduler.  Boost's `schedule_from_remote` touches it after the joiner may run.
// joiner go.
#pragma once

#include <model/algorithms.hpp>
#include <model/context.hpp>
#include <model/fiber.hpp>
#include <model/scheduler.hpp>

#include <system_error>

namespace boost::fibers {

enum class cv_status { no_timeout = 1, timeout };

class lock_error : public std::system_error {
 public:
  using std::system_error::system_error;
};

}  // namespace boost::fibers
