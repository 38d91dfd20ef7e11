// bench/trace/command.hpp — hotseat-bench trace: who ran where, as files and a picture.
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_trace_command();

}  // namespace hotseat::bench
