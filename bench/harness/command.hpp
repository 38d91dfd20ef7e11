// bench/harness/command.hpp — a subcommand of hotseat-bench.
#pragma once

#include <harness/campaign.hpp>
#include <harness/columns.hpp>
#include <harness/option_list.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

class command {
 public:
  command() = default;
  virtual ~command() = default;
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string about() const = 0;  ///< One line.
  virtual void declare(option_list& options) = 0;
  /// Returns the exit code.  Throws an error whose one-line message is for the user; if the
  /// input is at fault, before printing anything.
  virtual int run() = 0;
  /// Whether it measures something, so that `all` runs it.
  [[nodiscard]] virtual bool is_benchmark() const { return true; }
  /// Like `run`, with results in `folder`; and a smaller size, if it should be short.
  virtual int run_for_all(const std::string& /*folder*/, bool /*is_short*/) {
    return run();
  }
};

/// Parses the command line and runs the command it names.  A wrong option prints one line
/// to stderr and returns exit code 2.
int run_commands(const std::vector<std::unique_ptr<command>>& commands, int argc,
                 char** argv);

/// The options that mean the same in all commands.
struct common_options {
  std::size_t tasks = 5000;
  std::uint32_t iterations = 0;  ///< 0: the command chooses.
  std::vector<unsigned> workers{1, 2, 4, 8};
  std::vector<std::string> handoffs;
  std::vector<std::string> rivals;
  unsigned repetitions = 5;
  std::uint64_t seed = 1;
  std::string output;
};

/// A command that measures a plan, prints a table and writes a result file.
class campaign_command : public command {
 public:
  int run() final;
  int run_for_all(const std::string& folder, bool is_short) final;

 protected:
  /// All that `run` needs once the options are known.
  struct assignment {
    plan what;
    std::string headline;
    std::vector<column> columns;
    std::string legend;               ///< What the columns mean.
    std::vector<std::string> absent;  ///< What cannot take part here, and why.
  };

  /// Throws if the options contradict each other.  Prints nothing.
  virtual assignment prepare() = 0;
  /// What must be installed before anything can be measured, in one line; empty if nothing.
  /// `all` goes on without this benchmark then.
  [[nodiscard]] virtual std::string missing() const { return {}; }
  /// What else to reduce for an overview, besides repetitions.
  virtual void shorten() {}

  /// A plan for these axes, with `score` "mops" and `rival` "dispatch".
  [[nodiscard]] plan plan_over(std::vector<axis> axes) const;

  void declare_sizes(option_list& options);  // tasks, iterations
  void declare_workers(option_list& options);
  void declare_repetitions(option_list& options);  // and seed, output
  /// `--handoffs`: which of ours; by default all.
  void declare_handoffs(option_list& options);
  /// `--rivals`: which of the rivals that are present; by default all.
  void declare_rivals(option_list& options, std::vector<std::string> present);

  common_options wanted_;
};

bool is_among(const std::vector<std::string>& names, const std::string& name);

/// "share_of_ideal" of a cell whose first axis is the number of workers.  The ideal is the
/// score of one thread without a lock, the cell `alone`, times the workers' number of CPUs.
std::vector<std::pair<std::string, double>> share_of_ideal(const campaign& measured,
                                                           const cell& alone,
                                                           const cell& which);

}  // namespace hotseat::bench
