#!/usr/bin/env python3
"""Runs kv_server for the clients of Redis, and for clients that misbehave.

    clients_test.py KV_SERVER [--short] [--sanitizers address,undefined]

Needs redis-cli and redis-benchmark (Debian: redis-tools); exits with 77 if they are missing.  How much
memory a server with sanitizers takes is not checked.
"""

import argparse
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
from contextlib import ExitStack
from pathlib import Path

PATIENCE = 60  # Seconds; only a guard against hangs.
CLI = shutil.which("redis-cli")
BENCHMARK = shutil.which("redis-benchmark")
MIB = 1 << 20
sanitizers = ""
is_short = False
program = ""


class Server:
    """A kv_server on a free port, ended at the end of the block."""

    def __init__(self, *options: str, descriptors: int = 0):
        def limit():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        self.process = subprocess.Popen(
            [program, "--port", "0", *options], stdout=subprocess.PIPE, text=True, preexec_fn=limit
        )
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"kv_server says: {line!r}")
        self.port = int(line.rpartition(":")[2])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def terminate(self) -> tuple[int, float]:
        """The exit code, and how many milliseconds it took."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        return code, (time.monotonic() - begin) * 1000

    def resident(self) -> int:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.partition("VmRSS:")[2].split()[0]) * 1024

    def cpu_share(self, seconds: float) -> float:
        """Of one CPU, while nothing else is done."""

        def used():
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        before = used()
        time.sleep(seconds)
        return (used() - before) / seconds


def receive(peer: socket.socket, count: int) -> bytes:
    parts = []
    while count > 0 and (part := peer.recv(min(count, MIB))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def receive_all(peer: socket.socket) -> bytes:
    return receive(peer, 1 << 62)


def ask(peer: socket.socket, request: bytes, reply_size: int) -> bytes:
    peer.sendall(request)
    return receive(peer, reply_size)


def scaled(count: int) -> int:
    """For servers that are slow because they are not optimized."""
    return count // 10 if is_short else count


def report(text: str):
    print(f"    {text}", flush=True)


class WithServer(unittest.TestCase):
    def setUp(self):
        self.server = self.enterContext(Server())

    def tearDown(self):
        if self.server.process.poll() is None:  # Or else the test has ended it.
            self.assertEqual(self.server.terminate()[0], 0)

    def assert_serves(self):
        with self.server.connect() as peer:
            self.assertEqual(ask(peer, b"PING\r\n", 7), b"+PONG\r\n")


class Clients(WithServer):
    def cli(self, *words: str, given: str = "") -> str:
        done = subprocess.run(
            [CLI, "-p", str(self.server.port), *words],
            input=given, capture_output=True, text=True, timeout=PATIENCE, check=True,
        )
        return done.stdout.strip()

    def test_redis_cli(self):
        self.assertEqual(self.cli("SET", "a", "b c"), "OK")
        self.assertEqual(self.cli("GET", "a"), "b c")
        self.assertEqual(self.cli("GET", "none"), "")
        self.assertEqual(self.cli("RPUSH", "l", "1", "2"), "2")
        self.assertEqual(self.cli("LRANGE", "l", "0", "-1"), "1\n2")
        self.assertIn("WRONGTYPE", self.cli("GET", "l"))
        self.assertIn("unknown command 'FOO'", self.cli("FOO"))
        self.assertEqual(self.cli(given="INCR n\nINCR n\nTTL n\n"), "1\n2\n-1")
        self.assertIn("redis_version", self.cli("INFO"))
        # redis-cli reads big values from its input, and mass insertions.
        value = "x" * (5 * MIB)
        self.assertEqual(self.cli("-x", "SET", "big", given=value), "OK")
        self.assertEqual(self.cli("GET", "big"), value)
        said = self.cli("--pipe", given="".join(f"SET k{i} {i}\r\n" for i in range(20_000)))
        self.assertIn("errors: 0, replies: 20000", said)

    def benchmark(self, *options: str):
        tests = "ping,set,get,incr,lpush,lrange_100,sadd,hset,zadd,mset"
        done = subprocess.run(
            [BENCHMARK, "-p", str(self.server.port), "-n", str(scaled(20_000)), "-c", "50", "--csv", "-t", tests, *options],
            capture_output=True, text=True, timeout=PATIENCE, check=True,
        )
        self.assertNotIn("WARNING", done.stdout + done.stderr)
        lines = [line.split(",") for line in done.stdout.splitlines()[1:]]
        self.assertEqual(len(lines), 12, done.stdout)
        rates = {name.strip('"'): float(rate.strip('"')) for name, rate, *_ in lines}
        report(f"{' '.join(options)}: SET {rates['SET']:,.0f}, GET {rates['GET']:,.0f} requests a second")

    def test_redis_benchmark(self):
        self.benchmark("-P", "1")
        self.benchmark("-P", "16")


class Faults(WithServer):
    def test_a_breach_of_the_protocol_is_answered_and_closed(self):
        for request, reply in [
            (b"*1\r\n+PING\r\n", b"expected '$', got '+'"),
            (b"*x\r\n", b"invalid multibulk length"),
            (b"PING\r\n*1\r\n$-5\r\n", b"invalid bulk length"),
            (b"SET a 'b\r\n", b"unbalanced quotes in request"),
            (b"x" * 70_000, b"too big inline request"),
            (b"*3\r\n$3\r\nSET\r\n$1\r\na\r\n$536870912\r\n", b"invalid bulk length"),
        ]:
            with self.server.connect() as peer:
                peer.sendall(request)
                self.assertTrue(receive_all(peer).endswith(b"-ERR Protocol error: " + reply + b"\r\n"))
        self.assert_serves()

    def test_half_a_command_keeps_nobody_waiting(self):
        with self.server.connect() as half:
            half.sendall(b"*2\r\n$4\r\nEC")
            for _ in range(10):
                self.assert_serves()
            self.assertEqual(ask(half, b"HO\r\n$1\r\nx\r\n", 7), b"$1\r\nx\r\n")

    def test_a_client_that_never_reads_takes_little_memory(self):
        with self.server.connect() as peer, self.server.connect() as other:
            ask(peer, b"SET a " + b"x" * 1000 + b"\r\n", 5)
            before = self.server.resident()
            peer.settimeout(0.3)
            commands = memoryview(b"GET a\r\n" * 1_000_000)
            sent = 0
            try:
                while sent < len(commands):
                    sent += peer.send(commands[sent:])
            except TimeoutError:
                pass  # The server reads no more.
            self.assertLess(sent, len(commands))
            growth = self.server.resident() - before
            report(f"a client that never reads: {growth / MIB:.1f} MiB")
            if not sanitizers:
                self.assertLess(growth, 16 * MIB)
            self.assertEqual(ask(other, b"PING\r\n", 7), b"+PONG\r\n")

    def test_a_million_commands_in_one_pipeline_are_answered(self):
        count = scaled(1_000_000)
        with self.server.connect() as peer:
            before = self.server.resident()
            begin = time.monotonic()
            sender = threading.Thread(target=peer.sendall, args=(b"INCR n\r\nPING\r\n" * (count // 2),))
            sender.start()
            size = sum(len(f":{i}\r\n+PONG\r\n") for i in range(1, count // 2 + 1))
            replies = receive(peer, size)
            sender.join()
            self.assertEqual(len(replies), size)
            self.assertTrue(replies.endswith(b"\r\n:%d\r\n+PONG\r\n" % (count // 2)))
            growth = self.server.resident() - before
            report(f"a million commands: {time.monotonic() - begin:.2f} s, {growth / MIB:.1f} MiB")
            if not sanitizers:
                self.assertLess(growth, 16 * MIB)

    def test_clients_that_are_killed_leave_nothing_behind(self):
        for _ in range(3):
            client = subprocess.Popen(
                [BENCHMARK, "-p", str(self.server.port), "-l", "-P", "16", "-q", "-t", "lrange_600,set"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            time.sleep(0.2)
            client.kill()
            client.wait()
        self.assert_serves()

    def test_a_lack_of_descriptors_passes(self):
        if "undefined" in sanitizers:
            self.skipTest("the sanitizer for undefined behaviour needs descriptors itself")
        with Server(descriptors=64) as server, ExitStack() as stack:
            peers = [stack.enter_context(server.connect()) for _ in range(100)]
            for peer in peers:
                peer.sendall(b"PING\r\n")
            share = server.cpu_share(0.5)
            report(f"without descriptors: {share:.0%} of a CPU")
            self.assertLess(share, 0.5)
            # Each that goes makes room for one that waits.
            for peer in peers:
                self.assertEqual(receive(peer, 7), b"+PONG\r\n")
                peer.close()
            with server.connect() as peer:
                self.assertEqual(ask(peer, b"PING\r\n", 7), b"+PONG\r\n")


class Ends(WithServer):
    def test_under_load(self):
        client = subprocess.Popen(
            [BENCHMARK, "-p", str(self.server.port), "-l", "-P", "16", "-q", "-t", "set,get"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        try:
            time.sleep(0.3)
            code, milliseconds = self.server.terminate()
            self.assertEqual(code, 0)
            report(f"ended under load in {milliseconds:.0f} ms")
        finally:
            client.kill()
            client.wait()

    def test_with_a_client_that_never_reads(self):
        with self.server.connect() as peer:
            ask(peer, b"SET a " + b"x" * 60_000 + b"\r\n", 5)
            peer.sendall(b"GET a\r\n" * 1000)
            time.sleep(0.2)
            code, milliseconds = self.server.terminate()
            self.assertEqual(code, 0)
            report(f"ended with a client that never reads in {milliseconds:.0f} ms")

    def test_with_idle_clients(self):
        with ExitStack() as stack:
            peers = [stack.enter_context(self.server.connect()) for _ in range(200)]
            for peer in peers:
                ask(peer, b"PING\r\n", 7)
            code, milliseconds = self.server.terminate()
            self.assertEqual(code, 0)
            for peer in peers:
                self.assertEqual(receive_all(peer), b"")
            report(f"ended with 200 idle clients in {milliseconds:.0f} ms")
            self.assertLess(milliseconds, 10_000)

    def test_idle_clients_take_no_cpu(self):
        with ExitStack() as stack:
            for _ in range(1000):
                ask(stack.enter_context(self.server.connect()), b"PING\r\n", 7)
            share = self.server.cpu_share(1)
            report(f"1000 idle clients: {share:.1%} of a CPU, {self.server.resident() / MIB:.0f} MiB")
            self.assertLess(share, 0.2)


    def test_ten_thousand_clients_at_once(self):
        count = scaled(10_000)
        if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < count + 100:
            self.skipTest("this process may not open as many descriptors")
        with ExitStack() as stack:
            peers = [stack.enter_context(self.server.connect()) for _ in range(count)]
            for peer in peers:
                peer.sendall(b"INCR n\r\n")
            replies = sorted(int(peer.recv(16)[1:]) for peer in peers)
            self.assertEqual(replies, list(range(1, count + 1)))
            report(f"{count} clients: {self.server.resident() / MIB:.0f} MiB, "
                   f"idle {self.server.cpu_share(1):.1%} of a CPU")


if __name__ == "__main__":
    if CLI is None or BENCHMARK is None:
        print("skipped: redis-cli and redis-benchmark are missing (apt-get install redis-tools)")
        sys.exit(77)
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--short", action="store_true", help="a tenth of the requests and clients")
    options.add_argument("--sanitizers", default="")
    given = options.parse_args()
    program, is_short, sanitizers = given.program, given.short, given.sanitizers
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 11_000 if hard == resource.RLIM_INFINITY else min(max(soft, 11_000), hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    unittest.main(argv=sys.argv[:1], verbosity=2)
