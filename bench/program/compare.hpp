// bench/program/compare.hpp — two result files of one benchmark: what became faster, what
// slower?
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_compare_command();

}  // namespace hotseat::bench
