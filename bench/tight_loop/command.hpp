// bench/tight_loop/command.hpp — where exchanging pays: section x parallel part x workers.
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_tight_loop_command();

}  // namespace hotseat::bench
