// examples/kv_server/store.hpp — keys, values of five types, and when they expire.
// Knows neither locks nor threads.
#pragma once

#include "sorted_set.hpp"
#include "text_map.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace kv {

using list = std::deque<std::string>;
using hash = text_map<std::string>;

/// Of a clock that only goes forward.
using milliseconds = std::int64_t;
[[nodiscard]] milliseconds steady_milliseconds() noexcept;

using any_value = std::variant<std::string, list, hash, text_set, sorted_set>;

/// A key's value as a T.
template <class T>
struct lookup {
  T* value = nullptr;  ///< null if there is none, or one of another type
  bool is_of_other_type = false;
};

/// A key has a value, and perhaps a time at which it expires.  An expired key is not found;
/// its memory is given back by whatever looks at it, and by `purge`.
class store {
 public:
  static constexpr milliseconds never = std::numeric_limits<milliseconds>::max();

  struct entry {
    any_value value;
    milliseconds expires = never;
  };
  using item = std::pair<const std::string, entry>;

  explicit store(milliseconds (*clock)() = &steady_milliseconds) noexcept : clock_{clock} {}

  /// Of one string.
  [[nodiscard]] std::size_t most_value() const noexcept { return most_value_; }
  void set_most_value(std::size_t bytes) noexcept { most_value_ = bytes; }

  [[nodiscard]] milliseconds now() const noexcept { return clock_(); }

  /// Null if there is none.
  [[nodiscard]] item* find(std::string_view key);
  template <class T>
  [[nodiscard]] lookup<T> find_as(std::string_view key) {
    item* const at = find(key);
    return at == nullptr ? lookup<T>{} : as<T>(*at);
  }
  /// Makes an empty one if there is none.  A list, hash or set that stays empty must be
  /// erased.
  template <class T>
  [[nodiscard]] lookup<T> make_as(std::string_view key) {
    item* const at = find(key);
    return as<T>(at != nullptr ? *at : insert(key, T{}));
  }
  /// Replaces whatever there is; keeps neither its type nor its expiry.
  item& put(std::string_view key, std::string_view text);

  bool erase(std::string_view key);
  void erase(item& which);
  void clear() noexcept;

  /// Expired keys that nobody has looked at since are counted, too.
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  [[nodiscard]] std::size_t size_expiring() const noexcept { return expiring_.size(); }

  void expire(item& which, milliseconds when);
  [[nodiscard]] bool is_expired(const item& which) const noexcept {
    return which.second.expires != never && which.second.expires <= now();
  }
  /// Erases keys that have expired, but so few that nobody waits for it.
  void purge();

  template <class F>
  void for_each(F each) const {
    for (const item& at : items_) {
      if (!is_expired(at)) each(at);
    }
  }

 private:
  static constexpr int most_purged = 16;

  template <class T>
  static lookup<T> as(item& at) noexcept {
    T* const is = std::get_if<T>(&at.second.value);
    return {is, is == nullptr};
  }
  item& insert(std::string_view key, any_value what);

  milliseconds (*clock_)();
  std::size_t most_value_ = std::size_t{8} << 20;
  text_map<entry> items_;
  /// The keys lie in items_, whose nodes stay where they are.
  std::set<std::pair<milliseconds, std::string_view>> expiring_;
};

}  // namespace kv
