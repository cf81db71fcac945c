"""Poisson and Helmholtz problems on a box: laplace(phi) + shift phi = f in one, two or three dimensions, solved directly.

    phi = skipper.poisson.solve(f)                                      # every axis periodic, the box of size 1
    phi = skipper.poisson.solve(f, bc=["periodic", ("dirichlet", "neumann")], box=(2.0, 1.0))

The mathematics is in docs/poisson.md.
"""
import math

import numpy as np

from . import _core, _view
from ._problem import error, precision_of
from ._progress import reporter
from ._workspace import workspace as workspace_for
from .stream import cancelled, limit_of

__all__ = ["Solver", "points", "solve"]

_BOUNDARIES = ("periodic", "neumann", "dirichlet")


def _for_each(argument, given, count, is_one):
    """One value for each axis: a single one stands for all."""
    if is_one(given):
        return [given] * count
    values = list(given)
    if len(values) != count:
        raise error(argument, f"has {len(values)} entries for {count} axes; give one for each, or one for all")
    return values


def _is_number(value):
    return value is None or np.isscalar(value)


def _is_word(value):
    return value is None or isinstance(value, (str, bool))


def _sides(bc, axis):
    """The conditions on the low and the high side of an axis."""
    pair = (bc, bc) if isinstance(bc, str) else bc
    if not (isinstance(pair, (tuple, list)) and len(pair) == 2 and all(side in _BOUNDARIES for side in pair)):
        raise error(f"bc[{axis}]", f"is {bc!r} but must be 'periodic', 'neumann' or 'dirichlet', or a pair of the last two")
    return pair


def _axes(shape, bc, box, centring, tridiagonal, coordinates):
    count = len(shape)
    bcs = _for_each("bc", bc, count, lambda v: isinstance(v, str))
    lengths = _for_each("box", 1.0 if box is None else box, count, _is_number)
    centrings = _for_each("centring", centring, count, _is_word)
    if tridiagonal is not None and not -count <= tridiagonal < count:
        raise error("tridiagonal", f"is {tridiagonal} but must be the number of an axis, {-count} to {count - 1}, or None")
    swept = None if tridiagonal is None else tridiagonal % count
    stretched = {axis % count: values for axis, values in (coordinates or {}).items()}
    axes = []
    for d in range(count):
        low, high = _sides(bcs[d], d)
        axes.append(_core.PoissonAxis(int(shape[d]), float(lengths[d]), low, high, centrings[d], d == swept,
                                      [float(x) for x in stretched.get(d, ())]))
    return axes


def points(shape, bc="periodic", box=None, centring="cell", coordinates=None):
    """Where the unknowns are: one array for each axis. Arguments as those of Solver."""
    axes = _axes(_shape_of(shape), bc, box, centring, None, coordinates)
    return tuple(np.array(axis.points()) for axis in axes)


def _shape_of(shape):
    return (int(shape),) if np.isscalar(shape) else tuple(int(n) for n in shape)


