// examples/kv_server/commands_server.cpp — INFO, CONFIG, COMMAND, and WORK for benchmarks.
#include "commands.hpp"
#include "glob.hpp"
#include "words.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <vector>

namespace kv {

namespace {

void ping(connection&, arguments given, reply& out) {
  if (given.size() > 2) return out.wrong_arity("ping");
  if (given.size() == 2) return out.bulk(given[1]);
  out.simple("PONG");
}

void echo(connection&, arguments given, reply& out) { out.bulk(given[1]); }

void unknown_subcommand(arguments given, std::string_view help, reply& out) {
  out.error(std::string{"ERR unknown subcommand '"}
                .append(given[1].substr(0, 128))
                .append("'. Try ")
                .append(help)
                .append(" HELP."));
}

/// Clients look for a version that they know.
void info(store& data, arguments, reply& out) {
  std::string text =
      "# "
      "Server\r\nredis_version:7.0.0\r\nserver_name:kv_server\r\nredis_mode:standalone\r\n"
      "\r\n# Keyspace\r\n";
  if (data.size() != 0) {
    text.append("db0:keys=").append(number_text{data.size()}.view());
    text.append(",expires=").append(number_text{data.size_expiring()}.view());
    text.append(",avg_ttl=0\r\n");
  }
  out.bulk(text);
}

/// redis-benchmark asks whether anything is saved.
void config(connection&, arguments given, reply& out) {
  struct setting {
    std::string_view name;
    std::string_view value;
  };
  static constexpr std::array settings{setting{"appendonly", "no"},
                                       setting{"databases", "1"}, setting{"save", ""}};
  if (!is_word(given[1], "get")) return unknown_subcommand(given, "CONFIG", out);
  if (given.size() < 3) return out.wrong_arity("config|get");
  std::vector<const setting*> found;
  for (const setting& each : settings) {
    for (const std::string_view pattern : given.subspan(2)) {
      if (!matches_glob(each.name, pattern)) continue;
      found.push_back(&each);
      break;
    }
  }
  out.array(found.size() * 2);
  for (const setting* each : found) {
    out.bulk(each->name);
    out.bulk(each->value);
  }
}

/// Names and arities; the rest of what Redis says is left empty.
void command_table(connection&, arguments given, reply& out) {
  const std::span<const command> all = all_commands();
  if (given.size() == 1) {
    out.array(all.size());
    for (const command& each : all) {
      out.array(6);
      out.bulk(each.name);
      out.integer(each.arity);
      out.array(0);
      for (int i = 0; i < 3; ++i) out.integer(0);
    }
  } else if (is_word(given[1], "count")) {
    out.size(all.size());
  } else if (is_word(given[1], "docs")) {
    out.array(0);
  } else {
    unknown_subcommand(given, "COMMAND", out);
  }
}

/// There is one database.
void select(connection&, arguments given, reply& out) {
  const std::optional<std::int64_t> number = to_integer(given[1]);
  if (!number) return out.not_an_integer();
  if (*number != 0) return out.error("ERR DB index is out of range");
  out.ok();
}

// WORK inside_us outside_us: keeps a CPU busy for so long inside the lock, and then
// outside.

struct work {
  std::chrono::microseconds inside;
  std::chrono::microseconds outside;
};

std::optional<work> work_of(arguments given) {
  // A client must not be able to keep the lock for ever.
  constexpr std::int64_t most = 1'000'000;
  const std::optional<std::int64_t> inside = to_integer(given[1]);
  const std::optional<std::int64_t> outside = to_integer(given[2]);
  if (!inside || !outside || *inside < 0 || *outside < 0 || *inside > most ||
      *outside > most) {
    return std::nullopt;
  }
  return work{std::chrono::microseconds{*inside}, std::chrono::microseconds{*outside}};
}

void spin(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

void work_inside(store&, arguments given, reply& out) {
  const std::optional<work> wanted = work_of(given);
  if (!wanted) return out.not_an_integer();
  spin(wanted->inside);
  out.ok();
}

void work_outside(connection&, arguments given, reply&) {
  if (const std::optional<work> wanted = work_of(given)) spin(wanted->outside);
}

constexpr std::array table{
    command{"command", -1, nullptr, command_table},
    command{"config", -2, nullptr, config},
    command{"echo", 2, nullptr, echo},
    command{"info", -1, info},
    command{"ping", -1, nullptr, ping},
    command{"select", 2, nullptr, select},
    command{"work", 3, work_inside, work_outside},
};

}  // namespace

std::span<const command> server_commands() { return table; }

}  // namespace kv
