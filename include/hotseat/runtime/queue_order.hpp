// hotseat/runtime/queue_order.hpp — from which end a worker takes its own tasks.
// Layer: runtime.
#pragma once

#include <cstdint>

namespace hotseat {

/// fifo: the task that became ready first runs first; fair.
/// lifo: the task that became ready last runs first; warm, but it may starve the others.
enum class queue_order : std::uint8_t { fifo, lifo };

}  // namespace hotseat
