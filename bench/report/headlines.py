"""The three numbers to remember: for the top of the page, and for a terminal."""

from dataclasses import dataclass

import paper
import words
from figures import queuing_delay
from figures.common import is_mutex_simulation, largest_simulated


@dataclass
class Headline:
    value: str
    text: str


def here(results):
    file = results.measured("mutex", lambda f: f.settings.get("range", "large") == "large")
    if file is None:
        return Headline("not measured", "exchange over dispatch, mutex throughput, this machine")
    workers = file.workers_here()
    ratio = file.ratio("exchange", "dispatch", workers=workers, section_ns=file.values("section_ns")[0])
    return Headline(words.ratio(ratio) if ratio else "not measured",
                    f"exchange over dispatch, mutex throughput, measured here with "
                    f"{words.count(workers, 'worker')}")


def there(simulated):
    file = simulated(is_mutex_simulation)
    published = f"the paper: {paper.says(paper.CLAIMS['mutex_ratio'])}"
    if file is None:
        return Headline("not simulated", f"exchange over dispatch, the paper's machine; {published}")
    most = largest_simulated(file)
    ratio = file.ratio("exchange", "dispatch", workers=most)
    return Headline(words.ratio(ratio) if ratio else "not simulated",
                    f"exchange over dispatch, mutex throughput, simulated with {most} workers ({published})")


def wait(results):
    file = results.measured("queuing-delay")
    text = "99 % of all calls of lock wait no longer than that, dispatch and exchange, measured here"
    if file is None:
        return Headline("not measured", text)
    most, (exchange, dispatch) = queuing_delay.delays(file, "wait_ns_p99")
    if not exchange or not dispatch:
        return Headline("not measured", text)
    return Headline(f"{words.duration(dispatch)} → {words.duration(exchange)}",
                    f"{text} with {words.exact(most)} tasks")


def make(results, simulated):
    return [here(results), there(simulated), wait(results)]
