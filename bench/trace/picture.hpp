// bench/trace/picture.hpp — draws timelines, one below another on the same scale.
#pragma once

#include <hotseat/trace/timeline.hpp>

#include <string>
#include <vector>

namespace hotseat::bench {

/// The name of tasks outside the scene; they are drawn in grey.
inline constexpr const char* other_name = "other";

struct panel {
  std::string title;
  std::string caption;
  trace::timeline what;
};

/// How long the lock stood idle after it was handed over, and how often it was.
struct idle_lock {
  std::size_t hand_overs = 0;
  double microseconds = 0;
};
idle_lock idle_lock_of(const trace::timeline& what);

/// When the last task of the scene ended, in microseconds.
double end_of(const trace::timeline& what);

/// An SVG document.  A row for each worker, hatched where a task is inside the section, and
/// a row for the lock that shows which task is inside.  The colours can be told apart with
/// every kind of colour vision; light or dark like the reader's system.
std::string draw(const std::vector<panel>& panels, const std::vector<std::string>& footer);

}  // namespace hotseat::bench
