// bench/trace/picture.cpp — a timeline as SVG.
#include <trace/picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <string_view>

namespace hotseat::bench {

namespace {

using trace::slice;
using type = slice::type;

constexpr double left = 78;
constexpr double width = 700;
constexpr double row = 26;
constexpr double gap = 8;
constexpr double head = 60;
constexpr double foot = 30;
constexpr double nested = 5;  // What remains visible of a task below the one it resumed.

// Okabe and Ito; in both themes.
constexpr const char* style = R"svg(<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 15px; }
  .small { font-size: 11px; fill: #59636e; }
  .lane { fill: #eef1f4; }
  .T1 { fill: #0072b2; } .T2 { fill: #e69f00; } .T3 { fill: #009e73; } .other { fill: #9aa1a9; }
  .on-T1, .on-T3 { fill: #ffffff; font-weight: 600; } .on-T2 { fill: #000000; font-weight: 600; }
  .inside { fill: url(#hatch); }
  .idle { fill: none; stroke: #d55e00; stroke-width: 2; stroke-dasharray: 3 2; }
  .line { stroke: #d0d7de; }
  .hatch { stroke: #000000; stroke-opacity: 0.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f3f6; } .small { fill: #a5afb9; } .lane { fill: #262c36; }
    .line { stroke: #444c56; } .other { fill: #6b747e; } .idle { stroke: #ff8c42; }
  }
</style>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
  <line class="hatch" x1="0" y1="0" x2="0" y2="6" stroke-width="3"/></pattern></defs>
)svg";

/// The task that a slice belongs to: the innermost one around it.
const slice* task_around(const trace::timeline& what, const slice& inner) {
  const slice* found = nullptr;
  for (const slice& each : what.slices) {
    if (each.what == type::task && each.thread == inner.thread &&
        each.begin <= inner.begin && each.end >= inner.end && each.name != nullptr) {
      if (found == nullptr || each.begin >= found->begin) found = &each;
    }
  }
  return found;
}

std::size_t depth_of(const trace::timeline& what, const slice& of) {
  return static_cast<std::size_t>(
      std::count_if(what.slices.begin(), what.slices.end(), [&of](const slice& each) {
        return &each != &of && each.what == type::task && each.thread == of.thread &&
               each.name != nullptr && each.begin <= of.begin && each.end >= of.end;
      }));
}

bool is_player(const slice& of) {
  return of.what == type::task && of.name != nullptr &&
         std::string_view{of.name} != other_name;
}

class drawing {
 public:
  explicit drawing(double longest) : per_us_{width / longest}, longest_{longest} {}

  void add(const panel& which) {
    text(left, y_ + 18, "title", which.title);
    const idle_lock idle = idle_lock_of(which.what);
    text(left, y_ + 36, "small", which.caption);
    text(left, y_ + 52, "small",
         fmt::format(
             "Hand-overs: {}; lock idle meanwhile for {:.2f} ms. Done after {:.1f} ms.",
             idle.hand_overs, idle.microseconds / 1000, end_of(which.what) / 1000));
    y_ += head;
    for (std::size_t i = 0; i < which.what.threads.size(); ++i) {
      if (!which.what.threads[i].name.starts_with("worker")) continue;
      add_thread(which.what, i);
      y_ += row + gap;
    }
    add_lock(which.what);
    y_ += row + gap;
    add_axis();
    y_ += foot;
  }

  std::string finish(const std::vector<std::string>& footer) {
    for (const std::string& line : footer) {
      text(left, y_ + 12, "small", line);
      y_ += 16;
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
        "role=\"img\" "
        "aria-label=\"Who ran where: three tasks on three threads, with three "
        "hand-offs\">\n"
        "{}{}</svg>\n",
        left + width + 16, y_ + 8, style, out_);
  }

 private:
  [[nodiscard]] double x(double us) const { return left + us * per_us_; }

  void text(double at, double y, std::string_view look, std::string_view what) {
    fmt::format_to(std::back_inserter(out_),
                   "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", look, at, y,
                   what);
  }

  void block(std::string_view look, double begin, double end, double top, double height) {
    fmt::format_to(std::back_inserter(out_),
                   "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                   "height=\"{:.1f}\"/>\n",
                   look, x(begin), top, std::max((end - begin) * per_us_, 0.5), height);
  }

  void label(const slice& of, double top, double height) {
    if ((of.end - of.begin) * per_us_ < 22) return;
    text(x(of.begin) + 3, top + height - 8, fmt::format("on-{}", of.name), of.name);
  }

  void add_thread(const trace::timeline& what, std::size_t thread) {
    text(4, y_ + 18, "", what.threads[thread].name);
    block("lane", 0, longest_, y_, row);
    for (const slice& each : what.slices) {
      if (each.thread != thread || each.begin > longest_) continue;
      if (each.what == type::task && each.name != nullptr) {
        const double inset = nested * static_cast<double>(depth_of(what, each));
        const double end = std::min(each.end, longest_);
        block(each.name, each.begin, end, y_ + inset, row - inset);
        if (is_player(each)) label(each, y_ + inset, row - inset);
      } else if (each.what == type::section) {
        const slice* const task = task_around(what, each);
        if (task == nullptr) continue;
        const double inset = nested * static_cast<double>(depth_of(what, *task));
        block("inside", each.begin, each.end, y_ + inset, row - inset);
      }
    }
  }

  void add_lock(const trace::timeline& what) {
    text(4, y_ + 18, "", "inside");
    block("lane", 0, longest_, y_, row);
    for (const slice& each : what.slices) {
      if (each.what != type::section) continue;
      const slice* const task = task_around(what, each);
      if (task == nullptr) continue;
      block(task->name, each.begin, each.end, y_, row);
      block("inside", each.begin, each.end, y_, row);
    }
    for (const trace::hand_over& each : what.hand_overs) {
      const double begin = what.slices[each.from].end;
      const double end = what.slices[each.to].begin;
      if ((end - begin) * per_us_ < 3) continue;
      block("idle", begin, end, y_ + 1, row - 2);
    }
  }

  void add_axis() {
    const double step = longest_ > 20'000 ? 5'000 : 2'000;
    for (double at = 0; at <= longest_; at += step) {
      fmt::format_to(std::back_inserter(out_),
                     "<line class=\"line\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" "
                     "y2=\"{2:.1f}\"/>\n",
                     x(at), y_ - 4, y_ + 2);
      text(x(at) - 4, y_ + 13, "small", fmt::format("{:g} ms", at / 1000));
    }
  }

  double per_us_;
  double longest_;
  double y_ = 4;
  std::string out_;
};

}  // namespace

idle_lock idle_lock_of(const trace::timeline& what) {
  idle_lock result;
  for (const trace::hand_over& each : what.hand_overs) {
    ++result.hand_overs;
    result.microseconds += what.slices[each.to].begin - what.slices[each.from].end;
  }
  return result;
}

double end_of(const trace::timeline& what) {
  double end = 0;
  for (const slice& each : what.slices) {
    if (is_player(each)) end = std::max(end, each.end);
  }
  return end;
}

std::string draw(const std::vector<panel>& panels, const std::vector<std::string>& footer) {
  double longest = 1;
  for (const panel& each : panels) longest = std::max(longest, end_of(each.what));
  drawing all{longest * 1.02};
  for (const panel& each : panels) all.add(each);
  return all.finish(footer);
}

}  // namespace hotseat::bench
