// bench/program/report.hpp — a folder of result files as one page.
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_report_command();

}  // namespace hotseat::bench
