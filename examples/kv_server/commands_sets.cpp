// examples/kv_server/commands_sets.cpp — SADD, SPOP and their like.
#include "commands.hpp"
#include "words.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace kv {

namespace {

void sadd(store& data, arguments given, reply& out) {
  const auto members = data.make_as<text_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  const std::size_t before = members.value->size();
  for (const std::string_view each : given.subspan(2)) {
    if (!members.value->contains(each)) members.value->emplace(each);
  }
  out.size(members.value->size() - before);
}

void srem(store& data, arguments given, reply& out) {
  const auto members = data.find_as<text_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  if (members.value == nullptr) return out.size(0);
  std::size_t count = 0;
  for (const std::string_view each : given.subspan(2)) {
    count += erase_text(*members.value, each) ? 1 : 0;
  }
  if (members.value->empty()) data.erase(given[1]);
  out.size(count);
}

/// Any members, not random ones.
void spop(store& data, arguments given, reply& out) {
  if (given.size() > 3) return out.syntax_error();
  const bool has_count = given.size() == 3;
  const auto wanted = has_count ? count_of(given[2], out) : std::optional<std::size_t>{1};
  if (!wanted) return;
  const auto members = data.find_as<text_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  if (members.value == nullptr) return has_count ? out.array(0) : out.null();
  const std::size_t count = std::min(*wanted, members.value->size());
  if (has_count) out.array(count);
  const auto first = members.value->begin();
  auto last = first;
  for (std::size_t i = 0; i < count; ++i) out.bulk(*last++);
  members.value->erase(first, last);
  if (members.value->empty()) data.erase(given[1]);
}

void scard(store& data, arguments given, reply& out) {
  const auto members = data.find_as<text_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  out.size(members.value == nullptr ? 0 : members.value->size());
}

void smembers(store& data, arguments given, reply& out) {
  const auto members = data.find_as<text_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  if (members.value == nullptr) return out.array(0);
  out.array(members.value->size());
  for (const std::string& each : *members.value) out.bulk(each);
}

void sismember(store& data, arguments given, reply& out) {
  const auto members = data.find_as<text_set>(given[1]);
  if (members.is_of_other_type) return out.wrong_type();
  out.yes_or_no(members.value != nullptr && members.value->contains(given[2]));
}

constexpr std::array table{
    command{"sadd", -3, sadd},          command{"scard", 2, scard},
    command{"sismember", 3, sismember}, command{"smembers", 2, smembers},
    command{"spop", -2, spop},          command{"srem", -3, srem},
};

}  // namespace

std::span<const command> set_commands() { return table; }

}  // namespace kv
