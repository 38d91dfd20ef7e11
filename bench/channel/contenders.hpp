// bench/channel/contenders.hpp — who takes part in the channel benchmark.
#pragma once

#include <channel/workload.hpp>

#include <string_view>

namespace hotseat::bench {

/// Tasks on a pool; `batch` values are taken at once with receive_many, or one with
/// receive.
channel_outcome channel_on_pool(std::string_view handoff, std::size_t batch,
                                const channel_settings& settings);

/// One thread for each sender and receiver; a queue behind std::mutex and two
/// std::condition_variables.
channel_outcome channel_on_threads(const channel_settings& settings);

/// boost::fibers::buffered_channel, or the unbuffered one for capacity 0: fibers spread
/// over as many threads as there are workers.  In boost_fiber.cpp; throws if Boost was not
/// found.
channel_outcome channel_on_boost_fibers(const channel_settings& settings);

}  // namespace hotseat::bench
