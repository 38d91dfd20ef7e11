// bench/server/client_report.hpp — what redis-benchmark says at its end.
#pragma once

#include <cstdint>
#include <string>

namespace hotseat::bench {

struct client_report {
  std::uint64_t requests = 0;  ///< completed
  double requests_per_second = 0;
  double p50_us = 0;
  double p99_us = 0;
  double p999_us = 0;
};

/// Throws if the text is not a report of one test.
client_report parse_client_report(const std::string& text);

}  // namespace hotseat::bench
