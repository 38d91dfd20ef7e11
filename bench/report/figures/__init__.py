"""All figures, in the order of the page.  Each module makes one, from the results there are."""

from figures import (boost_fiber, distribution, executor, java, leveldb, mutex, queuing_delay,
                     section_length, server, shared_mutex, validation, waiting)
from figures.simple import CHANNEL, FIBER, SEMAPHORE, TIGHT_LOOP

ALL = [mutex, section_length, shared_mutex, boost_fiber, java, leveldb, queuing_delay,
       distribution, waiting, validation, server, executor, FIBER, SEMAPHORE, CHANNEL, TIGHT_LOOP]


def make_all(results, simulated):
    return [module.make(results, simulated) for module in ALL]
