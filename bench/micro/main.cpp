// bench/micro/main.cpp — small things one by one, with Google Benchmark.
#include <support/build_facts.hpp>

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  using namespace hotseat::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("compiler", build_facts::compiler);
  benchmark::AddCustomContext("flags", build_facts::flags);
  benchmark::AddCustomContext("commit", build_facts::commit);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
