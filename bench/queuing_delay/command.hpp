// bench/queuing_delay/command.hpp — how long a lock stays unused, and how long tasks wait.
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_queuing_delay_command();

}  // namespace hotseat::bench
