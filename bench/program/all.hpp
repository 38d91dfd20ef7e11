// bench/program/all.hpp — every benchmark, one after the other, into one folder.
#pragma once

#include <harness/command.hpp>

#include <memory>
#include <vector>

namespace hotseat::bench {

/// `commands` are run in their order; they must be there when `run` is called.
std::unique_ptr<command> make_all_command(
    const std::vector<std::unique_ptr<command>>& commands);

}  // namespace hotseat::bench
