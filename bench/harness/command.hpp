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
  /// The exit code.  Throws what the user should read, in one line: before it prints
  /// anything, if the input is at fault.
  virtual int run() = 0;
  /// Whether it measures something, so that `all` runs it.
  [[nodiscard]] virtual bool is_benchmark() const { return true; }
  /// As `run`, with results in `folder`; and a smaller size, if it should be short.
  virtual int run_for_all(const std::string& /*folder*/, bool /*is_short*/) {
    return run();
  }
};

/// Parses the command line and runs the command it names.  A wrong option is one line on
/// stderr and exit code 2.
int run_commands(const std::vector<std::unique_ptr<command>>& commands, int argc,
                 char** argv);

/// The options that mean the same wherever they appear.
struct common_options {
  std::size_t tasks = 5000;
  std::uint32_t iterations = 0;  ///< 0: what the command finds right.
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
    std::vector<std::string> absent;  ///< Who cannot take part here, and why.
  };

  /// Throws if the options contradict each other.  Prints nothing.
  virtual assignment prepare() = 0;
  /// What else to leave out for an overview, besides repetitions.
  virtual void shorten() {}

  /// A plan for these axes, with `score` "mops" and `rival` "dispatch".
  [[nodiscard]] plan plan_over(std::vector<axis> axes) const;

  void declare_sizes(option_list& options);  // tasks, iterations
  void declare_workers(option_list& options);
  void declare_repetitions(option_list& options);  // and seed, output
  /// `--handoffs`: which of ours; all, if none is named.
  void declare_handoffs(option_list& options);
  /// `--rivals`: which of those that are present; all, if none is named.
  void declare_rivals(option_list& options, std::vector<std::string> present);

  common_options wanted_;
};

bool is_among(const std::vector<std::string>& names, const std::string& name);

/// "share_of_ideal" of a cell whose first axis is the number of workers: ideal is the score
/// of one thread without a lock, the cell `alone`, times the CPUs that the workers have.
std::vector<std::pair<std::string, double>> share_of_ideal(const campaign& measured,
                                                           const cell& alone,
                                                           const cell& which);

}  // namespace hotseat::bench
