// bench/server/command.cpp — hotseat-bench server: a key-value server under
// redis-benchmark.
#include <companions/companion.hpp>
#include <program/commands.hpp>
#include <server/client_report.hpp>
#include <server/process.hpp>
#include <support/machine.hpp>
#include <support/timing.hpp>

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

/// The name here, and that of the form in bench_server; redis-server has none.
struct contender {
  std::string name;
  std::string form;
};

const std::vector<contender> contenders{
    {"exchange", "exchange"},
    {"with_lock", "with_lock"},
    {"dispatch", "dispatch"},
    {"resume_inline", "resume_inline"},
    {"asio std::mutex", "asio_mutex"},
    {"asio strand", "asio_strand"},
    {"asio context per thread", "asio_contexts"},
    {"asio hotseat::mutex", "asio_hotseat"},
    {"redis-server", ""},
};
const std::string baseline = "asio std::mutex";

/// What the client asks for.
struct load {
  std::string name;
  std::vector<std::string> arguments;
  std::uint64_t share = 1;  ///< one request in so many of those of a light load
};

const std::vector<load> loads{
    {"get", {"-t", "get"}},
    {"set", {"-t", "set"}},
    {"incr", {"-t", "incr"}},
    {"lpush", {"-t", "lpush"}},
    {"5 us inside", {"WORK", "5", "5"}, 3},
    {"20 us inside", {"WORK", "20", "5"}, 10},
};

const companion server_program{"bench_server", {"."}, "libasio-dev and libcli11-dev"};

std::vector<std::string> names_of(const auto& all) {
  std::vector<std::string> names;
  for (const auto& each : all) names.push_back(each.name);
  return names;
}

const auto& find(const auto& all, const std::string& name) {
  for (const auto& each : all) {
    if (each.name == name) return each;
  }
  throw std::out_of_range{name};
}

/// A server that has just been started, and answers.
struct running_server {
  running_server(const contender& which, unsigned threads)
      : program{command_of(which, threads)} {
    if (!which.form.empty()) {
      port = static_cast<unsigned>(std::stoul(program.read_line()));
    } else {
      await_listener(port);
    }
  }

  std::vector<std::string> command_of(const contender& which, unsigned threads) {
    if (!which.form.empty()) {
      return {find_companion(server_program).string(), "--form", which.form, "--threads",
              std::to_string(threads)};
    }
    port = free_port();
    return {"redis-server", "--port", std::to_string(port), "--bind", "127.0.0.1",
            "--save",       "",       "--appendonly",       "no"};
  }

  unsigned port = 0;
  process program;
};

class server_command final : public campaign_command {
 public:
  [[nodiscard]] std::string name() const override { return "server"; }
  [[nodiscard]] std::string about() const override {
    return "a key-value server under redis-benchmark: ours, Asio's forms, redis-server";
  }

