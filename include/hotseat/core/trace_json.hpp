// hotseat/core/trace_json.hpp — a timeline as a file for chrome://tracing and
// ui.perfetto.dev. Layer: core.
#pragma once

#include <hotseat/core/timeline.hpp>

#include <iosfwd>

namespace hotseat::trace {

/// Writes the Trace Event Format: a complete event for each slice, a thread for each
/// worker, an arrow for each hand-over, and how many events were dropped.
void write_json(std::ostream& to, const timeline& what);

}  // namespace hotseat::trace
