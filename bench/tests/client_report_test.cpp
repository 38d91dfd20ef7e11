// bench/tests/client_report_test.cpp — what redis-benchmark 7 prints.
#include <gtest/gtest.h>

#include <server/client_report.hpp>

#include <stdexcept>

namespace hotseat::bench {
namespace {

constexpr const char* whole =
    "GET: rps=0.0 (overall: -nan) avg_msec=-nan\r      \r====== GET ======\n"
    "  20000 requests completed in 0.02 seconds\n"
    "  50 parallel clients\n"
    "\n"
    "Latency by percentile distribution:\n"
    "0.000% <= 0.263 milliseconds (cumulative count 32)\n"
    "50.000% <= 0.463 milliseconds (cumulative count 10176)\n"
    "98.438% <= 2.023 milliseconds (cumulative count 19712)\n"
    "99.219% <= 2.071 milliseconds (cumulative count 19872)\n"
    "99.902% <= 2.167 milliseconds (cumulative count 19984)\n"
    "100.000% <= 2.175 milliseconds (cumulative count 20000)\n"
    "\n"
    "Cumulative distribution of latencies:\n"
    "99.760% <= 9.103 milliseconds (cumulative count 19952)\n"
    "\n"
    "Summary:\n"
    "  throughput summary: 1052631.62 requests per second\n"
    "  latency summary (msec):\n"
    "          avg       min       p50       p95       p99       max\n"
    "        0.599     0.256     0.463     1.647     2.055     2.175\n";

TEST(ClientReport, the_percentiles_are_those_of_the_first_table) {
  const client_report said = parse_client_report(whole);
  EXPECT_EQ(said.requests, 20000U);
  EXPECT_DOUBLE_EQ(said.requests_per_second, 1052631.62);
  EXPECT_DOUBLE_EQ(said.p50_us, 463);
  EXPECT_DOUBLE_EQ(said.p99_us, 2071);
  EXPECT_DOUBLE_EQ(said.p999_us, 2167);
}

TEST(ClientReport, one_latency_for_all) {
  const client_report said = parse_client_report(
      "  1 requests completed in 0.00 seconds\n"
      "Latency by percentile distribution:\n"
      "100.000% <= 0.111 milliseconds (cumulative count 1)\n"
      "  throughput summary: 1000.00 requests per second\n");
  EXPECT_DOUBLE_EQ(said.p50_us, 111);
  EXPECT_DOUBLE_EQ(said.p999_us, 111);
}

TEST(ClientReport, an_error_is_no_report) {
  EXPECT_THROW(parse_client_report(""), std::runtime_error);
  EXPECT_THROW(parse_client_report("Could not connect to server\n"), std::runtime_error);
}

}  // namespace
}  // namespace hotseat::bench
