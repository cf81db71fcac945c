"""skipper.poisson against Laplacians taken by differences and by hand."""
import itertools
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import skipper
from skipper import poisson

PAIRS = ["periodic", "neumann", "dirichlet", ("neumann", "dirichlet"), ("dirichlet", "neumann")]


def second_difference(phi, axis, sides, h, centring="cell"):
    """The three-point second derivative with homogeneous conditions, by padding with what lies beyond the boundary."""
    phi = np.moveaxis(phi, axis, 0)
    low, high = (sides, sides) if isinstance(sides, str) else sides
    if low == "periodic":
        before, after = phi[-1], phi[0]
    elif centring == "cell":
        before = phi[0] if low == "neumann" else -phi[0]
        after = phi[-1] if high == "neumann" else -phi[-1]
    else:
        before = phi[1] if low == "neumann" else 0 * phi[0]
        after = phi[-2] if high == "neumann" else 0 * phi[0]
    padded = np.concatenate([before[None], phi, after[None]])
    return np.moveaxis((padded[2:] - 2 * padded[1:-1] + padded[:-2]) / h**2, 0, axis)


def mean_free(f, bc):
    return f - f.mean() if "dirichlet" not in str(bc) else f


@pytest.mark.parametrize("bc", [p for p in itertools.product(PAIRS, repeat=2)], ids=str)
def test_two_axes_of_all_boundaries(bc):
    f = mean_free(np.random.default_rng(1).standard_normal((12, 15)), bc)
    phi = poisson.solve(f, bc=bc, box=(2.0, 0.5))
    laplacian = second_difference(phi, 0, bc[0], 2.0 / 12) + second_difference(phi, 1, bc[1], 0.5 / 15)
    assert np.abs(laplacian - f).max() < 1e-9


@pytest.mark.parametrize("tridiagonal", [None, 1])
@pytest.mark.parametrize("dtype, limit", [("float32", 1e-3), ("float64", 1e-9)])
def test_three_axes_with_shift(dtype, limit, tridiagonal):
    bc = ["periodic", ("dirichlet", "neumann"), "neumann"]
    f = np.random.default_rng(2).standard_normal((8, 9, 10)).astype(dtype)
    phi = poisson.solve(f, bc=bc, shift=-3.0, tridiagonal=tridiagonal)
    assert phi.dtype == dtype
    laplacian = sum(second_difference(phi, d, bc[d], 1.0 / n) for d, n in enumerate(f.shape))
    assert np.abs(laplacian - 3.0 * phi - f).max() < limit * 10


def test_nodes():
    f = np.random.default_rng(3).standard_normal((9, 11))
    phi = poisson.solve(f, bc=["dirichlet", ("neumann", "dirichlet")], centring="node")
    laplacian = second_difference(phi, 0, "dirichlet", 1 / 10, "node") + second_difference(phi, 1, ("neumann", "dirichlet"), 1 / 11, "node")
    assert np.abs(laplacian - f).max() < 1e-9
    x = poisson.points((9, 11), ["dirichlet", ("neumann", "dirichlet")], centring="node")
    assert np.allclose(x[0], np.arange(1, 10) / 10) and np.allclose(x[1], np.arange(11) / 11)


def test_spectral_symbols_are_exact_for_smooth_f():
    solver = poisson.Solver((32, 32), "float64", ["periodic", "dirichlet"], (2 * np.pi, np.pi), symbols="spectral")
    x, y = np.meshgrid(*solver.points(), indexing="ij")
    phi = np.cos(3 * x) * np.sin(2 * y)
    assert np.abs(solver(-(9 + 4) * phi) - phi).max() < 1e-12


def test_values_on_boundaries():
    solver = poisson.Solver((20, 20), "float64", ["periodic", ("dirichlet", "neumann")], tridiagonal=1)
    phi = solver(np.zeros((20, 20)), values={1: (1.0, -1.0)})
    assert np.allclose(phi, 1 - solver.points()[1])
    x, y = np.meshgrid(*poisson.points((16, 20), "dirichlet"), indexing="ij")  # x^2 - y^2, which the three-point formula is exact for
    edge = np.array([0.0, 1.0])
    values = {0: ((edge[0] - y[0] ** 2), (edge[1] - y[0] ** 2)), -1: (x[:, 0] ** 2, x[:, 0] ** 2 - 1)}
    phi = poisson.solve(np.zeros(x.shape), "dirichlet", values=values, tridiagonal=0)
    assert np.abs(phi - (x**2 - y**2)).max() < 2e-3