class Solver:
    """A problem made ready to be solved for many right sides.

    shape        of f and phi; one to three axes
    dtype        float32 or float64; complex64 and complex128 on host arrays, without boundary values
    bc           'periodic', 'neumann' or 'dirichlet' for all axes, or one entry for each: a word for both sides or a pair
    box          the lengths of the box, one number or one for each axis; 1 unless given
    centring     'cell' or 'node', for all axes or for each: docs/poisson.md has the grids
    shift        of the Helmholtz term; zero or below is always solvable
    symbols      'second_order', whose three-point equation phi satisfies exactly, or 'spectral'
    tridiagonal  the axis that is solved by elimination instead of transforms, not a periodic one; or None
    coordinates  {axis: the faces of its cells, or all its nodes} of a stretched grid, for one axis
    zero_mode    which phi is meant where only its mean is undetermined: 'zero_mean', 'pin' (zero at the first point), or
                 'error' where f has no solution
    device       'cpu', 'cuda:0' or 'best', which also takes arrays of the host where it is a GPU
    threads      of a CPU; 0: one a core
    memory_limit bytes: host arrays then go through the device slice by slice, as by skipper.stream
    strategy     with memory_limit: 'automatic', 'host_and_device' or 'device_only'
    """

    def __init__(self, shape, dtype="float32", bc="periodic", box=None, *, centring="cell", shift=0.0,
                 symbols="second_order", tridiagonal=None, coordinates=None, zero_mode="zero_mean", device="cpu", threads=0,
                 memory_limit=None, strategy="automatic"):
        self.shape = _shape_of(shape)
        self.dtype = np.dtype(dtype)
        precision = precision_of("dtype", self.dtype)
        if precision == "f16":
            raise error("dtype", "is float16; solve in float32 or float64")
        self.axes = _axes(self.shape, bc, box, centring, tridiagonal, coordinates)
        is_complex = self.dtype.kind == "c"
        problem = _core.PoissonProblem(self.axes, precision, is_complex, float(shift), symbols, zero_mode)
        self.is_singular = problem.is_singular
        self.is_streamed = memory_limit is not None or is_complex
        self._limit = limit_of(memory_limit)
        if self.is_streamed:
            self._solver = _core.StreamPoisson(problem, device, int(threads), self._limit, strategy)
        else:
            self._solver = _core.Poisson(problem, device, int(threads))
        self._is_best = device == "best"
        self.defect = 0.0

    def __call__(self, f, out=None, *, values=None, progress=None, workspace=None):
        """Solves for f and returns phi, in out where it is given, which may be f itself.

        values    what is prescribed on the boundaries: {axis: (low, high)}. Each side is a number, an array of the face's
                  shape, or None for zero; phi itself where the side is Dirichlet, its derivative towards larger coordinates
                  where it is Neumann.
        progress  with memory_limit: True for a bar, or a function of (slices done, slices)
        workspace with memory_limit: an array or the folder of a temporary file, as skipper.stream's

        The attribute `defect` is then what had to be taken off f to have a solution; zero where every f has one.
        """
        f = _view.of("f", f)
        f.check(self.shape, self.dtype, "cpu" if self.is_streamed else self._solver.device, self._is_best)
        f = f.dense()
        phi = _view.output(f, out, self.shape, self.dtype)
        faces = self._faces(values)
        report = reporter(progress, "solve")
        try:
            kept, address = self._workspace(f, phi, workspace)
            finished, self.defect = self._solver.solve(f.pointer(), phi.pointer(), faces, f.stream(), address, report,
                                                       (f.given, phi.given))
        finally:
            if report is not None:
                report.close()
        if not finished:
            raise cancelled()
        return phi.returned()

    def _workspace(self, f, phi, given):
        if self.is_streamed:
            return workspace_for(self.workspace_bytes, self._limit, self.device, given, f.to_host(), phi.to_host())
        return f.workspace(self.workspace_bytes)

    def _faces(self, values):
        """Low and high values of each axis, flat; empty for zero."""
        if not values:
            return []
        count = len(self.shape)
        faces = [np.zeros(0)] * (2 * count)
        for axis, sides in dict(values).items():
            if not -count <= axis < count:
                raise error("values", f"has the axis {axis}, but there are {count}; use {-count} to {count - 1}")
            d = axis % count
            shape = self.shape[:d] + self.shape[d + 1:]
            if not (isinstance(sides, (tuple, list)) and len(sides) == 2):
                raise error(f"values[{axis}]", "must be a pair (low, high), with None for zero")
            for side in (0, 1):
                faces[2 * d + side] = _face(f"values[{axis}][{side}]", sides[side], shape)
        return faces

    def points(self):
        """Where the unknowns are: one array for each axis."""
        return tuple(np.array(axis.points()) for axis in self.axes)

    def describe(self):
        """What a solve does, step by step, as text."""
        return self._solver.describe()

    device = property(lambda self: self._solver.device, doc="'cpu' or 'cuda:0'.")
    workspace_bytes = property(lambda self: self._solver.workspace_bytes, doc="Memory that a solve needs beyond its arrays.")
    device_bytes = property(lambda self: self._solver.device_bytes if self.is_streamed else 0,
                            doc="With memory_limit: most of the device's memory; else 0.")
    trips = property(lambda self: self._solver.trips if self.is_streamed else 0,
                     doc="With memory_limit: how often data go to the device and back; else 0.")


def _face(argument, value, shape):
    if value is None:
        return np.zeros(0)
    face = np.asarray(value, dtype=np.float64)
    if face.ndim == 0:
        return face.reshape(1)
    if face.shape != shape and face.size != math.prod(shape):
        raise error(argument, f"has the shape {face.shape} but the face is {shape}; give that, a number, or None")
    return np.ascontiguousarray(face).reshape(-1)


def solve(f, bc="periodic", box=None, *, values=None, out=None, progress=None, workspace=None, device=None, **problem):
    """Solves laplace(phi) + shift phi = f and returns phi, an array of the library and on the device of f.

    bc, box and further words are those of Solver, values, out, progress and workspace those of calling it. Lists and integers are taken
    as float64.
    """
    array = _view.of("f", f)
    if array.dtype.kind in "biu":
        array = array.cast(np.dtype("float64"))
    solver = Solver(array.shape, array.dtype, bc, box, device=device or array.device, **problem)
    return solver(array, out, values=values, progress=progress, workspace=workspace)
