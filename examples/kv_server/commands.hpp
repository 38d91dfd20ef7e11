// examples/kv_server/commands.hpp — what a client may ask for, and what needs the lock.
#pragma once

#include "reply.hpp"
#include "store.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kv {

/// The command's name, and what follows.
using arguments = std::span<const std::string_view>;

/// What the server knows about a client.
struct connection {
  std::uint64_t number = 0;
  std::string name = {};
  bool is_over = false;  ///< the client has said QUIT
};

/// A command has a part that runs inside the lock, one that runs outside, or both.
struct command {
  std::string_view name;  ///< in lower case
  int arity;              ///< arguments with the name; -n means n or more, as Redis has it
  void (*inside)(store&, arguments, reply&) = nullptr;
  void (*outside)(connection&, arguments, reply&) = nullptr;
};

/// Null, and an error is replied, if there is no such command or the number of arguments is
/// wrong.  REQUIRES: there is at least one argument.
[[nodiscard]] const command* find_command(arguments given, reply& out);

/// What must run inside the lock.
void execute(const command& which, store& data, arguments given, reply& out);
/// What must run after that, and not inside the lock.
void finish(const command& which, connection& client, arguments given, reply& out);

/// All of a command, for callers that share the store with nobody.
void execute(store& data, arguments given, reply& out);

[[nodiscard]] std::span<const command> all_commands();

// The tables of each file.
[[nodiscard]] std::span<const command> string_commands();
[[nodiscard]] std::span<const command> key_commands();
[[nodiscard]] std::span<const command> list_commands();
[[nodiscard]] std::span<const command> hash_commands();
[[nodiscard]] std::span<const command> set_commands();
[[nodiscard]] std::span<const command> sorted_set_commands();
[[nodiscard]] std::span<const command> server_commands();
[[nodiscard]] std::span<const command> client_commands();

}  // namespace kv
