// examples/kv_server/store.cpp — keys, and when they expire.
#include "store.hpp"

#include <chrono>

namespace kv {

milliseconds steady_milliseconds() noexcept {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

store::item* store::find(std::string_view key) {
  const auto at = items_.find(key);
  if (at == items_.end()) return nullptr;
  if (is_expired(*at)) {
    erase(*at);
    return nullptr;
  }
  return &*at;
}

store::item& store::insert(std::string_view key, any_value what) {
  return *items_.try_emplace(std::string{key}, entry{std::move(what)}).first;
}

store::item& store::put(std::string_view key, std::string_view text) {
  item* const at = find(key);
  if (at == nullptr) return insert(key, std::string{text});
  if (auto* const old = std::get_if<std::string>(&at->second.value)) {
    replace(*old, text);
  } else {
    at->second.value = std::string{text};
  }
  expire(*at, never);
  return *at;
}

bool store::erase(std::string_view key) {
  item* const at = find(key);
  if (at == nullptr) return false;
  erase(*at);
  return true;
}

void store::erase(item& which) {
  expire(which, never);
  items_.erase(items_.find(which.first));
}

void store::clear() noexcept {
  expiring_.clear();
  items_.clear();
}

void store::expire(item& which, milliseconds when) {
  const milliseconds before = which.second.expires;
  if (when == before) return;
  if (when != never) expiring_.emplace(when, which.first);
  if (before != never) expiring_.erase({before, which.first});
  which.second.expires = when;
}

void store::purge() {
  if (expiring_.empty()) return;
  const milliseconds present = now();
  for (int i = 0; i < most_purged && !expiring_.empty(); ++i) {
    const auto& [when, key] = *expiring_.begin();
    if (when > present) return;
    erase(*items_.find(key));
  }
}

}  // namespace kv
