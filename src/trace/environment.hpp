// hotseat/trace/environment.hpp — HOTSEAT_TRACE=file.
// Layer: core, private.
#pragma once

namespace hotseat::trace::detail {

/// If HOTSEAT_TRACE names a file, records from now on and writes it at the program's end.
/// If it cannot be written, says so on stderr, and the program goes on without.
/// HOTSEAT_TRACE_EVENTS limits how many events are kept.
void start_from_environment() noexcept;

}  // namespace hotseat::trace::detail
