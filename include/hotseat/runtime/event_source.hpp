// hotseat/runtime/event_source.hpp — where the workers of a pool wait for events: an epoll
// set, a ring, an io_context.  Layer: runtime.  Read next: examples/16_epoll.cpp.
#pragma once

#include <hotseat/platform/seam.hpp>

namespace hotseat {

/// What a pool polls while it works and waits in when it has nothing to do.
///
///     my_epoll events;
///     hotseat::thread_pool pool{{.events = &events}};
///
/// Without one, a worker that has nothing to do sleeps in a futex, and I/O needs a thread
/// of its own, which wakes a worker for each event.  With one, each worker has its own part
/// of the source, polls it between tasks and waits in it when there are none, so an event
/// is completed by the thread that runs what waits for it.
///
/// The pool never calls `poll` or `wait` for the same worker on two threads at once, so one
/// worker's part needs no lock against itself.  It is called on that worker's thread,
/// except that `poll` is called on another one while the worker runs a long task.
/// Completing an event means to make ready what waits for it, for instance by `one_shot`:
/// tasks made ready inside `poll` and `wait` are published together, with at most one
/// wake-up.
///
/// Implementations must outlive the pool.
class event_source {
 public:
  event_source() = default;
  event_source(const event_source&) = delete;
  event_source& operator=(const event_source&) = delete;

  /// Called once, by the constructor of the pool, which passes on what this throws.
  virtual void open(unsigned workers) = 0;

  /// Completes the events of `worker` that have happened; does not wait.
  virtual void poll(unsigned worker) noexcept = 0;

  /// The same, but waits for an event, for `interrupt` or until `deadline`, which may be
  /// the end of time.  May return early.
  virtual void wait(unsigned worker, platform::clock::time_point deadline) noexcept = 0;

  /// Makes the present `wait` of `worker` return, or else the next one.  Called on any
  /// thread.  A `poll` may use it up: the pool then repeats it if that matters.
  virtual void interrupt(unsigned worker) noexcept = 0;

 protected:
  ~event_source() = default;
};

}  // namespace hotseat
