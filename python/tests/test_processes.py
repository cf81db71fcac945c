"""Threads, processes, signals and memory."""

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import scipy.fft

import skipper


def in_a_process(text, **named):
    """Runs a program in a new Python, which must not complain; what it printed."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=300, cwd="/", **named)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    return done.stdout.strip()


def test_64_threads():
    arrays = [np.random.default_rng(i).standard_normal((40 + i % 7, 96)) for i in range(64)]
    wrong = []

    def work(x):
        for _ in range(5):
            if np.abs(skipper.fft.fft2(x, workers=2) - scipy.fft.fft2(x)).max() > 1e-11:
                wrong.append(x.shape)

    threads = [threading.Thread(target=work, args=(x,)) for x in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def transformed(n):
    return skipper.fft.fft2(np.ones((n, n)), workers=2)[0, 0]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method):
    assert transformed(300) == 90000  # the parent's threads have run before
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(transformed, [300, 301, 64]) == [90000, 90601, 4096]


def test_a_forked_child_calls_the_plan_of_its_parent():
    plan = skipper.Plan((256, 256), "complex128", threads=2)
    x = np.ones((256, 256), complex)
    plan(x)
    child = os.fork()
    if child == 0:
        os._exit(0 if plan(x)[0, 0] == 65536 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_lock_is_given_back_meanwhile():
    for rows in 400, 2000:  # builds for tests are slow
        x = np.ones((rows, rows), complex)
        plan, out = skipper.Plan(x.shape, "complex128", threads=1), np.empty_like(x)
        begin = time.perf_counter()
        plan(x, out)
        if time.perf_counter() - begin > 0.05:
            break
    counted, stop = [0], threading.Event()

    def count():
        while not stop.wait(0.0005):
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        plan(x, out)
        before = counted[0]
        plan(x, out)  # tens of milliseconds without a line of Python
        assert counted[0] - before >= 4
    finally:
        stop.set()
        thread.join()


@pytest.mark.slow  # half a minute in a build that is not optimised
def test_ctrl_c_ends_a_long_wait():
    printed = in_a_process("""
        import os, signal, threading, time
        import numpy as np
        import skipper

        x = np.zeros(1 << 24, complex)
        plan = skipper.Plan(x.shape, "complex128", threads=1)
        out = np.empty_like(x)
        plan(x, out)
        begin = time.perf_counter()
        plan(x, out)
        whole = time.perf_counter() - begin
        threading.Timer(0.1 * whole, os.kill, (os.getpid(), signal.SIGINT)).start()
        begin = time.perf_counter()
        try:
            plan(x, out)
            print("not interrupted")
        except KeyboardInterrupt:
            print("early" if time.perf_counter() - begin < 0.7 * whole + 0.2 else "late")
        del x, out
        np.testing.assert_array_equal(skipper.fft.fft(np.ones(4)), [4, 0, 0, 0])
        """)
    assert printed == "early"


@pytest.mark.parametrize("side", [300, 2000])  # many calls that wait for the GIL as Python ends, and few that compute
def test_leaving_while_threads_compute(side):
    in_a_process(f"""
        import threading, time
        import numpy as np
        import skipper

        x = np.zeros(({side}, {side}), complex)
        plan = skipper.Plan(x.shape)
        work = lambda: [(skipper.fft.fft2(x, workers=2), plan(x)) for _ in range(1000)]
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.05)
        """)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_memory_stays_the_same(is_quick):
    x = np.ones((8, 8), complex)
    plan, out = skipper.Plan((8, 8), "complex128"), np.empty_like(x)

    def calls(count):
        for i in range(count):
            skipper.fft.fft(x)
            skipper.fft.rfft(x.real, n=6)
            plan(x, out)
            plan(x[:, ::1])
            if i % 100 == 0:
                with pytest.raises(ValueError):
                    skipper.fft.fft(x, norm="other")
                skipper.fft.dct([1, 2, 3, i % 7])

    calls(2000)
    before = resident()
    calls(20000 if is_quick else 250000)  # four transforms each
    assert resident() - before < 2 << 20


@pytest.mark.slow
def test_memory_is_bounded_by_the_cache():
    for n in range(2, 1000):
        skipper.fft.fft(np.ones(n))
    before = resident()
    for n in range(1000, 4000):
        skipper.fft.fft(np.ones(n % 1000 + 2))
    assert skipper.cache.info().size <= skipper.cache.info().limit
    assert resident() - before < 32 << 20


def test_signal_handlers_are_left_alone():
    handler = signal.getsignal(signal.SIGINT)
    skipper.fft.fft(np.ones(64))
    assert signal.getsignal(signal.SIGINT) is handler
