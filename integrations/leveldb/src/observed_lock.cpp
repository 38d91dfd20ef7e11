// hotseat/rebound/observed_lock.cpp — one set of observations for each thread.
#include <hotseat/rebound/observed_lock.hpp>

#include <deque>
#include <mutex>

namespace hotseat::rebound {
namespace {

// Sheets outlive their threads.
class all_sheets {
 public:
  observations& add() {
    const std::lock_guard held{mutex_};
    return sheets_.emplace_back();
  }
  observations sum() {
    const std::lock_guard held{mutex_};
    observations all;
    for (const observations& each : sheets_) all.add(each);
    return all;
  }

 private:
  std::mutex mutex_;
  std::deque<observations> sheets_;
};

all_sheets& sheets() {
  static all_sheets instance;
  return instance;
}

}  // namespace

[[gnu::noinline]] observations& observed_here() noexcept {
  thread_local observations* const mine = &sheets().add();
  observations* address = mine;
  asm volatile("" : "+r"(address)::"memory");  // It may differ from call to call.
  return *address;
}

observations observed_everywhere() { return sheets().sum(); }

}  // namespace hotseat::rebound
