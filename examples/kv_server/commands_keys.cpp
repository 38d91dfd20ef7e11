// examples/kv_server/commands_keys.cpp — keys, whatever their values are, and their expiry.
#include "commands.hpp"
#include "glob.hpp"
#include "words.hpp"

#include <array>
#include <optional>
#include <vector>

namespace kv {

namespace {

constexpr milliseconds second = 1000;

void del(store& data, arguments given, reply& out) {
  std::size_t count = 0;
  for (const std::string_view key : given.subspan(1)) count += data.erase(key) ? 1 : 0;
  out.size(count);
}

void exists(store& data, arguments given, reply& out) {
  std::size_t count = 0;
  for (const std::string_view key : given.subspan(1)) count += data.find(key) ? 1 : 0;
  out.size(count);
}

void type(store& data, arguments given, reply& out) {
  constexpr std::array<std::string_view, 5> names{"string", "list", "hash", "set", "zset"};
  static_assert(std::variant_size_v<any_value> == names.size());
  const store::item* const at = data.find(given[1]);
  out.simple(at == nullptr ? "none" : names[at->second.value.index()]);
}

void keys(store& data, arguments given, reply& out) {
  std::vector<std::string_view> matching;
  data.for_each([&](const store::item& at) {
    if (matches_glob(at.first, given[1])) matching.push_back(at.first);
  });
  out.array(matching.size());
  for (const std::string_view each : matching) out.bulk(each);
}

void dbsize(store& data, arguments, reply& out) { out.size(data.size()); }

void flush(store& data, arguments given, reply& out) {
  const bool is_plain = given.size() == 1;
  const bool has_mode =
      given.size() == 2 && (is_word(given[1], "sync") || is_word(given[1], "async"));
  if (!is_plain && !has_mode) return out.syntax_error();
  data.clear();
  out.ok();
}

void expire_in(store& data, arguments given, std::string_view name, milliseconds unit,
               reply& out) {
  if (given.size() > 3) {
    return out.error(std::string{"ERR Unsupported option "}.append(given[3]));
  }
  const std::optional<std::int64_t> amount = to_integer(given[2]);
  if (!amount) return out.not_an_integer();
  const std::optional<milliseconds> when = time_after(data.now(), *amount, unit);
  if (!when) {
    return out.error(
        std::string{"ERR invalid expire time in '"}.append(name).append("' command"));
  }
  store::item* const at = data.find(given[1]);
  if (at == nullptr) return out.yes_or_no(false);
  if (*amount <= 0) {
    data.erase(*at);
  } else {
    data.expire(*at, *when);
  }
  out.yes_or_no(true);
}
void expire(store& data, arguments given, reply& out) {
  expire_in(data, given, "expire", second, out);
}
void pexpire(store& data, arguments given, reply& out) {
  expire_in(data, given, "pexpire", 1, out);
}

/// Rounded to the nearest unit.
void time_left(store& data, arguments given, milliseconds unit, reply& out) {
  const store::item* const at = data.find(given[1]);
  if (at == nullptr) return out.integer(-2);
  if (at->second.expires == store::never) return out.integer(-1);
  const milliseconds left = std::max<milliseconds>(at->second.expires - data.now(), 0);
  out.integer((left + unit / 2) / unit);
}
void ttl(store& data, arguments given, reply& out) { time_left(data, given, second, out); }
void pttl(store& data, arguments given, reply& out) { time_left(data, given, 1, out); }

void persist(store& data, arguments given, reply& out) {
  store::item* const at = data.find(given[1]);
  const bool expires = at != nullptr && at->second.expires != store::never;
  if (expires) data.expire(*at, store::never);
  out.yes_or_no(expires);
}

constexpr std::array table{
    command{"dbsize", 1, dbsize},    command{"del", -2, del},
    command{"exists", -2, exists},   command{"expire", -3, expire},
    command{"flushall", -1, flush},  command{"flushdb", -1, flush},
    command{"keys", 2, keys},        command{"persist", 2, persist},
    command{"pexpire", -3, pexpire}, command{"pttl", 2, pttl},
    command{"ttl", 2, ttl},          command{"type", 2, type},
};

}  // namespace

std::span<const command> key_commands() { return table; }

}  // namespace kv
