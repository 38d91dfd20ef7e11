// bench/program/commands.hpp — the commands of hotseat-bench.
#pragma once

#include <harness/command.hpp>

#include <memory>
#include <vector>

namespace hotseat::bench {

using command_pointer = std::unique_ptr<command>;

// mutex/
command_pointer make_mutex_command();
command_pointer make_section_length_command();
command_pointer make_fiber_command();
// One folder each.
command_pointer make_channel_command();
command_pointer make_executor_command();
command_pointer make_queuing_delay_command();
command_pointer make_semaphore_command();
command_pointer make_server_command();
command_pointer make_shared_mutex_command();
command_pointer make_tight_loop_command();
command_pointer make_trace_command();
command_pointer make_validation_command();
// companions/: they run another program.
command_pointer make_boost_fiber_command();
command_pointer make_java_command();
command_pointer make_leveldb_command();
command_pointer make_simulate_command();
// program/
command_pointer make_compare_command();
command_pointer make_report_command();
/// Runs `commands` in order; they must exist when `run` is called.
command_pointer make_all_command(const std::vector<command_pointer>& commands);

}  // namespace hotseat::bench
