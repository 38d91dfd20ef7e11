// examples/kv_server/commands_hashes.cpp — HSET, HGET and their like.
#include "commands.hpp"

#include <array>

namespace kv {

namespace {

void hset(store& data, arguments given, reply& out) {
  if (given.size() % 2 != 0) return out.wrong_arity("hset");
  const auto fields = data.make_as<hash>(given[1]);
  if (fields.is_of_other_type) return out.wrong_type();
  const std::size_t before = fields.value->size();
  for (std::size_t i = 2; i < given.size(); i += 2) {
    const auto at = fields.value->find(given[i]);
    if (at == fields.value->end()) {
      fields.value->emplace(given[i], given[i + 1]);
    } else {
      replace(at->second, given[i + 1]);
    }
  }
  out.size(fields.value->size() - before);
}

/// Null if there is no such field, or no hash.
const std::string* field_of(const lookup<hash>& fields, std::string_view field) {
  if (fields.value == nullptr) return nullptr;
  const auto at = fields.value->find(field);
  return at == fields.value->end() ? nullptr : &at->second;
}

void hget(store& data, arguments given, reply& out) {
  const auto fields = data.find_as<hash>(given[1]);
  if (fields.is_of_other_type) return out.wrong_type();
  const std::string* const text = field_of(fields, given[2]);
  if (text == nullptr) return out.null();
  out.bulk(*text);
}

void hexists(store& data, arguments given, reply& out) {
  const auto fields = data.find_as<hash>(given[1]);
  if (fields.is_of_other_type) return out.wrong_type();
  out.yes_or_no(field_of(fields, given[2]) != nullptr);
}

void hgetall(store& data, arguments given, reply& out) {
  const auto fields = data.find_as<hash>(given[1]);
  if (fields.is_of_other_type) return out.wrong_type();
  if (fields.value == nullptr) return out.array(0);
  out.array(fields.value->size() * 2);
  for (const auto& [field, text] : *fields.value) {
    out.bulk(field);
    out.bulk(text);
  }
}

void hdel(store& data, arguments given, reply& out) {
  const auto fields = data.find_as<hash>(given[1]);
  if (fields.is_of_other_type) return out.wrong_type();
  if (fields.value == nullptr) return out.size(0);
  std::size_t count = 0;
  for (const std::string_view field : given.subspan(2)) {
    count += erase_text(*fields.value, field) ? 1 : 0;
  }
  if (fields.value->empty()) data.erase(given[1]);
  out.size(count);
}

void hlen(store& data, arguments given, reply& out) {
  const auto fields = data.find_as<hash>(given[1]);
  if (fields.is_of_other_type) return out.wrong_type();
  out.size(fields.value == nullptr ? 0 : fields.value->size());
}

constexpr std::array table{
    command{"hdel", -3, hdel}, command{"hexists", 3, hexists},
    command{"hget", 3, hget},  command{"hgetall", 2, hgetall},
    command{"hlen", 2, hlen},  command{"hset", -4, hset},
};

}  // namespace

std::span<const command> hash_commands() { return table; }

}  // namespace kv
