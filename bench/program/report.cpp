// bench/program/report.cpp — runs bench/report, which CMake puts beside this program.
#include <companions/companion.hpp>
#include <program/commands.hpp>
#include <support/files.hpp>

#include <fmt/core.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace hotseat::bench {

namespace {

class report_command final : public command {
 public:
  [[nodiscard]] std::string name() const override { return "report"; }
  [[nodiscard]] std::string about() const override {
    return "one HTML page of a folder of results: the paper's figures, measured and "
           "simulated";
  }

  void declare(option_list& options) override {
    options.required("RESULTS", folder_, "folder of result files, as `all` writes it");
    options.text("--output", output_, "file for the page");
    options.text("--simulated", simulated_,
                 "folder of simulated results, for what RESULTS has none of; by default "
                 "those that came with the program");
    options.footer("Needs python3, and nothing else.");
  }

  [[nodiscard]] bool is_benchmark() const override { return false; }

  int run() override {
    const std::filesystem::path program =
        find_companion({"report.py", {"report"}, "bench/report to be copied there"});
    for (const std::string& folder : {folder_, simulated_}) {
      if (!folder.empty() && !std::filesystem::is_directory(folder)) {
        throw std::runtime_error{fmt::format("{} is not a folder", folder)};
      }
    }
    require_writable(output_);
    std::vector<std::string> arguments{folder_, "--output", output_};
    if (!simulated_.empty()) {
      arguments.insert(arguments.end(), {"--simulated", simulated_});
    }
    return run_companion(program, arguments);
  }

 private:
  std::string folder_;
  std::string output_ = "report.html";
  std::string simulated_;
};

}  // namespace

command_pointer make_report_command() { return std::make_unique<report_command>(); }

}  // namespace hotseat::bench
