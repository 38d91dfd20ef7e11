// bench/support/table.hpp — aligned columns on stdout.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

/// The first column is a name, aligned left; the others are numbers, aligned right.
class table {
 public:
  using row = std::vector<std::string>;

  explicit table(row heads) : rows_{std::move(heads)} {}

  void add(row cells) { rows_.push_back(std::move(cells)); }
  void add_gap() { rows_.emplace_back(); }

  void print() const {
    std::vector<std::size_t> widths;
    for (const row& cells : rows_) {
      widths.resize(std::max(widths.size(), cells.size()));
      for (std::size_t i = 0; i < cells.size(); ++i) {
        widths[i] = std::max(widths[i], cells[i].size());
      }
    }
    for (const row& cells : rows_) {
      std::string line;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        line += i == 0 ? fmt::format("{:<{}}", cells[i], widths[i])
                       : fmt::format("  {:>{}}", cells[i], widths[i]);
      }
      fmt::print("{}\n", line);
    }
  }

 private:
  std::vector<row> rows_;
};

}  // namespace hotseat::bench
