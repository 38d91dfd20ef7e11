// hotseat/trace/environment.cpp — HOTSEAT_TRACE=file.
#include "trace/environment.hpp"

#include <hotseat/trace/json.hpp>
#include <hotseat/trace/recording.hpp>

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <string_view>
#include <system_error>

namespace hotseat::trace::detail {

namespace {

/// Opened at the start, so that a bad path is reported before the program runs for hours.
struct output {
  std::ofstream file;
  pid_t process = 0;  // A forked child has its parent's file, but is not recorded.
};

output& the_output() {
  static auto* const only = new output;  // Never destroyed: it is used at the very end.
  return *only;
}

void complain(const char* what, const char* why) {
  std::fprintf(stderr, "hotseat: HOTSEAT_TRACE: %s: %s; the program goes on without\n",
               what, why);
}

void write_at_exit() {
  output& to = the_output();
  if (to.process != getpid()) return;
  try {
    write_json(to.file, timeline_of(stop()));
    to.file.close();
    if (to.file.fail()) complain("cannot write the whole file", std::strerror(errno));
  } catch (const std::exception& error) {
    complain("cannot write the file", error.what());
  }
}

/// Returns 0 if it is not a number above 0.
std::size_t parse_count(std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc{} && end == text.data() + text.size() ? count : 0;
}

}  // namespace

void start_from_environment() noexcept {
  const char* const path = std::getenv("HOTSEAT_TRACE");
  if (path == nullptr || *path == '\0') return;
  try {
    std::size_t most = most_events_by_default;
    if (const char* const wanted = std::getenv("HOTSEAT_TRACE_EVENTS")) {
      most = parse_count(wanted);
      if (most == 0)
        return complain("HOTSEAT_TRACE_EVENTS is not a number above 0", wanted);
    }
    output& to = the_output();
    to.file.open(path);
    if (!to.file) return complain(path, std::strerror(errno));
    to.process = getpid();
    if (std::atexit(&write_at_exit) != 0) return complain(path, "no room for atexit");
    start(most);
  } catch (const std::exception& error) {
    complain(path, error.what());
  }
}

}  // namespace hotseat::trace::detail
