// hotseat/trace/json.hpp — a timeline as a file for chrome://tracing and
// ui.perfetto.dev.  Layer: trace.
#pragma once

#include <hotseat/trace/timeline.hpp>

#include <iosfwd>

namespace hotseat::trace {

/// Writes the Trace Event Format: a complete event for each slice, a thread for each
/// worker, an arrow for each hand-over, and how many events were dropped.
void write_json(std::ostream& to, const timeline& what);

}  // namespace hotseat::trace
