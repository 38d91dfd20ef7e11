// bench/program/main.cpp — hotseat-bench: every benchmark is a subcommand.
#include <channel/command.hpp>
#include <companions/commands.hpp>
#include <executor/command.hpp>
#include <mutex/command.hpp>
#include <program/all.hpp>
#include <program/compare.hpp>
#include <program/report.hpp>
#include <queuing_delay/command.hpp>
#include <semaphore/command.hpp>
#include <shared_mutex/command.hpp>
#include <support/command_line.hpp>
#include <tight_loop/command.hpp>
#include <trace/command.hpp>
#include <validation/command.hpp>

#include <memory>
#include <stdexcept>
#include <vector>

namespace hotseat::bench {
namespace {

int run(int argc, char** argv) {
  CLI::App app{"Measures hotseat's locks, beside others.  Each command has its own --help.",
               "hotseat-bench"};
  app.require_subcommand(1);
  std::vector<std::unique_ptr<command>> commands;
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
  commands.push_back(make_boost_fiber_command());
  commands.push_back(make_leveldb_command());
  commands.push_back(make_java_command());
  commands.push_back(make_simulate_command());
  commands.push_back(make_all_command(commands));
  commands.push_back(make_compare_command());
  commands.push_back(make_report_command());
  commands.push_back(make_trace_command());
  for (const auto& each : commands) {
    each->declare(*app.add_subcommand(each->name(), each->about()));
  }
  return run_program(app, argc, argv, [&] {
    for (const auto& each : commands) {
      if (app.got_subcommand(each->name())) return each->run();
    }
    throw std::logic_error{"a command without a name"};
  });
}

}  // namespace
}  // namespace hotseat::bench

int main(int argc, char** argv) { return hotseat::bench::run(argc, argv); }
