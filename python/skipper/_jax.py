"""Arrays of JAX. Outside of traces they are transformed as they lie in the host's memory. In traces (jit, grad, vmap) a
transform is a callback to the host, with derivatives of any order in both modes. On GPUs data goes through the host."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from skipper import _adjoint, _core
from skipper._call import Call


def transform(call, x):
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        x = x.astype(jnp.result_type(float))
    elif x.dtype in (jnp.float16, jnp.bfloat16):
        x = x.astype(jnp.float32)
    if isinstance(x, jax.core.Tracer):
        return _traced(_hashable(call), x)
    y = _host(call, x)
    return jax.device_put(y, x.sharding if _is_single(x) else None)


def _is_single(x):
    return len(x.devices()) == 1


def _host(call, x):
    return _core.transform(call.function, call.many, np.asarray(x), call.type, call.size, call.axis, call.norm, False,
                           call.workers, call.orthogonalize, None)


def _hashable(call):
    as_tuple = lambda v: tuple(int(i) for i in v) if hasattr(v, "__iter__") else v  # noqa: E731
    return call._replace(size=as_tuple(call.size), axis=as_tuple(call.axis))


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def _traced(call: Call, x):
    return _callback(call, x)


@_traced.defjvp
def _traced_jvp(call, primals, tangents):
    (x,), (tangent,) = primals, tangents
    shape, is_complex = x.shape, jnp.iscomplexobj(x)

    def transposed(_, cotangent):  # JAX pairs without conjugation
        result = _adjoint.adjoint(_Ops, call, jnp.conj(cotangent), shape, is_complex)
        return jnp.conj(result).astype(x.dtype)

    linear = jax.custom_derivatives.linear_call(lambda _, t: _traced(call, t), transposed, (), tangent)
    return _traced(call, x), linear


def _callback(call, x):
    scalar = {"float32": 2, "float64": 3, "complex64": 6, "complex128": 7}[x.dtype.name]
    shape, out = _core.out_side(call.function, call.many, scalar, tuple(x.shape), call.type, call.size, call.axis)
    dtype = [None, None, np.float32, np.float64, None, None, np.complex64, np.complex128][out]
    return jax.pure_callback(functools.partial(_host, call), jax.ShapeDtypeStruct(shape, dtype), x,
                             vmap_method="sequential")


class _Ops:
    """What an adjoint is made of."""

    @staticmethod
    def transform(call, x):
        return transform(call, x)

    @staticmethod
    def weights(values, like):
        return jnp.asarray(values, dtype=jnp.real(like).dtype)

    @staticmethod
    def padded(x, shape):
        return jnp.pad(x, [(0, want - have) for have, want in zip(x.shape, shape)])

    @staticmethod
    def real(x):
        return jnp.real(x)


def call_plan(plan, x, out, stream):
    if out is not None or stream is not None:
        raise _core.Error("out: arrays of JAX cannot be written, and JAX has its own streams; leave out and stream away")
    return jax.device_put(plan(np.asarray(x)), x.sharding)
