// bench/trace/picture.hpp — timelines as a picture, one below the other on one scale.
#pragma once

#include <hotseat/trace/timeline.hpp>

#include <string>
#include <vector>

namespace hotseat::bench {

/// How tasks are named that are not the scene's; they are drawn in grey.
inline constexpr const char* other_name = "other";

struct panel {
  std::string title;
  std::string caption;
  trace::timeline what;
};

/// How long nobody was inside the lock although it had been handed to somebody, and how
/// often it was handed over.
struct idle_lock {
  std::size_t hand_overs = 0;
  double microseconds = 0;
};
idle_lock idle_lock_of(const trace::timeline& what);

/// When the last task of the scene ended, in microseconds.
double end_of(const trace::timeline& what);

/// An SVG document.  A row for each worker, hatched where a task is inside the section, and
/// a row for the lock, that shows who is inside.  Colours that are told apart with every
/// kind of colour vision; light or dark as the reader's system is.
std::string draw(const std::vector<panel>& panels, const std::vector<std::string>& footer);

}  // namespace hotseat::bench
