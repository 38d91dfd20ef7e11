// bench/shared_mutex/command.hpp — the paper's reader-writer benchmark (section 6.2).
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_shared_mutex_command();

}  // namespace hotseat::bench
