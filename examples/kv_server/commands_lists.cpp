// examples/kv_server/commands_lists.cpp — LPUSH, LRANGE, LPOP and their like.
#include "commands.hpp"
#include "words.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace kv {

namespace {

enum class end_of_list { left, right };

void push(store& data, arguments given, end_of_list where, reply& out) {
  const auto values = data.make_as<list>(given[1]);
  if (values.is_of_other_type) return out.wrong_type();
  for (const std::string_view each : given.subspan(2)) {
    if (where == end_of_list::left) {
      values.value->emplace_front(each);
    } else {
      values.value->emplace_back(each);
    }
  }
  out.size(values.value->size());
}
void lpush(store& data, arguments given, reply& out) {
  push(data, given, end_of_list::left, out);
}
void rpush(store& data, arguments given, reply& out) {
  push(data, given, end_of_list::right, out);
}

/// The reply comes first: if it is too large, nothing is lost.
void pop(store& data, arguments given, std::string_view name, end_of_list where,
         reply& out) {
  if (given.size() > 3) return out.wrong_arity(name);
  const bool has_count = given.size() == 3;
  const auto wanted = has_count ? count_of(given[2], out) : std::optional<std::size_t>{1};
  if (!wanted) return;
  const auto values = data.find_as<list>(given[1]);
  if (values.is_of_other_type) return out.wrong_type();
  if (values.value == nullptr) return has_count ? out.null_array() : out.null();
  list& all = *values.value;
  const auto count = static_cast<list::difference_type>(std::min(*wanted, all.size()));
  if (has_count) out.array(static_cast<std::size_t>(count));
  if (where == end_of_list::left) {
    std::for_each_n(all.begin(), count, [&](const auto& each) { out.bulk(each); });
    all.erase(all.begin(), all.begin() + count);
  } else {
    std::for_each_n(all.rbegin(), count, [&](const auto& each) { out.bulk(each); });
    all.erase(all.end() - count, all.end());
  }
  if (all.empty()) data.erase(given[1]);
}
void lpop(store& data, arguments given, reply& out) {
  pop(data, given, "lpop", end_of_list::left, out);
}
void rpop(store& data, arguments given, reply& out) {
  pop(data, given, "rpop", end_of_list::right, out);
}

void llen(store& data, arguments given, reply& out) {
  const auto values = data.find_as<list>(given[1]);
  if (values.is_of_other_type) return out.wrong_type();
  out.size(values.value == nullptr ? 0 : values.value->size());
}

void lrange(store& data, arguments given, reply& out) {
  const std::optional<std::int64_t> first = to_integer(given[2]);
  const std::optional<std::int64_t> last = to_integer(given[3]);
  if (!first || !last) return out.not_an_integer();
  const auto values = data.find_as<list>(given[1]);
  if (values.is_of_other_type) return out.wrong_type();
  if (values.value == nullptr) return out.array(0);
  const slice wanted = slice_of(*first, *last, values.value->size());
  out.array(wanted.count);
  for (std::size_t i = 0; i < wanted.count; ++i)
    out.bulk((*values.value)[wanted.first + i]);
}

constexpr std::array table{
    command{"llen", 2, llen},     command{"lpop", -2, lpop}, command{"lpush", -3, lpush},
    command{"lrange", 4, lrange}, command{"rpop", -2, rpop}, command{"rpush", -3, rpush},
};

}  // namespace

std::span<const command> list_commands() { return table; }

}  // namespace kv
