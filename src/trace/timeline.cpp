// hotseat/trace/timeline.cpp — from events to slices.
#include <hotseat/trace/timeline.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace hotseat::trace {

namespace {

using type = slice::type;

bool is_run(const slice& of) { return of.what == type::task || of.what == type::combining; }

/// An open slice: its index, and what it is about.
struct open_slice {
  std::size_t index;
  const void* whom;
};

class reader {
 public:
  explicit reader(const recording& what) : from_{what} {
    order_threads();
    for (const std::size_t each : order_) {
      const thread_events& thread = what.threads[each];
      result_.threads.push_back({.name = thread.name, .dropped = thread.dropped});
      result_.events += thread.events.size();
      result_.dropped += thread.dropped;
    }
    open_.resize(order_.size());
  }

  timeline read() && {
    merge();
    for (const entry_in_order& each : in_order_) {
      thread_ = each.thread;
      now_ = each.at;
      result_.threads[thread_].end = now_;
      take(*each.what);
    }
    for (thread_ = 0; thread_ < open_.size(); ++thread_) {
      while (!stack().empty()) close(true);
    }
    return std::move(result_);
  }

 private:
  struct entry_in_order {
    double at;
    std::size_t thread;
    const event* what;
  };

  void order_threads() {
    order_.resize(from_.threads.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    // "worker 2" before "worker 10".
    std::ranges::sort(order_, [this](std::size_t a, std::size_t b) {
      const std::string& left = from_.threads[a].name;
      const std::string& right = from_.threads[b].name;
      const bool is_worker_left = left.starts_with("worker");
      const bool is_worker_right = right.starts_with("worker");
      if (is_worker_left != is_worker_right) return is_worker_left;
      return std::tuple{left.size(), std::string_view{left}, a} <
             std::tuple{right.size(), std::string_view{right}, b};
    });
  }

  /// Sorts all events by time, which never goes back on a thread.
  void merge() {
    std::uint64_t first = UINT64_MAX;
    for (const thread_events& thread : from_.threads) {
      if (!thread.events.empty()) first = std::min(first, thread.events.front().ticks);
    }
    in_order_.reserve(result_.events);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      std::uint64_t last = first;
      for (const event& each : from_.threads[order_[i]].events) {
        last = std::max(last, each.ticks);  // Counters of CPUs differ by a few ticks.
        const double at = static_cast<double>(last - first) / from_.ticks_per_microsecond;
        in_order_.push_back({.at = at, .thread = i, .what = &each});
      }
    }
    std::ranges::sort(in_order_, [](const auto& a, const auto& b) {
      return std::tuple{a.at, a.thread, a.what} < std::tuple{b.at, b.thread, b.what};
    });
  }

  void take(const event& what) {
    if (is_by_task(what.what)) go_on_inside();
    switch (what.what) {
      case kind::task_begins:
        return begin_task(what.whom);
      case kind::task_follows:
        end_task();
        return begin_task(what.whom);
      case kind::task_ends:
        return end_task();
      case kind::task_suspends:
        return put_aside();
      case kind::section_entered:
        return enter(what.whom, what.number);
      case kind::section_left:
        return leave(what.whom);
      case kind::combining:
        end_task();
        return open({.what = type::combining, .thread = 0, .begin = 0, .end = 0}, nullptr);
      case kind::mark_begins: {
        slice mark{.what = type::mark, .thread = 0, .begin = 0, .end = 0};
        mark.name = static_cast<const char*>(what.whom);
        return open(mark, what.whom);
      }
      case kind::mark_ends:
        return leave(what.whom);
      case kind::task_named:
        return name_task(static_cast<const char*>(what.whom));
      case kind::park_begins:
        return open({.what = type::parked, .thread = 0, .begin = 0, .end = 0}, nullptr);
      case kind::park_ends:
        if (!stack().empty() && top().what == type::parked) close(false);
        return;
      case kind::stolen:
        result_.steals.push_back({.thread = thread_, .at = now_, .stolen = what.number});
        return;
    }
  }

  std::vector<open_slice>& stack() { return open_[thread_]; }
  slice& top() { return result_.slices[stack().back().index]; }

  void open(slice what, const void* whom) {
    what.thread = thread_;
    what.begin = what.end = now_;
    stack().push_back({.index = result_.slices.size(), .whom = whom});
    result_.slices.push_back(what);
  }

  void close(bool is_interrupted) {
    top().end = std::max(top().begin, result_.threads[thread_].end);
    top().is_interrupted = is_interrupted;
    stack().pop_back();
  }

