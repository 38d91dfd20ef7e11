// bench/server/client_report.cpp — reading redis-benchmark's table of percentiles.
#include <server/client_report.hpp>

#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace hotseat::bench {

client_report parse_client_report(const std::string& text) {
  client_report said;
  bool is_in_table = false;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    if (const auto progress = line.rfind('\r'); progress != std::string::npos) {
      line.erase(0, progress + 1);
    }
    unsigned long long requests = 0;
    double percent = 0;
    double milliseconds = 0;
    if (line.find("requests completed in") != std::string::npos &&
        std::sscanf(line.c_str(), "%llu", &requests) == 1) {
      said.requests = requests;
    } else if (line.rfind("Latency by percentile", 0) == 0) {
      is_in_table = true;
    } else if (is_in_table && std::sscanf(line.c_str(), "%lf%% <= %lf milliseconds",
                                          &percent, &milliseconds) == 2) {
      // Rising: the first line that reaches the percentile has it.
      const auto note = [&](double least, double& into) {
        if (into == 0 && percent >= least) into = 1000 * milliseconds;
      };
      note(50, said.p50_us);
      note(99, said.p99_us);
      note(99.9, said.p999_us);
    } else {
      is_in_table = false;
      std::sscanf(line.c_str(), " throughput summary: %lf", &said.requests_per_second);
    }
  }
  if (said.requests == 0 || said.requests_per_second == 0 || said.p999_us == 0) {
    throw std::runtime_error{"redis-benchmark did not report what was expected"};
  }
  return said;
}

}  // namespace hotseat::bench
