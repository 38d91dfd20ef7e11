// bench/validation/command.hpp — does exchanging keep the sections of a mutex on one
// worker?
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_validation_command();

}  // namespace hotseat::bench
