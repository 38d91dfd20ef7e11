// hotseat/rebound/static_lock.cpp — moving to the server, and back.
#include <hotseat/fiber/await.hpp>
#include <hotseat/fiber/this_fiber.hpp>
#include <hotseat/rebound/static_lock.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>

namespace hotseat::rebound {
namespace {

// Not inlined: the answer differs before and after a move.
[[gnu::noinline]] executor* here() noexcept { return executor::current(); }

}  // namespace

executor& section_server() {
  // Never destroyed: LevelDB may lock in the destructors of statics.
  static thread_pool& server = *new thread_pool{{.threads = 1, .pin = pinning::none}};
  return server;
}

void static_lock::lock() noexcept {
  executor* home = nullptr;
  if (this_task::is_fiber() && here() != &section_server()) {
    home = here();
    await(resume_on(section_server()));
  }
  mutex_.lock();
  home_ = home;
}

void static_lock::unlock() noexcept {
  executor* const home = home_;
  mutex_.unlock();
  if (home != nullptr) await(resume_on(*home));
}

}  // namespace hotseat::rebound
