// bench/simulate/share.cpp — what one use of each primitive is.
#include <hotseat/hotseat.hpp>
#include <simulate/counted.hpp>
#include <simulate/share.hpp>
#include <support/handoffs.hpp>
#include <support/random.hpp>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace hotseat::bench {

namespace {

using std::chrono::nanoseconds;

/// One of the tasks.
struct user {
  std::uint64_t index;
  random_source random;

  bool draws(double chance) {
    return static_cast<double>(random.next() >> 11U) * 0x1p-53 < chance;
  }
};

void work_as(activity how, std::uint64_t ns) {
  const activity_scope in{how};
  work(nanoseconds{ns});
}

/// The section of a use, which may be inside the primitive.  Counted, so that a primitive
/// that loses one is noticed.
struct section {
  const share_settings& settings;
  std::uint64_t& count;

  void operator()() const {
    work_as(activity::section, settings.section_ns);
    ++count;
  }
};

// Each has use(), awaited, which runs the section once, and may have end(), awaited when
// all tasks have ended.

struct use_nothing {
  explicit use_nothing(const share_settings&) {}
  static task<> use(user&, section run) {
    run();
    co_return;
  }
};

template <class Handoff>
class use_mutex {
 public:
  explicit use_mutex(const share_settings&) {}
  task<> use(user&, section run) {
    co_await lock_.lock();
    run();
    co_await lock_.unlock();
  }

 private:
  basic_mutex<Handoff> lock_;
};

class use_with_lock {
 public:
  explicit use_with_lock(const share_settings&) {}
  task<> use(user&, section run) { co_await with_lock(lock_, run); }

 private:
  mutex lock_;
};

template <class Handoff>
class use_shared_mutex {
 public:
  explicit use_shared_mutex(const share_settings& wanted) : writers_{wanted.writers} {}
  task<> use(user& me, section run) {
    if (me.draws(writers_)) {
      co_await lock_.lock();
      run();
      co_await lock_.unlock();
    } else {
      co_await lock_.lock_shared();
      run();
      co_await lock_.unlock_shared();
    }
  }

 private:
  const double writers_;
  basic_shared_mutex<Handoff> lock_;
};

template <class Handoff>
class use_semaphore {
 public:
  explicit use_semaphore(const share_settings& wanted) : permits_{wanted.permits} {}
  task<> use(user&, section run) {
    co_await permits_.acquire();
    run();
    co_await permits_.release();
  }

 private:
  basic_semaphore<Handoff> permits_;
};

/// Half of the tasks send, half receive.
class use_channel {
 public:
  explicit use_channel(const share_settings& wanted) : values_{wanted.capacity} {}
  task<> use(user& me, section run) {
    if (me.index % 2 == 0) {
      static_cast<void>(co_await values_.send(std::uint64_t{me.index}));
    } else {
      static_cast<void>(co_await values_.receive());
    }
    run();
  }

 private:
  channel<std::uint64_t> values_;
};

class use_event {
 public:
  explicit use_event(const share_settings&) { happened_.set_dispatch(); }
  task<> use(user&, section run) {
    co_await happened_.wait();
    run();
  }

 private:
  event happened_;
};

class use_once {
 public:
  explicit use_once(const share_settings&) {}
  task<> use(user&, section run) {
    co_await call_once(flag_, [] {});
    run();
  }

 private:
  once_flag flag_;
};

class use_latch {
 public:
  explicit use_latch(const share_settings& wanted)
      : left_{std::uint64_t{wanted.iterations} * wanted.workers * wanted.tasks_each} {}
  task<> use(user&, section run) {
    run();
    co_await left_.count_down();
  }
  auto end() { return left_.wait(); }

 private:
  latch left_;
};

class use_wait_group {
 public:
  explicit use_wait_group(const share_settings&) {}
  task<> use(user&, section run) {
    running_.add();
    run();
    co_await running_.done();
  }
  auto end() { return running_.wait(); }

 private:
  wait_group running_;
};

class use_barrier {
 public:
  explicit use_barrier(const share_settings& wanted)
      : all_{std::uint64_t{wanted.workers} * wanted.tasks_each} {}
  task<> use(user&, section run) {
    co_await all_.arrive_and_wait();
    run();
  }

 private:
  barrier<> all_;
};

/// A queue of one number: half of the tasks add, half wait for something to take.
class use_condition_variable {
 public:
  explicit use_condition_variable(const share_settings&) {}
  task<> use(user& me, section run) {
    co_await lock_.lock();
    if (me.index % 2 == 0) {
      ++ready_;
      co_await lock_.unlock();
      co_await changed_.notify_one();
    } else {
      co_await changed_.wait(lock_, [this] { return ready_ != 0; });
      --ready_;
      co_await lock_.unlock();
    }
    run();
  }

 private:
  mutex lock_;
  condition_variable changed_;
  std::uint64_t ready_ = 0;
};

/// A child in a group of all tasks does the section and half of the parallel part.
class use_task_group {
 public:
  explicit use_task_group(const share_settings& wanted)
      : half_{wanted.parallel_ns / 2}, children_{*executor::current()} {}
  task<> use(user&, section run) {
    children_.spawn(child(run, half_));
    co_return;
  }
  auto end() { return children_.join(); }
  static std::uint64_t parallel_ns(const share_settings& wanted) {
    return wanted.parallel_ns - wanted.parallel_ns / 2;
  }

