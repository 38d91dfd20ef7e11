// hotseat/platform/explored/crash.hpp — a crash is a failure like any other.
#pragma once

namespace hotseat::platform::explored {

/// While it exists, a signal that would end the program ends the running execution instead.
class crash_watch {
 public:
  crash_watch();
  ~crash_watch();
  crash_watch(const crash_watch&) = delete;
  crash_watch& operator=(const crash_watch&) = delete;
};

}  // namespace hotseat::platform::explored
