"""Transforms of arrays that are spread over processes, with mpi4py's communicators.

    from mpi4py import MPI
    plan = skipper.distributed.Plan((512, 512, 512), MPI.COMM_WORLD)   # on every rank
    x = np.zeros(plan.in_shape, plan.in_dtype)                         # this rank's part: plan.in_slices of the whole
    spectrum = plan(x)

The package links no MPI: messages go by mpi4py, whichever MPI that was built for, and ranks of one node share memory.
"""
import numpy as np

from . import _core, _view
from ._problem import Transform, error, precision_of

__all__ = ["Communicator", "Plan", "bricks", "pencils", "slabs", "thread_communicators"]

_FAILURE_TAG = 32767  # the largest that every MPI has
_LARGEST_MESSAGE = 1 << 30  # counts are ints


class _Mpi4pyTransport:
    """The calls of mpi4py that C++ makes (python/src/communicator.cpp). Each returns whether it is done."""

    def __init__(self, comm):
        from mpi4py import MPI
        self._mpi = MPI
        self._comm = comm.Dup()
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        node = self._comm.Split_type(MPI.COMM_TYPE_SHARED, self.rank)
        self.on_node = node.allgather(self.rank)
        node.Free()
        self._requests = []
        buffer = getattr(MPI, "buffer", None) or MPI.memory
        self._at = buffer.fromaddress

    def _parts(self, address, count):
        for at in range(0, count, _LARGEST_MESSAGE):
            yield [self._at(address + at, min(_LARGEST_MESSAGE, count - at)), self._mpi.BYTE]

    def receive(self, address, count, rank, tag):
        self._requests += [self._comm.Irecv(part, rank, tag) for part in self._parts(address, count)]
        return False

    def send(self, address, count, rank, tag):
        self._requests += [self._comm.Isend(part, rank, tag) for part in self._parts(address, count)]
        return False

    def gather(self, mine, everyones, count):
        byte = self._mpi.BYTE
        self._requests.append(self._comm.Iallgather([self._at(mine, count), byte],
                                                    [self._at(everyones, count * self.size), count, byte]))
        return False

    def barrier(self):
        self._requests.append(self._comm.Ibarrier())
        return False

    def done(self):
        if not self._mpi.Request.Testall(self._requests):
            return False
        self._requests.clear()
        return True

    def failure(self):
        status = self._mpi.Status()
        if not self._comm.Iprobe(self._mpi.ANY_SOURCE, _FAILURE_TAG, status):
            return None
        text = bytearray(status.Get_count(self._mpi.BYTE))
        self._comm.Recv([text, self._mpi.BYTE], status.Get_source(), _FAILURE_TAG)
        return text.decode(errors="replace")

    def fail(self, text):
        """Told to everybody. Nobody waits for these messages, so what they are sent from is kept for good."""
        for rank in range(self.size):
            if rank != self.rank:
                _kept.append((text, self._comm.Isend([text, self._mpi.BYTE], rank, _FAILURE_TAG)))
        return False

    def close(self, failed):
        if not failed and not self._mpi.Is_finalized():
            self._comm.Free()


_kept = []


def Communicator(comm, timeout=300.0):
    """Makes ranks out of an mpi4py communicator, which is duplicated; collective.

    Plan() does so for itself; with one of these several plans share it. A rank that waits longer than `timeout` seconds for
    another raises Error. After a failure it is spent: make a new one.
    """
    if isinstance(comm, _core.Communicator):
        return comm
    if not all(hasattr(comm, name) for name in ("Dup", "Iallgather", "Split_type")):
        raise error("comm", f"is a {type(comm).__name__} but must be a communicator of mpi4py, as MPI.COMM_WORLD, "
                            "or one of thread_communicators()")
    if not timeout > 0:
        raise error("timeout", f"is {timeout!r} but must be a number of seconds above 0")
    try:
        transport = _Mpi4pyTransport(comm)
    except Exception as e:  # of MPI: COMM_NULL, or MPI is finalised
        raise error("comm", f"cannot be duplicated: {e}; give a communicator that this rank belongs to") from e
    return _core.make_communicator(transport, float(timeout))


def thread_communicators(ranks, timeout=300.0):
    """Communicators for ranks that are threads of this process: entry r is for the thread that is rank r."""
    return _core.thread_communicators(_count(ranks), float(timeout))


def _count(ranks):
    if int(ranks) < 1:
        raise error("ranks", f"is {ranks} but must be at least 1")
    return int(ranks)


def slabs(shape, ranks, axis=0):
    """One box (first, size) a rank that cuts an array along one axis."""
    return _core.box_slabs(list(shape), _count(ranks), axis % len(shape))


def pencils(shape, ranks, whole):
    """One box (first, size) a rank that cuts an array along two axes, but not along `whole`."""
    return _core.box_pencils(list(shape), _count(ranks), whole % len(shape))


def bricks(shape, parts, ranks):
    """One box (first, size) a rank that cuts axis d into parts[d]."""
    return _core.box_bricks(list(shape), list(parts), _count(ranks))


