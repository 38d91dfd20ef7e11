"""The heuristics that ablate.py switches off, one at a time, and what replaces them."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Ablation:
    name: str
    edits: tuple  # of (file, text that it contains exactly once, its replacement)


COSTS = "include/hotseat/runtime/detail/costs.hpp"
LEDGER = "include/hotseat/runtime/detail/theft_ledger.hpp"
WORKER = "src/runtime/worker.cpp"
SEARCH = "src/runtime/worker_search.cpp"
SLEEPERS = "src/runtime/sleepers.cpp"
POOL_OPTIONS = "include/hotseat/runtime/thread_pool.hpp"
BLOCK = "include/hotseat/runtime/detail/bwos_block.hpp"
QUEUE = "src/runtime/bwos_queue.cpp"
VICTIMS = "include/hotseat/runtime/detail/victims.hpp"
LOCK = "src/sync/lock_free_state.cpp"
FRAMES = "include/hotseat/task/detail/frame_allocator.hpp"
BACK_OFF = "include/hotseat/core/back_off.hpp"
FACTS = "include/hotseat/platform/real/facts.hpp"
SCOPE = "include/hotseat/sched/worker_scope.hpp"


def edit(name: str, file: str, old: str, new: str) -> Ablation:
    return Ablation(name, ((file, old, new),))


def constant(what: str, file: str, before: str, *others: str) -> list[Ablation]:
    """One constant with other values."""
    start, number, end = re.fullmatch(r"(.*?)(\d+)(\D*)", before).groups()
    return [edit(f"{what}: {other}, not {number}", file, before, start + other + end) for other in others]


ABLATIONS = (
    # Where tasks come from.
    edit("no prefetch of the next ready task", WORKER,
         "    if (const item soon = ready_.peek()) platform::prefetch(soon);\n", ""),
    *constant("looks outside after so many tasks", COSTS, "fairness_interval = 61", "7", "1021"),
    *constant("most tasks of a steal", COSTS, "batch = 64", "1", "8"),
    edit("a thief takes several forks", SEARCH, "std::span{stolen}.first(1)", "std::span{stolen}"),
    edit("a thief takes half of a full block", QUEUE, "static_cast<std::uint32_t>(taken.size()), n != back)",
         "static_cast<std::uint32_t>(taken.size()), false)"),
    edit("victims in no order of distance", VICTIMS,
         "    for (const distance level : distances) {\n      const std::span<const unsigned> all = at(level);",
         "    for (const distance level : {distance::cache}) {\n"
         "      const std::span<const unsigned> all = std::span{workers_};"),
    # What thieves see.
    edit("each task that leaves a section is published at once", WORKER, "  if (is_followed) {\n    publish_if_due();",
         "  if (is_followed) {\n    publish();"),
    edit("gathering for a fixed time", WORKER, "costs::publishing_share * (published_at_ - start)", "std::uint64_t{0}"),
    edit("forks are published whether a worker is idle or not", WORKER,
         "  if (!pool_.sleep().look().some_are_idle()) [[likely]]\n    return;\n", ""),
    # When thieves rest.
    edit("thieves never rest", LEDGER, "rest() const noexcept { return rest_; }", "rest() const noexcept { return 0; }"),
    edit("a theft need not be worth a busy CPU", LEDGER, "are_cpus_busy ? costs_.busy_cpu : ", ""),
    edit("moving a task costs the same always", LEDGER, "std::max(theft_ / 2, costs_.move)", "costs_.move"),
    edit("thieves that rest always spin", SEARCH, "  if (length > pool_.patience()) {", "  if (false) {"),
    *constant("longest rest, us", COSTS, "longest_rest = to_ticks(100)", "20", "500"),
    # Searching and sleeping.
    *constant("patience, us", COSTS, "patience = to_ticks(30)", "2", "100"),
    *constant("longest pause of a search", COSTS, "longest_pause = 32", "1", "512"),
    edit("a tired thief searches like any other", SEARCH, "is_tired ? eagerness::low : eagerness::usual",
         "eagerness::usual"),
    edit("any number of workers searches", SLEEPERS, "    if (2 * who.searching >= who.awake) return false;\n", ""),
    Ablation("searchers are not counted in groups", (
        (SLEEPERS, "return before == 0 ? one_searching : 0;", "return static_cast<void>(before), one_searching;"),
        (SLEEPERS, "return before == 1 ? one_searching : 0;", "return static_cast<void>(before), one_searching;"))),
    edit("a group with few awake is judged alone", SLEEPERS, "  if (awake <= group_size_ / 4) return all();\n", ""),
    # Chains.
    edit("a chain is cut whether workers are idle or not", WORKER,
         "  if (!is_alone_ && pool_.sleep().glance().some_are_idle()) return false;\n", ""),
    *constant("exchanges in a chain", SCOPE, "default_chain_limit = 1024", "64", "16384"),
    # Memory.
    edit("no prefetch for the next owner", LOCK, "    if (next != nullptr) fetch(*next);\n",
         "    if (next != nullptr && linked_ == next) fetch(*next);\n"),
    *constant("lines of a frame that are prefetched", LOCK, "lines_of_frame = 3", "1", "6"),
    edit("no prefetch of the one behind the next owner", LOCK,
         "    platform::prefetch(after);\n    platform::prefetch(&after->younger);\n", "    static_cast<void>(after);\n"),
    edit("frames are not used again", FRAMES, "if constexpr (config::recycles_frames)\n      return", "if (false)\n      return"),
    *constant("frames kept of a size", FRAMES, "longest_list = 256", "16"),
    *constant("slots of a block", POOL_OPTIONS, "block_size = 32", "8", "128"),
    # Waiting for another thread.
    *constant("turns of a spin", FACTS, "spin_turns = 64", "4", "1024"),
    *constant("first wait at a guard", BACK_OFF, "first = 16", "1", "64"),
)
