// bench/mutex/contenders.hpp — who takes part in the mutex benchmark.
#pragma once

#include <mutex/workload.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hotseat::bench {

/// What tasks can be in this build: coroutines, and fibers where Boost.Context is.
[[nodiscard]] std::vector<std::string> front_names();

/// As many fibers as the settings say, on a pool.
mutex_outcome run_on_fibers(std::string_view handoff, std::string_view state,
                            const mutex_settings& settings);

/// As many tasks as the settings say, on a pool.
mutex_outcome run_on_pool(std::string_view handoff, std::string_view state,
                          const mutex_settings& settings);

/// The same number of iterations by one thread, without a lock.
mutex_outcome run_on_one_thread(const mutex_settings& settings);

/// The same number of iterations by as many threads as the settings have workers, with
/// std::mutex.
mutex_outcome run_on_threads(const mutex_settings& settings);

}  // namespace hotseat::bench
