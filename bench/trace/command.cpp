// bench/trace/command.cpp — hotseat-bench trace: records three tasks and draws them.
#include <hotseat/core/trace_json.hpp>
#include <hotseat/platform/config.hpp>
#include <program/commands.hpp>
#include <support/handoffs.hpp>
#include <support/machine.hpp>
#include <support/report.hpp>
#include <trace/picture.hpp>
#include <trace/scene.hpp>

#include <fmt/core.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

std::string caption_of(const std::string& handoff) {
  if (handoff == "exchange") return "The next task continues on the worker of the last.";
  if (handoff == "dispatch") return "The next task goes into a queue, and the lock waits.";
  return "The next task runs inside unlock, and the last one waits.";
}

class trace_command final : public command {
 public:
  [[nodiscard]] std::string name() const override { return "trace"; }
  [[nodiscard]] std::string about() const override {
    return "three tasks on three threads, recorded: files for Perfetto, and a picture";
  }
  [[nodiscard]] bool is_benchmark() const override { return false; }

  void declare(option_list& options) override {
    options.text("--output", folder_, "folder for the files; made if it is not there");
    options.words("--handoffs", handoffs_, "what unlock does with the heir", handoff_names);
    options.number("--section-ms", section_ms_, "length of a section", 0.1, 1000.0);
  }

  int run() override {
    if constexpr (!config::records_traces) {
      throw std::runtime_error{"built without the recorder (HOTSEAT_WITH_TRACE)"};
    }
    require_folder(folder_);
    std::vector<panel> panels;
    for (const std::string& each : handoffs_) {
      trace::timeline played = play_scene(each, section_ms_);
      write(each + ".json", [&](std::ostream& to) { trace::write_json(to, played); });
      panels.push_back({each, caption_of(each), std::move(played)});
    }
    const nlohmann::json machine = to_json_value(machine_);
    write("timelines.svg", [&](std::ostream& to) { to << draw(panels, footer(machine)); });
    nlohmann::json cells = nlohmann::json::array();
    for (const panel& each : panels) {
      const idle_lock idle = idle_lock_of(each.what);
      cells.push_back({{"contender", each.title},
                       {"done_ms", end_of(each.what) / 1000},
                       {"idle_ms", idle.microseconds / 1000},
                       {"hand_overs", idle.hand_overs}});
      fmt::print(
          "{:14} done after {:6.2f} ms; nobody inside for {:5.2f} ms of it, in {} "
          "hand-overs\n",
          each.title, end_of(each.what) / 1000, idle.microseconds / 1000, idle.hand_overs);
    }
    const nlohmann::json report{{"benchmark", name()},
                                {"machine", machine},
                                {"settings", {{"section_ms", section_ms_}}},
                                {"cells", std::move(cells)}};
    write_report(folder_ + "/timelines.json", report);
    fmt::print("{}/timelines.json\n", folder_);
    fmt::print(
        "open the other .json files in https://ui.perfetto.dev or chrome://tracing\n");
    return 0;
  }

 private:
  template <class Write>
  void write(const std::string& name, Write&& how) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream file{path};
    how(file);
    file.flush();
    if (!file) throw std::runtime_error{fmt::format("cannot write {}", path)};
    fmt::print("{}\n", path);
  }

  static std::vector<std::string> footer(const nlohmann::json& machine) {
    const auto fact = [&](const char* of) { return machine.at(of).get<std::string>(); };
    return {
        "Hatched: inside the section. Dashed: the lock has been handed over, but nobody is "
        "inside yet. Grey: other tasks.",
        fmt::format("{}, {} CPUs, {}, commit {}, {}", fact("cpu"),
                    machine.at("cpus").get<unsigned>(), fact("compiler"), fact("commit"),
                    fact("started"))};
  }

  const machine_facts machine_;

  std::string folder_ = "trace";
  std::vector<std::string> handoffs_{"dispatch", "resume_inline", "exchange"};
  double section_ms_ = 2;
};

}  // namespace

command_pointer make_trace_command() { return std::make_unique<trace_command>(); }

}  // namespace hotseat::bench
