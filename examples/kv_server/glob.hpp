// examples/kv_server/glob.hpp — the patterns of KEYS.
#pragma once

#include <string_view>

namespace kv {

/// '*' is any text, '?' any character, "[a-z]" and "[^a-z]" one of a class, and '\' takes
/// the next character as it is.  Takes no more than text × pattern steps, whatever the
/// pattern: a client must not be able to stop the server with "*a*a*a*a*b".
[[nodiscard]] bool matches_glob(std::string_view text, std::string_view pattern) noexcept;

}  // namespace kv
