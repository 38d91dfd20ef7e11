// hotseat/platform/explored/thread.cpp — moving, destroying and naming virtual threads.
#include <hotseat/platform/seam.hpp>

#include <cstdio>
#include <exception>

namespace hotseat::platform {

thread& thread::operator=(thread&& other) noexcept {
  if (joinable()) std::terminate();
  record_ = std::exchange(other.record_, nullptr);
  return *this;
}

thread::~thread() {
  if (joinable()) std::terminate();
}

void name_this_thread(const char* name) noexcept {
  if (explored::running == nullptr) return;
  auto& own = explored::running->name;
  std::snprintf(own.data(), own.size(), "%s", name);
}

}  // namespace hotseat::platform
