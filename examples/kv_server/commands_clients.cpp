// examples/kv_server/commands_clients.cpp — what concerns one connection only.
#include "commands.hpp"
#include "words.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace kv {

namespace {

void set_name(connection& client, std::string_view name, reply& out) {
  const bool is_plain =
      std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
  if (!is_plain) {
    return out.error(
        "ERR Client names cannot contain spaces, newlines or special characters.");
  }
  client.name = name;
  out.ok();
}

void client_command(connection& client, arguments given, reply& out) {
  struct subcommand {
    std::string_view name;
    std::size_t arity;
  };
  static constexpr std::array subcommands{subcommand{"getname", 2}, subcommand{"id", 2},
                                          subcommand{"setinfo", 4},
                                          subcommand{"setname", 3}};
  const auto* const found = std::ranges::find_if(
      subcommands, [&](const subcommand& each) { return is_word(given[1], each.name); });
  if (found == subcommands.end()) {
    return out.error(std::string{"ERR unknown subcommand '"}
                         .append(given[1].substr(0, 128))
                         .append("'. Try CLIENT HELP."));
  }
  if (given.size() != found->arity) {
    return out.wrong_arity(std::string{"client|"}.append(found->name));
  }
  if (found->name == "setname") return set_name(client, given[2], out);
  if (found->name == "id") return out.integer(static_cast<std::int64_t>(client.number));
  if (found->name == "setinfo") return out.ok();
  if (client.name.empty()) return out.null();
  out.bulk(client.name);
}

/// RESP2 is all that is spoken here.
void hello(connection& client, arguments given, reply& out) {
  if (given.size() > 1) {
    const std::optional<std::int64_t> version = to_integer(given[1]);
    if (!version) {
      return out.error("ERR Protocol version is not an integer or out of range");
    }
    if (*version != 2) return out.error("NOPROTO unsupported protocol version");
  }
  if (given.size() > 2) return out.syntax_error();
  out.array(6);
  out.bulk("server");
  out.bulk("kv_server");
  out.bulk("proto");
  out.integer(2);
  out.bulk("id");
  out.integer(static_cast<std::int64_t>(client.number));
}

void quit(connection& client, arguments, reply& out) {
  client.is_over = true;
  out.ok();
}

void reset(connection& client, arguments, reply& out) {
  client.name.clear();
  out.simple("RESET");
}

constexpr std::array table{
    command{"client", -2, nullptr, client_command},
    command{"hello", -1, nullptr, hello},
    command{"quit", -1, nullptr, quit},
    command{"reset", 1, nullptr, reset},
};

}  // namespace

std::span<const command> client_commands() { return table; }

}  // namespace kv