 private:
  static task<> child(section run, std::uint64_t half) {
    run();
    work_as(activity::parallel, half);
    co_return;
  }

  const std::uint64_t half_;
  task_group children_;
};

/// Two children in a group of their own do a quarter of the parallel part each.
class use_when_all {
 public:
  explicit use_when_all(const share_settings& wanted) : quarter_{wanted.parallel_ns / 4} {}
  task<> use(user&, section run) {
    co_await when_all(child(quarter_), child(quarter_));
    run();
  }
  static std::uint64_t parallel_ns(const share_settings& wanted) {
    return wanted.parallel_ns - 2 * (wanted.parallel_ns / 4);
  }

 private:
  static task<> child(std::uint64_t quarter) {
    work_as(activity::parallel, quarter);
    co_return;
  }

  const std::uint64_t quarter_;
};

struct counted {
  simulation_counts counts;
  nanoseconds time{0};
  std::uint64_t uses = 0;
};

template <class Use>
task<> use_often(Use& shared, const share_settings& settings, std::uint64_t index,
                 std::uint64_t& count) {
  user me{index, random_source{settings.seed, index}};
  std::uint64_t parallel_ns = settings.parallel_ns;
  if constexpr (requires { Use::parallel_ns(settings); }) {
    parallel_ns = Use::parallel_ns(settings);
  }
  for (std::uint32_t i = 0; i < settings.iterations; ++i) {
    co_await shared.use(me, section{settings, count});
    work_as(activity::parallel, parallel_ns);
  }
}

template <class Use>
task<> use_together(const share_settings& settings, counted& result) {
  Use shared{settings};
  std::vector<task<>> all;
  for (std::uint64_t i = 0; i < std::uint64_t{settings.workers} * settings.tasks_each;
       ++i) {
    all.push_back(use_often(shared, settings, i, result.uses));
  }
  const simulation_counts before = platform::simulated::so_far();
  const nanoseconds start = virtual_time();
  co_await when_all(std::move(all));
  if constexpr (requires { shared.end(); }) co_await shared.end();
  result.time = virtual_time() - start;
  result.counts = between(before, platform::simulated::so_far());
}

using runner = task<> (*)(const share_settings&, counted&);

template <template <class> class Use>
runner with_handoff(const std::string& name) {
  if (name == "exchange") return &use_together<Use<handoff::exchange>>;
  if (name == "dispatch") return &use_together<Use<handoff::dispatch>>;
  return &use_together<Use<handoff::resume_inline>>;
}

struct entry {
  std::string name;
  runner (*choose)(const std::string& handoff);
};

template <class Use>
runner always(const std::string&) {
  return &use_together<Use>;
}

const std::vector<entry> entries{
    {"none", &always<use_nothing>},
    {"mutex", &with_handoff<use_mutex>},
    {"with_lock", &always<use_with_lock>},
    {"shared_mutex", &with_handoff<use_shared_mutex>},
    {"semaphore", &with_handoff<use_semaphore>},
    {"channel", &always<use_channel>},
    {"condition_variable", &always<use_condition_variable>},
    {"event", &always<use_event>},
    {"call_once", &always<use_once>},
    {"latch", &always<use_latch>},
    {"wait_group", &always<use_wait_group>},
    {"barrier", &always<use_barrier>},
    {"task_group", &always<use_task_group>},
    {"when_all", &always<use_when_all>},
};

runner runner_of(const share_settings& settings) {
  for (const entry& each : entries) {
    if (each.name == settings.primitive) return each.choose(settings.handoff);
  }
  throw std::invalid_argument{"no such primitive: " + settings.primitive};
}

}  // namespace

const std::vector<std::string>& primitive_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const entry& each : entries) {
      if (each.name != "none") all.push_back(each.name);
    }
    return all;
  }();
  return names;
}

share_outcome run_share(const share_settings& settings) {
  const auto start = std::chrono::steady_clock::now();
  counted raw;
  const runner run = runner_of(settings);
  simulate(settings.machine, settings.seed, [&] {
    thread_pool pool{
        {.threads = settings.workers, .machine = topology_of(settings.machine)}};
    sync_wait(pool, run(settings, raw));
  });
  const std::uint64_t expected =
      std::uint64_t{settings.workers} * settings.tasks_each * settings.iterations;
  if (raw.uses != expected) throw std::logic_error{"sections are missing"};

  const auto uses = static_cast<double>(raw.uses);
  const activity_shares shares = shares_of(total_of(raw.counts));
  const auto share = [&](activity how) { return shares[static_cast<std::size_t>(how)]; };
  return {
      .mops = 1e3 * uses / static_cast<double>(raw.time.count()),
      .transfers = transfers_of(raw.counts, uses),
      .scheduling = share(activity::scheduling),
      .searching = share(activity::searching),
      .asleep = share(activity::asleep),
      .seconds_to_simulate =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

}  // namespace hotseat::bench
