// bench/channel/command.hpp — how many values pass through a channel?
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_channel_command();

}  // namespace hotseat::bench
