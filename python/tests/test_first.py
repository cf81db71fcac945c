"""The package is there: versions agree, a transform computes."""

import importlib.metadata

import numpy as np

import skipper


def test_version_is_that_of_the_distribution():
    assert skipper.__version__ == importlib.metadata.version("skipper-fft")


def test_impulse():
    x = np.zeros(12, dtype=complex)
    x[1] = 1
    np.testing.assert_allclose(skipper.fft.fft(x), np.exp(-2j * np.pi * np.arange(12) / 12), atol=1e-15)
