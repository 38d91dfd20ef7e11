// bench/support/build_facts.cpp — the only file to recompile when the commit changes.
#include <support/build_facts.hpp>

#include <commit.hpp>

namespace hotseat::bench::build_facts {

const char* const compiler = HOTSEAT_BENCH_COMPILER;
const char* const flags = HOTSEAT_BENCH_FLAGS;
const char* const commit = HOTSEAT_BENCH_COMMIT;

}  // namespace hotseat::bench::build_facts
