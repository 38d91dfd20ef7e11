// bench/companions/commands.hpp — the commands that run another program.
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_simulate_command();
std::unique_ptr<command> make_leveldb_command();
std::unique_ptr<command> make_boost_fiber_command();
std::unique_ptr<command> make_java_command();

}  // namespace hotseat::bench
