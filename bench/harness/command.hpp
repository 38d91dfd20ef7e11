// bench/harness/command.hpp — a subcommand of hotseat-bench.
#pragma once

#include <harness/campaign.hpp>
#include <harness/columns.hpp>
#include <support/command_line.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

/// Of an overview: as few as can tell contenders apart.
inline constexpr unsigned short_repetitions = 4;

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

class command {
 public:
  command() = default;
  virtual ~command() = default;
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string about() const = 0;  ///< One line.
  virtual void declare(CLI::App& app) = 0;
  /// The exit code.  Throws what the user should read, in one line.
  virtual int run() = 0;
  /// Whether it measures something, so that `all` runs it.
  [[nodiscard]] virtual bool is_benchmark() const { return true; }
  /// As `run`, with results in `folder`; and a smaller size, if it should be short.
  virtual int run_for_all(const std::string& /*folder*/, bool /*is_short*/) {
    return run();
  }
};

void declare_sizes(CLI::App& app, common_options& wanted);  // tasks, iterations
void declare_workers(CLI::App& app, common_options& wanted);
void declare_repetitions(CLI::App& app, common_options& wanted);  // and seed, output

/// `--handoffs`: which of ours; all, if none is named.
void declare_handoffs(CLI::App& app, common_options& wanted);
/// `--rivals`: which of those that are present; all, if none is named.
void declare_rivals(CLI::App& app, common_options& wanted,
                    std::vector<std::string> present);

bool is_among(const std::vector<std::string>& names, const std::string& name);

/// "share_of_ideal" of a cell whose first axis is the number of workers: ideal is the score
/// of one thread without a lock, the cell `alone`, times the CPUs that the workers have.
std::vector<std::pair<std::string, double>> share_of_ideal(const campaign& measured,
                                                           const cell& alone,
                                                           const cell& which);

/// Measures, prints, writes: the whole of a command, once the plan is made.  What the
/// columns mean is printed below the table.
int run_campaign(plan wanted, const std::string& output, const std::string& headline,
                 const std::vector<column>& columns, const std::string& legend);

}  // namespace hotseat::bench
