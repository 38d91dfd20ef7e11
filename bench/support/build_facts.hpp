// bench/support/build_facts.hpp — how the benchmarks were built, according to CMake.
#pragma once

namespace hotseat::bench::build_facts {

extern const char* const compiler;
extern const char* const flags;
extern const char* const commit;  ///< At build time; "-dirty" if it had changes.

}  // namespace hotseat::bench::build_facts
