// hotseat/task/frame_allocator.cpp — the slow path of the frame cache.
#include <hotseat/platform/seam.hpp>
#include <hotseat/task/detail/frame_allocator.hpp>

namespace hotseat::detail {

void* frame_cache::take_slow(std::size_t size) {
  platform::at_thread_exit(
      []() noexcept { platform::per_thread<frame_cache>().release_all(); });
  const std::size_t rounded = size <= largest ? (size + step - 1) / step * step : size;
  return ::operator new(rounded);
}

void frame_cache::release_all() noexcept {
  for (list& sized : lists_) {
    while (free_frame* const frame = sized.head) {
      sized.head = frame->next;
      ::operator delete(frame);
    }
    // A frame freed even later goes straight to the heap.
    sized.length = longest_list;
  }
}

}  // namespace hotseat::detail
