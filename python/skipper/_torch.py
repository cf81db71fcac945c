"""Tensors of PyTorch: on CPUs and GPUs, in the current stream, from PyTorch's allocator, with derivatives of any order."""

import sys

import torch

from skipper import _adjoint, _core, _exchange

_DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex32, None, torch.complex64,
           torch.complex128]
_this = sys.modules[__name__]  # what _exchange calls a library
_SCALARS = {dtype: number for number, dtype in enumerate(_DTYPES) if dtype is not None}


def scalar(x):
    return _SCALARS.get(x.dtype)


def default_scalar():
    return _SCALARS[torch.get_default_dtype()]


def converted(x, number):
    return x.to(_DTYPES[number])


def conjugated(x):
    return x.conj().resolve_conj()


def described(x):
    if x.is_conj() or x.is_neg():
        x = x.resolve_conj().resolve_neg()
    if any(s == 0 and n > 1 for s, n in zip(x.stride(), x.shape)):  # an element is repeated
        x = x.contiguous()
    pointer = x.data_ptr()
    device = -1
    if x.is_cuda:
        device = x.get_device()
        if pointer % 16:  # a view that begins where kernels cannot load pairs
            x = x.clone(memory_format=torch.contiguous_format)
            pointer = x.data_ptr()
    elif x.device.type != "cpu":
        raise _core.Error(f"x: lies on {x.device}; skipper computes on CPUs and CUDA devices, move it there")
    return x, pointer, tuple(x.shape), x.stride(), device


def empty(x, shape, number):
    return x.new_empty(shape, dtype=_DTYPES[number])


def zeros(x, shape, number):
    return x.new_zeros(shape, dtype=_DTYPES[number])


def pointer(y):
    return y.data_ptr()


def workspace(x, count):
    if not count:
        return None, 0
    kept = x.new_empty(count, dtype=torch.uint8)
    return kept, kept.data_ptr()


# The handle alone, without a Stream object around it, where this PyTorch can give it.
_raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None) or (
    lambda device: torch.cuda.current_stream(device).cuda_stream)


def stream(x):
    return _raw_stream(x.get_device()) if x.is_cuda else 0


def is_capturing(x):
    return torch.cuda.is_current_stream_capturing()


class _Transform(torch.autograd.Function):
    """A transform is linear, so its derivative is itself, and the way back is its adjoint, made of transforms again."""

    @staticmethod
    def forward(ctx, x, call):
        ctx.call, ctx.shape, ctx.is_complex = call, tuple(x.shape), x.is_complex()
        return _compute(call, x.detach())

    @staticmethod
    def backward(ctx, gradient):
        return _adjoint.adjoint(_Ops, ctx.call, gradient, ctx.shape, ctx.is_complex), None

    @staticmethod
    def jvp(ctx, tangent, _):
        return transform(ctx.call, tangent)


class _Ops:
    """What an adjoint is made of, by functions that PyTorch can differentiate."""

    @staticmethod
    def transform(call, x):
        return transform(call, x)

    @staticmethod
    def weights(values, like):
        kind = torch.float64 if like.dtype in (torch.float64, torch.complex128) else torch.float32
        return torch.tensor(values, dtype=kind, device=like.device)

    @staticmethod
    def padded(x, shape):
        widths = []
        for have, want in zip(reversed(x.shape), reversed(shape)):
            widths += [0, want - have]
        return torch.nn.functional.pad(x, widths)

    @staticmethod
    def real(x):
        return x.real.contiguous() if x.is_complex() else x


def _compute(call, x):
    if call.workers is None and not x.is_cuda:
        call = call._replace(workers=torch.get_num_threads())
    return _exchange.transform(_this, call, x)


def transform(call, x):
    if x.requires_grad and torch.is_grad_enabled() or _is_dual(x):
        return _Transform.apply(x, call)
    return _compute(call, x)


def _is_dual(x):
    """Whether it carries a tangent of forward-mode differentiation."""
    return torch._C._is_fwd_grad_enabled() and torch.autograd.forward_ad._current_level >= 0 and (
        torch.autograd.forward_ad.unpack_dual(x).tangent is not None)


def call_plan(plan, x, out, given):
    return _exchange.call_plan(_this, plan, x, out, given)

