// examples/kv_server/text_map.hpp — hash tables that look up a string_view.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace kv {

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};

template <class T>
using text_map = std::unordered_map<std::string, T, text_hash, std::equal_to<>>;
using text_set = std::unordered_set<std::string, text_hash, std::equal_to<>>;

/// In its present memory, unless that is far too much.
inline void replace(std::string& old, std::string_view text) {
  if (text.size() <= old.capacity() && text.size() >= old.capacity() / 4) {
    old.assign(text);
  } else {
    std::string fresh{text};
    old.swap(fresh);
  }
}

/// What C++23 calls erase.
template <class Table>
bool erase_text(Table& from, std::string_view key) {
  const auto at = from.find(key);
  if (at == from.end()) return false;
  from.erase(at);
  return true;
}

}  // namespace kv