def test_stretched_axis():
    faces = np.tanh(np.linspace(-2, 2, 33))
    solver = poisson.Solver((8, 32), "float64", ["periodic", ("dirichlet", "neumann")], coordinates={1: faces})
    phi = solver(np.zeros((8, 32)), values={1: (0.0, 2.0)})
    assert np.allclose(phi, 2 * (solver.points()[1] - faces[0]))


def test_zero_modes():
    f = np.random.default_rng(4).standard_normal((8, 8))
    solver = poisson.Solver((8, 8), "float64")
    phi = solver(f)
    assert solver.is_singular and abs(phi.mean()) < 1e-12 and np.isclose(solver.defect, f.mean())
    pinned = poisson.solve(f, zero_mode="pin")
    assert pinned[0, 0] == 0 and np.allclose(pinned - pinned.mean(), phi)
    with pytest.raises(skipper.Error, match="solution|defect"):
        poisson.solve(f, zero_mode="error")
    assert np.allclose(poisson.solve(f - f.mean(), zero_mode="error"), phi)


def test_out_and_in_place():
    f = np.random.default_rng(5).standard_normal((8, 8)).astype("float32")
    solver = poisson.Solver((8, 8), bc="neumann")
    expected, out = solver(f), np.empty_like(f)
    assert solver(f, out) is out and np.array_equal(out, expected)
    assert np.array_equal(solver(f.T.copy().T), expected)  # column-major
    solver(f, f)
    assert np.array_equal(f, expected)


def test_streamed_and_complex():
    f = np.random.default_rng(6).standard_normal((32, 32, 32))
    expected = poisson.solve(f)
    seen = []
    solver = poisson.Solver(f.shape, "float64", memory_limit=1 << 18)
    assert np.allclose(solver(f, progress=lambda done, total: seen.append((done, total))), expected, atol=1e-12)
    assert solver.device_bytes <= 1 << 18 and seen and seen[-1][0] == seen[-1][1]
    with pytest.raises(skipper.stream.Cancelled):
        solver(f, progress=lambda done, total: False)
    both = poisson.solve(f + 2j * f)
    assert both.dtype == np.complex128 and np.allclose(both, expected * (1 + 2j), atol=1e-12)


def test_integers_and_lists():
    f = [[1, -1], [-1, 1]]
    assert np.allclose(poisson.solve(f), poisson.solve(np.array(f, "float64")))
    assert poisson.solve(np.array(f)).dtype == np.float64


@pytest.mark.parametrize("call, argument", [
    (lambda f: poisson.solve(f, bc="wall"), "bc"),
    (lambda f: poisson.solve(f, bc=["periodic"]), "bc"),
    (lambda f: poisson.solve(f, bc=[("periodic", "neumann"), "periodic"]), "axes"),
    (lambda f: poisson.solve(f, box=(1, 2, 3)), "box"),
    (lambda f: poisson.solve(f, symbols="third"), "symbols"),
    (lambda f: poisson.solve(f, zero_mode="one"), "zero_mode"),
    (lambda f: poisson.solve(f, centring="face"), "centring"),
    (lambda f: poisson.solve(f, tridiagonal=2), "tridiagonal"),
    (lambda f: poisson.solve(f, "dirichlet", values={2: (1, 1)}), "values"),
    (lambda f: poisson.solve(f, "dirichlet", values={0: 1}), "values"),
    (lambda f: poisson.solve(f, "dirichlet", values={0: (np.ones(3), None)}), "values"),
    (lambda f: poisson.solve(f, memory_limit=0), "memory_limit"),
    (lambda f: poisson.solve(f + 0j, "dirichlet", values={0: (1, 1)}), "values"),
    (lambda f: poisson.Solver((8, 8), "float16"), "dtype"),
    (lambda f: poisson.Solver((8, 8))(f), "f"),
    (lambda f: poisson.Solver((8, 9), "float64")(f), "f"),
    (lambda f: poisson.Solver((2, 2, 2, 2)), "axes"),
])
def test_refusals_name_the_argument(call, argument):
    with pytest.raises(skipper.Error) as raised:
        call(np.ones((8, 8)))
    assert raised.value.argument.split("[")[0] == argument and str(raised.value).startswith(raised.value.argument)


@pytest.mark.slow
@pytest.mark.parametrize("call", ["skipper.poisson.Solver(x.shape)", "skipper.FilterPlan(x.shape, np.ones(9, 'float32'))"])
def test_ctrl_c_does_not_wait_for_a_long_call(call):
    code = textwrap.dedent(f"""
        import numpy as np, sys, time, skipper
        x = np.ones((128, 512, 512), "float32")
        plan = {call}
        try:
            print("ready", flush=True)
            for _ in range(1000):
                plan(x)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            time.sleep(3)   # the call that was left ends by itself
            sys.exit(7)
    """)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    os.kill(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 7 and rest.split() == ["interrupted"]
