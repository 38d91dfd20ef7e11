// bench/support/build_facts.hpp — how the benchmarks were built; CMake knows.
#pragma once

namespace hotseat::bench::build_facts {

extern const char* const compiler;
extern const char* const flags;
extern const char* const commit;  ///< When it was built; "-dirty" if it had changes.

}  // namespace hotseat::bench::build_facts
