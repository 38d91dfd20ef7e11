// examples/kv_server/commands_sorted_sets.cpp — ZADD, ZRANGE, ZPOPMIN and their like.
#include "commands.hpp"
#include "words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

namespace kv {

namespace {

struct zadd_options {
  bool only_if_absent = false;
  bool only_if_present = false;
  bool only_if_greater = false;
  bool only_if_less = false;
  bool counts_changes = false;
  bool adds = false;
};

/// Moves `words` behind the options.
zadd_options read_zadd_options(arguments& words) {
  zadd_options wanted;
  for (; !words.empty(); words = words.subspan(1)) {
    if (is_word(words[0], "nx")) {
      wanted.only_if_absent = true;
    } else if (is_word(words[0], "xx")) {
      wanted.only_if_present = true;
    } else if (is_word(words[0], "gt")) {
      wanted.only_if_greater = true;
    } else if (is_word(words[0], "lt")) {
      wanted.only_if_less = true;
    } else if (is_word(words[0], "ch")) {
      wanted.counts_changes = true;
    } else if (is_word(words[0], "incr")) {
      wanted.adds = true;
    } else {
      break;
    }
  }
  return wanted;
}

/// Empty if nothing is wrong with the command but perhaps its key.
std::string_view error_of(const zadd_options& wanted, arguments pairs) {
  if (pairs.empty() || pairs.size() % 2 != 0) return "ERR syntax error";
  if (wanted.only_if_absent && wanted.only_if_present) {
    return "ERR XX and NX options at the same time are not compatible";
  }
  if (wanted.only_if_absent + wanted.only_if_greater + wanted.only_if_less > 1) {
    return "ERR GT, LT, and/or NX options at the same time are not compatible";
  }
  if (wanted.adds && pairs.size() != 2) {
    return "ERR INCR option supports a single increment-element pair";
  }
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (!to_score(pairs[i])) return "ERR value is not a valid float";
  }
  return {};
}

struct zadd_result {
  std::size_t added = 0;
  std::size_t changed = 0;
  double score = 0;  ///< of the last member
  bool was_left_alone = false;
};

/// Infinite scores may add up to none at all: then nothing changes, and `score` is not a
/// number.
void add_member(sorted_set& members, const zadd_options& wanted, double score,
                std::string_view name, zadd_result& into) {
  const double* const old = members.find(name);
  into.was_left_alone = old == nullptr ? wanted.only_if_present : wanted.only_if_absent;
  if (into.was_left_alone) return;
  if (old != nullptr && wanted.adds) score += *old;
  into.score = score;
  if (std::isnan(score)) return;
  into.was_left_alone = old != nullptr && ((wanted.only_if_greater && score <= *old) ||
                                           (wanted.only_if_less && score >= *old));
  if (into.was_left_alone || (old != nullptr && *old == score)) return;
  ++(old == nullptr ? into.added : into.changed);
  members.put(name, score);
}

void zadd(store& data, arguments given, reply& out) {
  arguments pairs = given.subspan(2);
  const zadd_options wanted = read_zadd_options(pairs);
  if (const std::string_view error = error_of(wanted, pairs); !error.empty()) {
    return out.error(error);
  }
  const auto members = data.make_as<sorted_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  zadd_result result;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    add_member(*members.value, wanted, to_score(pairs[i]).value_or(0), pairs[i + 1],
               result);
  }
  if (members.value->empty()) data.erase(given[1]);
  if (!wanted.adds) {
    out.size(result.added + (wanted.counts_changes ? result.changed : 0));
  } else if (result.was_left_alone) {
    out.null();
  } else if (std::isnan(result.score)) {
    out.error("ERR resulting score is not a number (NaN)");
  } else {
    out.score(result.score);
  }
}

void reply_place(const sorted_set::place& at, bool with_score, reply& out) {
  out.bulk(at.second);
  if (with_score) out.score(at.first);
}

/// By rank only: not by score, nor by name.
void zrange(store& data, arguments given, reply& out) {
  bool is_reversed = false;
  bool with_scores = false;
  for (const std::string_view word : given.subspan(4)) {
    if (is_word(word, "rev")) {
      is_reversed = true;
    } else if (is_word(word, "withscores")) {
      with_scores = true;
    } else {
      return out.syntax_error();
    }
  }
  const std::optional<std::int64_t> first = to_integer(given[2]);
  const std::optional<std::int64_t> last = to_integer(given[3]);
  if (!first || !last) return out.not_an_integer();
  const auto members = data.find_as<sorted_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  if (members.value == nullptr) return out.array(0);
  const std::size_t size = members.value->size();
  const slice wanted = slice_of(*first, *last, size);
  out.array(wanted.count * (with_scores ? 2 : 1));
  if (wanted.count == 0) return;
  auto at = members.value->nth(is_reversed ? size - 1 - wanted.first : wanted.first);
  for (std::size_t i = 1; i < wanted.count; ++i) {
    reply_place(*at, with_scores, out);
    std::advance(at, is_reversed ? -1 : 1);
  }
  reply_place(*at, with_scores, out);
}

void zscore(store& data, arguments given, reply& out) {
  const auto members = data.find_as<sorted_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  const double* const score =
      members.value == nullptr ? nullptr : members.value->find(given[2]);
  if (score == nullptr) return out.null();
  out.score(*score);
}

void zcard(store& data, arguments given, reply& out) {
  const auto members = data.find_as<sorted_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  out.size(members.value == nullptr ? 0 : members.value->size());
}

void zrem(store& data, arguments given, reply& out) {
  const auto members = data.find_as<sorted_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  if (members.value == nullptr) return out.size(0);
  std::size_t count = 0;
  for (const std::string_view name : given.subspan(2)) {
    count += members.value->erase(name) ? 1 : 0;
  }
  if (members.value->empty()) data.erase(given[1]);
  out.size(count);
}

void zpopmin(store& data, arguments given, reply& out) {
  if (given.size() > 3) return out.syntax_error();
  const auto wanted =
      given.size() == 3 ? count_of(given[2], out) : std::optional<std::size_t>{1};
  if (!wanted) return;
  const auto members = data.find_as<sorted_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  if (members.value == nullptr) return out.array(0);
  const std::size_t count = std::min(*wanted, members.value->size());
  out.array(count * 2);
  auto at = members.value->begin();
  for (std::size_t i = 0; i < count; ++i) reply_place(*at++, true, out);
  for (std::size_t i = 0; i < count; ++i) members.value->pop_front();
  if (members.value->empty()) data.erase(given[1]);
}

constexpr std::array table{
    command{"zadd", -4, zadd},       command{"zcard", 2, zcard},
    command{"zpopmin", -2, zpopmin}, command{"zrange", -4, zrange},
    command{"zrem", -3, zrem},       command{"zscore", 3, zscore},
};

}  // namespace

std::span<const command> sorted_set_commands() { return table; }

}  // namespace kv
