// bench/trace/command.cpp — hotseat-bench trace: plays the paper's scene of three tasks on
// three threads, records it and draws it.  Read next: picture.hpp.
#include <hotseat/hotseat.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/trace/json.hpp>
#include <hotseat/trace/recording.hpp>
#include <hotseat/trace/timeline.hpp>
#include <program/commands.hpp>
#include <support/handoffs.hpp>
#include <support/machine.hpp>
#include <support/report.hpp>
#include <trace/picture.hpp>

#include <fmt/core.h>

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

using milliseconds = std::chrono::duration<double, std::milli>;

constexpr unsigned workers = 3;
constexpr int rounds = 2;

/// Durations of the parts, in lengths of a section.
constexpr std::array<double, 3> first_parts{0.5, 0.8, 1.1};
constexpr double last_part = 1.2;
constexpr double work_of_others = 0.7;
constexpr double rest_of_others = 0.5;

void occupy(milliseconds time) { std::this_thread::sleep_for(time); }

template <class Mutex>
struct stage {
  Mutex mutex;
  milliseconds unit;
  std::atomic<unsigned> playing{3};
};

template <class Mutex>
task<> play(stage<Mutex>& on, const char* name, double first_part) {
  for (int round = 0; round < rounds; ++round) {
    trace::name_task(name);  // Each time: the first may run in the frame of its awaiter.
    occupy(first_part * on.unit);
    co_await on.mutex.lock();
    trace::name_task(name);
    occupy(on.unit);
    co_await on.mutex.unlock();
    trace::name_task(name);
    occupy(last_part * on.unit);
  }
  --on.playing;
}

template <class Mutex>
task<> disturb(stage<Mutex>& on) {
  while (on.playing != 0) {
    trace::name_task(other_name);
    occupy(work_of_others * on.unit);
    co_await sleep_for(
        std::chrono::duration_cast<std::chrono::nanoseconds>(rest_of_others * on.unit));
  }
}

/// Three tasks, each twice: a parallel part, a section behind one mutex, a parallel part.
/// Two others come and go and take a worker each time, as in a program that has more to do.
///
/// A task occupies its worker by letting it sleep: so three threads run at the same time
/// even on a machine with fewer CPUs.  Everything else is real: pool, lock, recorder.
///
/// Records it with that hand-off.
trace::timeline play_scene(const std::string& handoff, double milliseconds_of_a_section) {
  with_mutex_named(handoff, state_names.front(), [&]<class Mutex>() {
    thread_pool pool{thread_pool_options{.threads = workers}};
    stage<Mutex> on{.mutex = {}, .unit = milliseconds{milliseconds_of_a_section}};
    occupy(milliseconds{
        5});  // Until the workers sleep: only then do all of them share the forks.
    std::vector<task<>> all;
    // The worker that forks the tasks takes the first; thieves take the last.
    all.push_back(play(on, "T1", first_parts[0]));
    for (int i = 0; i < 2; ++i) all.push_back(disturb(on));
    all.push_back(play(on, "T2", first_parts[1]));
    all.push_back(play(on, "T3", first_parts[2]));
    trace::start();
    sync_wait(pool, when_all(std::move(all)));
    return 0;
  });
  return trace::timeline_of(trace::stop());
}

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
          "{:14} done after {:6.2f} ms; lock idle for {:5.2f} ms of it, in {} hand-overs\n",
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
        "Hatched: inside the section. Dashed: the lock has been handed over, but no task "
        "is "
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
