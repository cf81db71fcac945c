"""mpirun -n N python3 mpi4py_fft_cases.py [SECONDS [CASE]]: the cases of distributed.cpp by mpi4py-fft (FFTW_MEASURE), which leaves the output in
slabs of another dimension. Prints the same lines."""
import json
import sys

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

world = MPI.COMM_WORLD
budget = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
cases = [
    ("c2c f32 256x256x256", (256, 256, 256), "F", None),
    ("c2c f64 256x256x256", (256, 256, 256), "D", None),
    ("c2c f32 512x512 batch 64", (64, 512, 512), "F", (1, 2)),
    ("r2c f32 256x256x256", (256, 256, 256), "f", None),
]
only = sys.argv[2] if len(sys.argv) > 2 else ""
for name, shape, kind, axes in cases:
    if only not in name:
        continue
    # Each transform of a batch is cut, as the others do it.
    grid = (1, world.size, 1) if axes else (world.size, 1, 1)
    fft = PFFT(world, shape, axes=axes, dtype=kind, grid=grid)
    u, v = newDistArray(fft, False), newDistArray(fft, True)
    u[...] = np.sin(0.37 * np.arange(u.size).reshape(u.shape) + world.rank) + 0.25
    first = u.copy()
    fft.forward(u, v, normalize=False)
    back = fft.backward(v, newDistArray(fft, False), normalize=True)
    sums = [float(np.sum(np.abs(back - first) ** 2)), float(np.sum(np.abs(first) ** 2))]
    error = np.sqrt(world.allreduce(sums[0]) / world.allreduce(sums[1]))
    # The transform of its own arrays, so that no copy by Python counts.
    best, spent, i = 1e30, 0.0, 0
    while i < 3 or spent < budget:
        world.Barrier()
        begin = MPI.Wtime()
        fft.forward(normalize=False)
        seconds = world.allreduce(MPI.Wtime() - begin, MPI.MAX)
        best, spent, i = min(best, seconds), spent + seconds, i + 1
    if world.rank == 0:
        print(json.dumps({"library": "mpi4py-fft", "case": name, "ranks": world.size,
                          "seconds": float("%.6g" % best), "error": float("%.2g" % error)}), flush=True)
    fft.destroy()
