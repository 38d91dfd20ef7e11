// examples/kv_server/commands.cpp — finds a command by its name, and runs it.
#include "commands.hpp"

#include "words.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>
#include <vector>

namespace kv {

namespace {

constexpr std::size_t longest_name = 16;

std::vector<command> sorted_table() {
  std::vector<command> all;
  for (const std::span<const command> part :
       {string_commands(), key_commands(), list_commands(), hash_commands(), set_commands(),
        sorted_set_commands(), server_commands(), client_commands()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::ranges::sort(all, {}, &command::name);
  return all;
}

const command* find_by_name(std::string_view name) {
  if (name.size() > longest_name) return nullptr;
  std::array<char, longest_name> lower;
  std::ranges::transform(name, lower.begin(), lower_case);
  const std::string_view wanted{lower.data(), name.size()};
  const std::span<const command> all = all_commands();
  const auto at = std::ranges::lower_bound(all, wanted, {}, &command::name);
  return at != all.end() && at->name == wanted ? &*at : nullptr;
}

void reply_unknown(arguments given, reply& out) {
  constexpr std::size_t most_quoted = 128;
  std::string text = "ERR unknown command '";
  text.append(given[0].substr(0, most_quoted)).append("', with args beginning with: ");
  std::size_t room = most_quoted;
  for (const std::string_view each : given.subspan(1)) {
    const std::string_view quoted = each.substr(0, room);
    text.append("'").append(quoted).append("' ");
    if (quoted.size() + 3 >= room) break;
    room -= quoted.size() + 3;
  }
  out.error(text);
}

/// Whatever the command has replied is replaced if it cannot end.
template <class F>
void run(reply& out, F part) {
  try {
    part();
  } catch (const reply_too_large&) {
    out.undo();
    out.error("ERR reply is too large");
  } catch (const std::bad_alloc&) {
    out.undo();
    out.error("OOM command not allowed when out of memory");
  } catch (const std::length_error&) {
    out.undo();
    out.error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  }
}

}  // namespace

std::span<const command> all_commands() {
  static const std::vector<command> all = sorted_table();
  return all;
}

const command* find_command(arguments given, reply& out) {
  out.begin();
  const command* const found = find_by_name(given[0]);
  if (found == nullptr) {
    reply_unknown(given, out);
    return nullptr;
  }
  const int count = static_cast<int>(given.size());
  if (found->arity >= 0 ? count != found->arity : count < -found->arity) {
    out.wrong_arity(found->name);
    return nullptr;
  }
  return found;
}

void execute(const command& which, store& data, arguments given, reply& out) {
  run(out, [&] {
    data.purge();
    which.inside(data, given, out);
  });
}

void finish(const command& which, connection& client, arguments given, reply& out) {
  run(out, [&] { which.outside(client, given, out); });
}

void execute(store& data, arguments given, reply& out) {
  const command* const which = find_command(given, out);
  if (which == nullptr) return;
  connection nobody;
  if (which->inside != nullptr) execute(*which, data, given, out);
  if (which->outside != nullptr) finish(*which, nobody, given, out);
}

}  // namespace kv
