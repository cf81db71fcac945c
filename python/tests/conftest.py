"""What all tests share: a sample of cases in `make test` (SKIPPER_QUICK=1), all of them in `make test-python`."""

import os
import secrets
import signal

import numpy as np
import pytest


def pytest_configure(config):
    # As tests/support/quick.h: 1 unless given, and `random` draws one, for the processes that tests start too.
    if os.environ.setdefault("SKIPPER_SEED", "1") == "random":
        os.environ["SKIPPER_SEED"] = str(secrets.randbits(32))
    config.addinivalue_line("markers", "slow: left out of `make test`")
    # A shell starts what runs in its background with Ctrl-C ignored, and so would be every process that tests start.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"SKIPPER_SEED={os.environ['SKIPPER_SEED']}")


@pytest.fixture
def rng():
    return np.random.default_rng(int(os.environ["SKIPPER_SEED"]))


@pytest.fixture
def is_quick():
    return os.environ.get("SKIPPER_QUICK") == "1"
