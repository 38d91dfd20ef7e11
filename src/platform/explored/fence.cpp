// hotseat/platform/explored/fence.cpp — what fences make visible.
#include <hotseat/platform/explored/machine.hpp>

namespace hotseat::platform::explored {

namespace {

/// What the threads that passed a fence had seen by then.
struct fences {
  std::uint32_t execution = 0;
  vector_clock light;
  vector_clock heavy;
};

fences last;

fences& passed() noexcept {
  if (last.execution != execution_number) last = {execution_number, {}, {}};
  return last;
}

}  // namespace

void light_fence() noexcept {
  if (running == nullptr) return;
  running->fenced.join(passed().heavy);
  running->visible.join(running->fenced);
  passed().light.join(running->fenced);
}

void heavy_fence() noexcept {
  if (running == nullptr) return;
  running->fenced.join(passed().heavy);
  running->fenced.join(passed().light);
  running->visible.join(running->fenced);
  passed().heavy.join(running->fenced);
}

}  // namespace hotseat::platform::explored
