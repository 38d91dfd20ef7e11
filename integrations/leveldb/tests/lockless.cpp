// hotseat/rebound/tests/lockless.cpp — needs no lock at all.
int twice(int value) { return 2 * value; }
