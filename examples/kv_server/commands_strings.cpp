// examples/kv_server/commands_strings.cpp — SET, GET, INCR and their like.
#include "commands.hpp"
#include "words.hpp"

#include <array>
#include <optional>
#include <utility>

namespace kv {

namespace {

constexpr milliseconds second = 1000;

struct set_options {
  bool only_if_absent = false;
  bool only_if_present = false;
  bool yields_old = false;
  bool keeps_expiry = false;
  milliseconds unit = 0;  ///< of `time`; 0: the value does not expire
  std::string_view time = {};
};

/// Empty if the words contradict each other.
std::optional<set_options> read_set_options(arguments words) {
  set_options wanted;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool has_time = wanted.unit != 0;
    const bool has_next = i + 1 < words.size();
    if (is_word(word, "nx") && !wanted.only_if_present) {
      wanted.only_if_absent = true;
    } else if (is_word(word, "xx") && !wanted.only_if_absent) {
      wanted.only_if_present = true;
    } else if (is_word(word, "get")) {
      wanted.yields_old = true;
    } else if (is_word(word, "keepttl") && !has_time) {
      wanted.keeps_expiry = true;
    } else if ((is_word(word, "ex") || is_word(word, "px")) && !has_time && has_next &&
               !wanted.keeps_expiry) {
      wanted.unit = is_word(word, "ex") ? second : 1;
      wanted.time = words[++i];
    } else {
      return std::nullopt;
    }
  }
  return wanted;
}

/// When a value expires that is set now; empty, and an error is replied, if that is no
/// time.
std::optional<milliseconds> expiry_of(store& data, std::string_view command,
                                      std::string_view time, milliseconds unit,
                                      reply& out) {
  const std::optional<std::int64_t> amount = to_integer(time);
  if (!amount) {
    out.not_an_integer();
    return std::nullopt;
  }
  const std::optional<milliseconds> when = time_after(data.now(), *amount, unit);
  if (!when || *amount <= 0) {
    out.error(
        std::string{"ERR invalid expire time in '"}.append(command).append("' command"));
    return std::nullopt;
  }
  return when;
}

void reply_text(const std::string* text, reply& out) {
  if (text == nullptr) return out.null();
  out.bulk(*text);
}

void set(store& data, arguments given, reply& out) {
  const std::optional<set_options> wanted = read_set_options(given.subspan(3));
  if (!wanted) return out.syntax_error();
  milliseconds expires = store::never;
  if (wanted->unit != 0) {
    const auto when = expiry_of(data, "set", wanted->time, wanted->unit, out);
    if (!when) return;
    expires = *when;
  }
  store::item* const old = data.find(given[1]);
  if (wanted->yields_old) {
    const auto* const text =
        old == nullptr ? nullptr : std::get_if<std::string>(&old->second.value);
    if (old != nullptr && text == nullptr) return out.wrong_type();
    reply_text(text, out);
  }
  const bool may_set = old == nullptr ? !wanted->only_if_present : !wanted->only_if_absent;
  if (may_set) {
    if (wanted->keeps_expiry && old != nullptr) expires = old->second.expires;
    store::item& made = data.put(given[1], given[2]);
    data.expire(made, expires);
  }
  if (wanted->yields_old) return;
  if (may_set) return out.ok();
  out.null();
}

void setnx(store& data, arguments given, reply& out) {
  const bool is_absent = data.find(given[1]) == nullptr;
  if (is_absent) data.put(given[1], given[2]);
  out.yes_or_no(is_absent);
}

void set_for(store& data, arguments given, std::string_view name, milliseconds unit,
             reply& out) {
  const auto when = expiry_of(data, name, given[2], unit, out);
  if (!when) return;
  data.expire(data.put(given[1], given[3]), *when);
  out.ok();
}
void setex(store& data, arguments given, reply& out) {
  set_for(data, given, "setex", second, out);
}
void psetex(store& data, arguments given, reply& out) {
  set_for(data, given, "psetex", 1, out);
}

void get(store& data, arguments given, reply& out) {
  const auto text = data.find_as<std::string>(given[1]);
  if (text.is_of_other_type) return out.wrong_type();
  reply_text(text.value, out);
}

void getset(store& data, arguments given, reply& out) {
  const auto text = data.find_as<std::string>(given[1]);
  if (text.is_of_other_type) return out.wrong_type();
  reply_text(text.value, out);
  data.put(given[1], given[2]);
}

void getdel(store& data, arguments given, reply& out) {
  const auto text = data.find_as<std::string>(given[1]);
  if (text.is_of_other_type) return out.wrong_type();
  reply_text(text.value, out);
  data.erase(given[1]);
}

void strlen(store& data, arguments given, reply& out) {
  const auto text = data.find_as<std::string>(given[1]);
  if (text.is_of_other_type) return out.wrong_type();
  out.size(text.value == nullptr ? 0 : text.value->size());
}

void mget(store& data, arguments given, reply& out) {
  out.array(given.size() - 1);
  for (const std::string_view key : given.subspan(1)) {
    reply_text(data.find_as<std::string>(key).value, out);
  }
}

void mset(store& data, arguments given, reply& out) {
  if (given.size() % 2 == 0) return out.wrong_arity("mset");
  for (std::size_t i = 1; i < given.size(); i += 2) data.put(given[i], given[i + 1]);
  out.ok();
}

void add(store& data, std::string_view key, std::int64_t change, reply& out) {
  const auto text = data.find_as<std::string>(key);
  if (text.is_of_other_type) return out.wrong_type();
  const std::optional<std::int64_t> old =
      text.value == nullptr ? std::optional<std::int64_t>{0} : to_integer(*text.value);
  if (!old) return out.not_an_integer();
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*old, change, &sum)) {
    return out.error("ERR increment or decrement would overflow");
  }
  const number_text written{sum};
  if (text.value != nullptr) {
    text.value->assign(written.view());
  } else {
    data.put(key, written.view());
  }
  out.integer(sum);
}

void incr(store& data, arguments given, reply& out) { add(data, given[1], 1, out); }
void decr(store& data, arguments given, reply& out) { add(data, given[1], -1, out); }

void incrby(store& data, arguments given, reply& out) {
  const std::optional<std::int64_t> change = to_integer(given[2]);
  if (!change) return out.not_an_integer();
  add(data, given[1], *change, out);
}

void decrby(store& data, arguments given, reply& out) {
  const std::optional<std::int64_t> change = to_integer(given[2]);
  if (!change) return out.not_an_integer();
  if (*change == std::numeric_limits<std::int64_t>::min()) {
    return out.error("ERR decrement would overflow");
  }
  add(data, given[1], -*change, out);
}

void append(store& data, arguments given, reply& out) {
  const auto text = data.make_as<std::string>(given[1]);
  if (text.is_of_other_type) return out.wrong_type();
  if (text.value->size() + given[2].size() > data.most_value()) {
    return out.error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  }
  text.value->append(given[2]);
  out.size(text.value->size());
}

constexpr std::array table{
    command{"append", 3, append}, command{"decr", 2, decr},
    command{"decrby", 3, decrby}, command{"get", 2, get},
    command{"getdel", 2, getdel}, command{"getset", 3, getset},
    command{"incr", 2, incr},     command{"incrby", 3, incrby},
    command{"mget", -2, mget},    command{"mset", -3, mset},
    command{"psetex", 4, psetex}, command{"set", -3, set},
    command{"setex", 4, setex},   command{"setnx", 3, setnx},
    command{"strlen", 2, strlen},
};

}  // namespace

std::span<const command> string_commands() { return table; }

}  // namespace kv
