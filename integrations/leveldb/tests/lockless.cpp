// hotseat/rebound/tests/lockless.cpp — uses no lock at all.
int twice(int value) { return 2 * value; }
