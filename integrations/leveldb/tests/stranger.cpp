// hotseat/rebound/tests/stranger.cpp — uses a lock that is not rebound.
#include <pthread.h>

int read_under(pthread_rwlock_t* lock, const int* value) {
  pthread_rwlock_rdlock(lock);
  const int seen = *value;
  pthread_rwlock_unlock(lock);
  return seen;
}
