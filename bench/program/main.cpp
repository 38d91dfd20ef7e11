// bench/program/main.cpp — hotseat-bench: every benchmark is a subcommand.
#include <program/commands.hpp>

#include <memory>
#include <vector>

int main(int argc, char** argv) {
  using namespace hotseat::bench;
  std::vector<command_pointer> commands;
  commands.push_back(make_mutex_command());
  commands.push_back(make_section_length_command());
  commands.push_back(make_fiber_command());
  commands.push_back(make_tight_loop_command());
  commands.push_back(make_shared_mutex_command());
  commands.push_back(make_semaphore_command());
  commands.push_back(make_channel_command());
  commands.push_back(make_queuing_delay_command());
  commands.push_back(make_validation_command());
  commands.push_back(make_executor_command());
  commands.push_back(make_server_command());
  commands.push_back(make_boost_fiber_command());
  commands.push_back(make_leveldb_command());
  commands.push_back(make_java_command());
  commands.push_back(make_simulate_command());
  commands.push_back(make_all_command(commands));
  commands.push_back(make_compare_command());
  commands.push_back(make_report_command());
  commands.push_back(make_trace_command());
  return run_commands(commands, argc, argv);
}