class Plan:
    """A transform of an array that is spread over ranks. Making one and calling it are collective: all ranks do so together.

    shape     of the whole array; for 'r2c' and 'c2r' that of the reals
    comm      a communicator of mpi4py, Communicator(), or one of thread_communicators()
    dtype, kind, inverse, norm   as those of skipper.stream.Plan
    axes      the transformed axes, the last ones of the array in their order; all unless given
    in_boxes, out_boxes   one (first, size) a rank, as slabs(), pencils() and bricks() make them; slabs of axis 0 unless given
    any_output    leaves the output where that is cheapest, which spares an exchange; out_slices then says where it is
    in_order, out_order   'natural', or 'permuted': an axis that is split over ranks keeps the order of its digits
    exchange  'automatic', 'direct', 'messages', and on GPUs those of docs/distributed.md
    device    of this rank: 'cpu' or 'cuda:0'
    threads   of this rank; 0: its share of the node's cores
    timeout   seconds that ranks may be apart
    """

    def __init__(self, shape, comm, dtype="complex64", kind="c2c", axes=None, inverse=False, norm=None, in_boxes=None,
                 out_boxes=None, any_output=False, in_order="natural", out_order="natural", exchange="automatic", pieces=0,
                 device="cpu", threads=0, timeout=300.0):
        transform = Transform(shape, precision_of("dtype", np.dtype(dtype)), kind, axes, inverse, norm)
        rank = len(transform.shape)
        if transform.axes != tuple(range(rank - len(transform.axes), rank)):
            raise error("axes", f"are {transform.axes}, but ranks transform the last axes of an array in their order; "
                                "move the others to the front, as by np.moveaxis")
        self.comm = Communicator(comm, timeout)
        self.in_dtype, self.out_dtype = np.dtype(transform.dtype("in")), np.dtype(transform.dtype("out"))
        self._plan = _core.DistributedPlan(transform.text(), self.comm, _boxes("in_boxes", in_boxes),
                                           _boxes("out_boxes", out_boxes), bool(any_output), in_order, out_order, exchange,
                                           int(pieces), device, int(threads))
        self.device = _core.device_name(device)
        self.in_shape = tuple(self.in_box()[1])
        self.out_shape = tuple(self.out_box()[1])

    def __call__(self, x, out=None):
        """Transforms this rank's part x, of in_shape, into out, of out_shape, and returns it. Collective."""
        try:
            x = _view.of("x", x)
            x.check(self.in_shape, self.in_dtype, self.device)
            x = x.dense()
            y = _view.output(x, out, self.out_shape, self.out_dtype, apart=True)
        except Exception as e:
            self.comm.fail(str(e))  # the others would wait for this rank
            raise
        self._plan.execute(x.pointer(), y.pointer(), x.stream())
        return y.returned()

    def in_box(self, rank=None):
        """(first, size) of a rank's input, of this one's unless another is named."""
        return self._plan.in_box(self.comm.rank if rank is None else rank)

    def out_box(self, rank=None):
        """(first, size) of a rank's output, of this one's unless another is named."""
        return self._plan.out_box(self.comm.rank if rank is None else rank)

    @property
    def in_slices(self):
        """Which part of the whole input is this rank's, to index it with."""
        return _slices("in", self.in_box(), self.in_order)

    @property
    def out_slices(self):
        """Which part of the whole output is this rank's, to index it with."""
        return _slices("out", self.out_box(), self.out_order)

    def in_index(self, i):
        """The place in the whole input, flat and in natural order, of this rank's element i."""
        return self._plan.in_index(i)

    def out_index(self, i):
        """The place in the whole output, flat and in natural order, of this rank's element i."""
        return self._plan.out_index(i)

    def describe(self):
        """The stages, one a line."""
        return self._plan.describe()

    problem = property(lambda self: self._plan.problem, doc="The problem as text.")
    in_order = property(lambda self: self._plan.in_order, doc="'natural' or 'permuted'.")
    out_order = property(lambda self: self._plan.out_order, doc="'natural' or 'permuted'.")
    exchange = property(lambda self: self._plan.exchange, doc="How data get from rank to rank.")
    exchanges = property(lambda self: self._plan.exchanges, doc="How often they do.")
    sent_bytes = property(lambda self: self._plan.sent_bytes, doc="What this rank sends to others in an execution.")
    memory_bytes = property(lambda self: self._plan.memory_bytes, doc="Memory that this rank holds beyond its arrays.")


def _boxes(argument, boxes):
    try:
        return [(list(map(int, first)), list(map(int, size))) for first, size in boxes or ()]
    except (TypeError, ValueError):
        raise error(argument, "must have a pair (first, size) of lists for each rank, as slabs() makes them") from None


def _slices(side, box, order):
    if order == "permuted":
        raise error(f"{side}_slices", f"has no slices, since the {side}put is in permuted order; use {side}_index()")
    return tuple(slice(first, first + size) for first, size in zip(*box))

