// hotseat/rebound/own_tests/main.cpp — wraps the main of a test program of LevelDB.
//
// HOTSEAT_LEVELDB_LOCK names the lock.  With one for fibers, the program is a fiber.
#include <drive/crew.hpp>
#include <hotseat/rebound/contenders.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>

int leveldb_main(int count, char** words);

int main(int count, char** words) {
  namespace rebound = hotseat::rebound;
  try {
    const char* const wanted = std::getenv("HOTSEAT_LEVELDB_LOCK");
    const rebound::lock_verbs& lock =
        rebound::contender_named(wanted != nullptr ? wanted : "stock");
    rebound::choose(lock);
    int status = 1;
    rebound::run_crew(
        {.kind = lock.kind, .size = 1, .stack_size = std::size_t{4} << 20U},
        [&](std::size_t) { status = leveldb_main(count, words); }, [] {});
    return status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
