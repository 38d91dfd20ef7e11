// hotseat/tests/support/counted_new.cpp — operators new and delete that count.
#include <hotseat/platform/config.hpp>
#include <hotseat/sched/worker_scope.hpp>
#include <hotseat/task/detail/frame_allocator.hpp>
#include <support/counted_new.hpp>
#include <support/manual_executor.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t count = 0;

}  // namespace

#if HOTSEAT_SANITIZES_THREAD || HOTSEAT_SANITIZES_ADDRESS

// As in <sanitizer/allocator_interface.h>, which g++ 12 lacks; its runtime has the
// function.
extern "C" int __sanitizer_install_malloc_and_free_hooks(
    void (*on_malloc)(const volatile void*, std::size_t),
    void (*on_free)(const volatile void*));

namespace {

void on_malloc(const volatile void*, std::size_t) { ++count; }
void on_free(const volatile void*) {}

[[maybe_unused]] const int listens =
    __sanitizer_install_malloc_and_free_hooks(&on_malloc, &on_free);

// The C library allocates when a thread becomes a worker or takes its first frame; no
// operator new does.  Get that over with before counting.
bool is_settled() {
  hotseat::testing::manual_executor idle;
  {
    const hotseat::worker_scope worker{idle};
  }
  hotseat::detail::frame_cache cache;
  cache.give_back(cache.take(1), 1);
  cache.release_all();
  return true;
}

}  // namespace

std::uint64_t hotseat::testing::allocations() noexcept {
  [[maybe_unused]] static thread_local const bool once = is_settled();
  return count;
}

#else

std::uint64_t hotseat::testing::allocations() noexcept { return count; }

namespace {

void* allocate_or_null(std::size_t size) noexcept {
  ++count;
  return std::malloc(size != 0 ? size : 1);
}

void* allocate(std::size_t size) {
  if (void* const memory = allocate_or_null(size)) return memory;
  throw std::bad_alloc{};
}

void* allocate_aligned(std::size_t size, std::align_val_t alignment) {
  ++count;
  const auto align = static_cast<std::size_t>(alignment);
  if (void* const memory = std::aligned_alloc(align, (size + align - 1) / align * align)) {
    return memory;
  }
  throw std::bad_alloc{};
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_aligned(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_aligned(size, alignment);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

#endif
