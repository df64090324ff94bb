"""XLA through JAX, compiled for the shapes of the case. The output of one call is
given to the next one to write to."""

import os

from data import EPSILON
from engines.engine import Engine, Program, Unsupported


def set_flags(threads, *flags):
    """Has to come before JAX is imported."""
    # Its thread pool is as large as the set of cores that this process may use.
    eigen = "true" if threads > 1 else "false"
    os.environ["XLA_FLAGS"] = " ".join(
        [f"--xla_cpu_multi_thread_eigen={eigen}", *flags])
    os.environ["JAX_PLATFORMS"] = "cpu"


def make_function(case):
    """The definition of the operation; 16-bit types are computed in f32."""
    import jax.numpy as jnp

    def widen(x):
        return x.astype(jnp.float32) if x.dtype.itemsize == 2 else x

    def mvn(x):
        wide = widen(x)
        difference = wide - wide.mean(case.axes, keepdims=True)
        variance = (difference * difference).mean(case.axes, keepdims=True)
        return (difference / (jnp.sqrt(variance) + EPSILON)).astype(x.dtype)

    def mean(*inputs):
        total = widen(inputs[0])
        for x in inputs[1:]:
            total = total + widen(x)
        return (total * (1 / len(inputs))).astype(inputs[0].dtype)

    function = mvn if case.operation == "mvn" else mean
    return lambda previous_output, *inputs: function(*inputs)


class JaxProgram(Program):
    def __init__(self, compiled, inputs, output):
        self.compiled, self.inputs, self.output = compiled, inputs, output

    def run(self):
        self.output = self.compiled(self.output, *self.inputs).block_until_ready()

    def result(self):
        import numpy as np

        return np.asarray(self.output)


class Xla(Engine):
    def __init__(self, threads, *flags):
        super().__init__(threads)
        set_flags(threads, *flags)
        import jax

        jax.config.update("jax_enable_x64", True)
        # Calls run on the calling thread.
        jax.config.update("jax_cpu_enable_async_dispatch", False)

    def version(self):
        import jax
        import jaxlib

        return f"{jaxlib.__version__} (JAX {jax.__version__})"

    def prepare(self, case, inputs, output):
        import jax

        if case.dynamic:
            raise Unsupported("compiles for known sizes only")
        device_inputs = [jax.device_put(array) for array in inputs]
        device_output = jax.device_put(output)
        function = jax.jit(make_function(case), donate_argnums=0, keep_unused=True)
        compiled = function.lower(device_output, *device_inputs).compile()
        return JaxProgram(compiled, device_inputs, device_output)


class XlaWithoutYnnReduce(Xla):
    """With reductions kept out of YNNPACK fusions."""

    def __init__(self, threads):
        super().__init__(threads, "--xla_cpu_experimental_ynn_fusion_type=-reduce")