  void declare(option_list& options) override {
    wanted_.workers = {2};
    options.numbers("--workers", wanted_.workers, "threads of the server", 1, 256);
    options.numbers("--heavy-workers", heavy_workers_,
                    "the same for loads with work inside the lock", 1, 256);
    options.numbers("--clients", clients_, "connections", 1, 10'000);
    options.numbers("--pipeline", pipeline_, "requests sent at once", 1, 1000);
    options.words("--loads", loads_, "what the client asks for", names_of(loads));
    options.words("--forms", forms_, "which servers", names_of(contenders));
    options.number("--requests", requests_, "of a run with a light load", 1, 100'000'000);
    declare_repetitions(options);
  }

  [[nodiscard]] std::string missing() const override {
    try {
      static_cast<void>(find_companion(server_program));
    } catch (const std::runtime_error& absent) {
      return absent.what();
    }
    if (is_installed("redis-benchmark")) return {};
    return "redis-benchmark, which is the client, is not installed: it needs redis-tools";
  }

  assignment prepare() override {
    std::vector<std::string> absent;
    if (is_among(forms_, "redis-server") && !is_installed("redis-server")) {
      absent.emplace_back("redis-server: not installed (redis-server)");
      std::erase(forms_, "redis-server");
    }
    plan all = plan_over({{"load", "load", "", names_of(loads)},
                          {"workers", "threads", ""},
                          {"clients", "clients", ""},
                          {"pipeline", "pipeline", ""}});
    all.settings = {{"requests", requests_}};
    all.score = "kops";
    all.rival = baseline;
    all.run = [this](const cell& which, std::uint64_t) { return run_once(which); };
    for (const std::string& asked : loads_) add_cells(all, asked);
    return {std::move(all),
            fmt::format("redis-benchmark, {} requests of a light load", requests_),
            {median_of("kops", "k/s", 1), ratio_to_rival(baseline),
             median_of("cpu_us", "CPU us", 2), median_of("p50_us", "p50", 0),
             median_of("p99_us", "p99", 0), median_of("p999_us", "p99.9", 0),
             percent_of("foreign_load", "others")},
            "k/s: thousand requests a second.  CPU us: of the server, for each request.\n"
            "p50, p99, p99.9: microseconds until a request is answered.",
            std::move(absent)};
  }

 private:
  void shorten() override {
    clients_ = {50};
    loads_ = {"get", "20 us inside"};
    requests_ = 50'000;
  }

  void add_cells(plan& all, const std::string& asked) const {
    const load& what = find(loads, asked);
    const auto index = static_cast<double>(&what - loads.data());
    const bool is_heavy = what.share != 1;
    for (const unsigned workers : is_heavy ? heavy_workers_ : wanted_.workers) {
      for (const unsigned clients : clients_) {
        for (const unsigned pipeline : pipeline_) {
          if (is_heavy && pipeline != pipeline_.front()) continue;
          for (const std::string& form : forms_) {
            // A WORK is ours alone, and a thread has nobody to wait for.
            if (is_heavy && form == "redis-server") continue;
            all.cells.push_back(
                {form,
                 {index, static_cast<double>(workers), static_cast<double>(clients),
                  static_cast<double>(pipeline)}});
          }
        }
      }
    }
  }

  [[nodiscard]] measurement run_once(const cell& which) const {
    const load& what = loads.at(static_cast<std::size_t>(which.at[0]));
    const auto clients = static_cast<std::uint64_t>(which.at[2]);
    const auto pipeline = static_cast<std::uint64_t>(which.at[3]);
    const std::uint64_t requests = requests_ / what.share * (pipeline > 1 ? 4 : 1);
    const foreign_load others;
    client_report said;
    double cpu = 0;
    {
      running_server server{find(contenders, which.contender),
                            static_cast<unsigned>(which.at[1])};
      static_cast<void>(ask(server, clients, 1, 20 * clients, {"-t", "set"}));  // Warm.
      const double before = server.program.cpu_seconds();
      said = ask(server, clients, pipeline, requests, what.arguments);
      cpu = server.program.cpu_seconds() - before;
      if (!server.program.terminate()) {
        throw std::runtime_error{which.contender + " did not end well"};
      }
    }
    return {{{"kops", said.requests_per_second / 1000},
             {"cpu_us", 1e6 * cpu / static_cast<double>(requests)},
             {"p50_us", said.p50_us},
             {"p99_us", said.p99_us},
             {"p999_us", said.p999_us},
             {"foreign_load", others.share()}}};
  }

  static client_report ask(const running_server& server, std::uint64_t clients,
                           std::uint64_t pipeline, std::uint64_t requests,
                           const std::vector<std::string>& what) {
    std::vector<std::string> command{
        "redis-benchmark",        "-p", std::to_string(server.port), "-n",
        std::to_string(requests), "-c", std::to_string(clients),     "-P",
        std::to_string(pipeline)};
    command.insert(command.end(), what.begin(), what.end());
    process client{std::move(command)};
    const std::string text = client.read_all();
    client.wait();
    const client_report said = parse_client_report(text);
    if (said.requests != requests) {
      throw std::runtime_error{"wrong result: not as many replies as requests"};
    }
    return said;
  }

  std::vector<unsigned> heavy_workers_{2, 8};
  std::vector<unsigned> clients_{50, 200};
  std::vector<unsigned> pipeline_{1, 16};
  std::vector<std::string> loads_ = names_of(loads);
  std::vector<std::string> forms_ = names_of(contenders);
  std::uint64_t requests_ = 100'000;
};

}  // namespace

command_pointer make_server_command() { return std::make_unique<server_command>(); }

}  // namespace hotseat::bench
