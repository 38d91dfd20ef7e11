// bench/mutex/command.hpp — the mutex benchmark, over workers or over lengths of the
// section.
#pragma once

#include <harness/command.hpp>

#include <memory>

namespace hotseat::bench {

std::unique_ptr<command> make_mutex_command();
std::unique_ptr<command> make_section_length_command();
std::unique_ptr<command> make_fiber_command();

}  // namespace hotseat::bench
