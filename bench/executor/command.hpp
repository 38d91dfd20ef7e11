// bench/executor/command.hpp — what the tasks themselves cost, with no lock to wait for.
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_executor_command();

}  // namespace hotseat::bench
