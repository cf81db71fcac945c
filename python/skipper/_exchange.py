"""Transforms of arrays that lie behind a pointer, on a CPU or a GPU, whatever library they belong to.

A library is a module with these functions (_torch.py, _cupy.py):
    scalar(x)                     the number of its element type (_call.py), None where it is none of them
    converted(x, scalar)          x in that element type
    conjugated(x)
    described(x)                  x, pointer, shape, strides in elements, number of the GPU or -1; copies what Skipper cannot take
    empty(x, shape, scalar)       a new array beside x
    zeros(x, shape, scalar)
    pointer(y)
    workspace(x, bytes)           what keeps memory on x's device, and its pointer
    stream(x)                     the current stream's handle, 0 on a CPU
    is_capturing(x)               whether that stream is being captured into a graph
    default_scalar()              for arrays of integers
"""

from skipper import _core
from skipper._call import HFFT, IHFFT, input_scalar


def transform(library, call, x):
    given = x
    scalar = library.scalar(x)
    wanted = input_scalar(call.function, library.default_scalar() if scalar is None else scalar)
    if wanted != scalar:
        x = library.converted(x, wanted)
    if call.function == HFFT:
        x = library.conjugated(x)
    x, pointer, shape, strides, device = library.described(x)
    plan, out_shape, out_scalar = _core.prepare(
        call.function, call.many, wanted, shape, strides, call.type, call.size, call.axis, call.norm, call.workers,
        call.orthogonalize, device)
    if plan is None:
        return given if out_shape is None else library.zeros(x, out_shape, out_scalar)
    out = library.empty(x, out_shape, out_scalar)
    _run(library, plan, x, pointer, library.pointer(out), out, device)
    return library.conjugated(out) if call.function == IHFFT else out


def _run(library, plan, x, pointer, out_pointer, out, device):
    if device < 0:
        plan.execute(pointer, out_pointer, (x, out))
        return
    if library.is_capturing(x):
        plan.pin()
    kept, workspace = library.workspace(x, plan.workspace_bytes)
    plan.execute(pointer, out_pointer, None, workspace, library.stream(x))
    del kept  # allocators of these libraries order its next use behind this stream


def call_plan(library, plan, x, out, stream):
    """plan(x, out, stream) on arrays of a library."""
    in_shape, in_scalar = plan._in_side
    out_shape, out_scalar = plan._out_side
    _check_side("x", library, x, in_shape, in_scalar, plan)
    x, pointer, _, strides, device = library.described(x)
    if out is None:
        out = library.empty(x, out_shape, out_scalar)
    _check_side("out", library, out, out_shape, out_scalar, plan)
    _, out_pointer, _, out_strides, _ = library.described(out)
    if out_pointer != library.pointer(out):
        raise _core.Error("out: its layout is none that a plan can write; give a dense array, or none")
    place = "cpu" if device < 0 else f"cuda:{device}"
    if plan.device != place:
        raise _core.Error(f"x: lies on {place}, the plan is for {plan.device}; make a plan with device={place!r}, or move x")
    if device < 0:
        plan.execute(pointer, strides, out_pointer, out_strides, (x, out))
        return out
    given = stream if stream is not None else library.stream(x)
    dense = strides == _dense(in_shape) and out_strides == _dense(out_shape)
    kept, workspace = library.workspace(x, plan.workspace_bytes if dense else 0)
    plan.execute(pointer, strides, out_pointer, out_strides, None, workspace, given)
    del kept
    return out


def _dense(shape):
    strides, stride = [], 1
    for n in reversed(shape):
        strides.append(stride)
        stride *= n
    return tuple(reversed(strides))


def _check_side(name, library, array, shape, scalar, plan):
    if tuple(array.shape) != shape or library.scalar(array) != scalar:
        from skipper._plan import SCALARS

        raise _core.Error(f"{name}: is {tuple(array.shape)} of {array.dtype}, the plan takes {shape} of {SCALARS[scalar]}; "
                          "convert it, or make a plan for it")
