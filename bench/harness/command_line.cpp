// bench/harness/command_line.cpp — everything in hotseat-bench that uses CLI11.
#include <harness/command.hpp>
#include <harness/option_list.hpp>
#include <support/command_line.hpp>

#include <stdexcept>

namespace hotseat::bench {

template <class Number>
void option_list::number(const std::string& name, Number& value, const std::string& help,
                         std::type_identity_t<Number> low,
                         std::type_identity_t<Number> high) {
  CLI::Option* const option =
      app_->add_option(name, value, help)->check(CLI::Range(low, high));
  if (value >= low && value <= high) option->capture_default_str();
}
template void option_list::number(const std::string&, std::uint32_t&, const std::string&,
                                  std::uint32_t, std::uint32_t);
template void option_list::number(const std::string&, std::uint64_t&, const std::string&,
                                  std::uint64_t, std::uint64_t);
template void option_list::number(const std::string&, double&, const std::string&, double,
                                  double);

template <class Number>
void option_list::numbers(const std::string& name, std::vector<Number>& values,
                          const std::string& help, std::type_identity_t<Number> low,
                          std::type_identity_t<Number> high) {
  add_numbers(*app_, name, values, help, low, high);
}
template void option_list::numbers(const std::string&, std::vector<std::uint32_t>&,
                                   const std::string&, std::uint32_t, std::uint32_t);
template void option_list::numbers(const std::string&, std::vector<std::uint64_t>&,
                                   const std::string&, std::uint64_t, std::uint64_t);
template void option_list::numbers(const std::string&, std::vector<double>&,
                                   const std::string&, double, double);

void option_list::word(const std::string& name, std::string& value, const std::string& help,
                       const std::vector<std::string>& known) {
  app_->add_option(name, value, help)->check(CLI::IsMember(known))->capture_default_str();
}

void option_list::words(const std::string& name, std::vector<std::string>& values,
                        const std::string& help, const std::vector<std::string>& known) {
  add_words(*app_, name, values, help, known);
}

void option_list::text(const std::string& name, std::string& value,
                       const std::string& help) {
  app_->add_option(name, value, help)->capture_default_str();
}

void option_list::required(const std::string& name, std::string& value,
                           const std::string& help) {
  app_->add_option(name, value, help)->required();
}

void option_list::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

void option_list::passed(const std::string& name, std::vector<std::string>& values,
                         const std::string& help, double low, double high, bool is_list) {
  CLI::Option* const option =
      app_->add_option(name, values, help)->check(CLI::Range(low, high));
  if (is_list) {
    option->delimiter(',');
  } else {
    option->expected(1);
  }
}

void option_list::allow_unknown() { app_->allow_extras(); }

std::vector<std::string> option_list::unknown() const { return app_->remaining(); }

void option_list::footer(const std::string& text) { app_->footer(text); }

int run_commands(const std::vector<std::unique_ptr<command>>& commands, int argc,
                 char** argv) {
  CLI::App app{"Measures hotseat's locks, beside others.  Each command has its own --help.",
               "hotseat-bench"};
  app.require_subcommand(1);
  for (const auto& each : commands) {
    option_list options{*app.add_subcommand(each->name(), each->about())};
    each->declare(options);
  }
  return run_program(app, argc, argv, [&] {
    for (const auto& each : commands) {
      if (app.got_subcommand(each->name())) return each->run();
    }
    throw std::logic_error{"a command without a name"};
  });
}

}  // namespace hotseat::bench
