// bench/semaphore/command.hpp — tasks that share a few permits.
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_semaphore_command();

}  // namespace hotseat::bench
