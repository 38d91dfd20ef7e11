// bench/mutex/without_fibers.cpp — where Boost.Context is missing.
#include <mutex/contenders.hpp>

#include <stdexcept>

namespace hotseat::bench {

std::vector<std::string> front_names() { return {"coroutines"}; }

mutex_outcome run_on_fibers(std::string_view /*handoff*/, std::string_view /*state*/,
                            const mutex_settings& /*settings*/) {
  throw std::logic_error{"there are no fibers in this build"};
}

}  // namespace hotseat::bench
