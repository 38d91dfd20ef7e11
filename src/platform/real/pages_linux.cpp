// hotseat/platform/real/pages_linux.cpp — anonymous memory from mmap.
#include <hotseat/platform/memory.hpp>

#include <sys/mman.h>
#include <new>

namespace hotseat::platform {

void free_pages::operator()(std::byte* memory) const noexcept { munmap(memory, bytes); }

pages allocate_pages(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  return pages{static_cast<std::byte*>(memory), free_pages{bytes}};
}

}  // namespace hotseat::platform