  void begin_task(const void* frame) {
    slice task{.what = type::task, .thread = 0, .begin = 0, .end = 0};
    task.number = number_of(tasks_, frame);
    if (const auto named = names_.find(frame); named != names_.end()) {
      task.name = named->second;
    }
    open(task, frame);
    // It still holds what it held when it was suspended.
    const auto found = held_.find(frame);
    if (found == held_.end()) return;
    for (const open_slice& each : found->second) continue_slice(each);
    held_.erase(found);
  }

  void continue_slice(const open_slice& before) {
    slice rest = result_.slices[before.index];
    rest.is_continued = true;
    open(rest, before.whom);
    if (rest.what == type::section) inside_[before.whom] = stack().back().index;
  }

  /// Ends the slices inside the innermost task.  They continue when it does, perhaps on
  /// another thread before this one has recorded its end.
  void put_aside() {
    if (!has_run()) return;
    std::vector<open_slice> inside;
    while (!is_run(top())) {
      if (top().what != type::parked) inside.insert(inside.begin(), stack().back());
      close(true);
    }
    if (top().what == type::task && !inside.empty()) {
      held_[stack().back().whom] = std::move(inside);
    }
  }

  /// A task that announced a suspension does something, so it did not suspend.
  void go_on_inside() {
    if (stack().empty() || top().what != type::task) return;
    const auto found = held_.find(stack().back().whom);
    if (found == held_.end()) return;
    const std::vector<open_slice> inside = std::move(found->second);
    held_.erase(found);
    for (const open_slice& each : inside) continue_slice(each);
  }
  static bool is_by_task(kind what) {
    return what == kind::section_entered || what == kind::section_left ||
           what == kind::mark_begins || what == kind::mark_ends || what == kind::task_named;
  }

  [[nodiscard]] bool has_run() {
    return std::any_of(stack().begin(), stack().end(),
                       [this](const open_slice& each) { return is_run(at(each)); });
  }

  /// Ends the innermost task, and all slices inside it.
  void end_task() {
    if (!has_run()) return;
    put_aside();
    close(false);
  }

  void enter(const void* lock, std::uint32_t how) {
    slice section{.what = type::section, .thread = 0, .begin = 0, .end = 0};
    section.number = number_of(locks_, lock);
    section.entered = how;
    const std::size_t index = result_.slices.size();
    const auto before = inside_.find(lock);
    if (how != entry_free && before != inside_.end()) {
      result_.hand_overs.push_back({.from = before->second, .to = index});
    }
    inside_[lock] = index;
    open(section, lock);
  }

  /// Slices that were opened later and are still open continue as new slices.
  void leave(const void* whom) {
    std::vector<open_slice> later;
    const auto found =
        std::find_if(stack().rbegin(), stack().rend(), [&](const open_slice& each) {
          return is_run(at(each)) || (each.whom == whom && is_inner(at(each)));
        });
    if (found == stack().rend() || is_run(at(*found))) return forget(whom);
    while (stack().back().whom != whom || !is_inner(top())) {
      later.insert(later.begin(), stack().back());
      close(true);
    }
    close(false);
    for (const open_slice& each : later) continue_slice(each);
  }

  static bool is_inner(const slice& of) {
    return of.what == type::section || of.what == type::mark;
  }

  /// It was left by a frame other than the one that was suspended in it.
  void forget(const void* whom) {
    for (auto& [frame, slices] : held_) {
      std::erase_if(slices, [&](const open_slice& each) { return each.whom == whom; });
    }
  }

  void name_task(const char* name) {
    const auto run = std::find_if(stack().rbegin(), stack().rend(),
                                  [this](const auto& each) { return is_run(at(each)); });
    if (run == stack().rend() || run->whom == nullptr) return;
    at(*run).name = name;
    names_[run->whom] = name;
  }

  slice& at(const open_slice& which) { return result_.slices[which.index]; }

  static std::uint32_t number_of(std::map<const void*, std::uint32_t>& numbers,
                                 const void* whom) {
    return numbers.try_emplace(whom, static_cast<std::uint32_t>(numbers.size() + 1))
        .first->second;
  }

  const recording& from_;
  timeline result_;
  std::vector<std::size_t> order_;  // of the threads
  std::vector<entry_in_order> in_order_;
  std::size_t thread_ = 0;
  double now_ = 0;
  std::vector<std::vector<open_slice>> open_;  // for each thread, the outermost first
  std::map<const void*, std::uint32_t> tasks_;
  std::map<const void*, std::uint32_t> locks_;
  std::map<const void*, const char*> names_;
  std::map<const void*, std::vector<open_slice>> held_;  // by suspended tasks
  std::map<const void*, std::size_t> inside_;            // the last section of each lock
};

}  // namespace

timeline timeline_of(const recording& what) { return reader{what}.read(); }

}  // namespace hotseat::trace
