"""Averages the outputs of an ensemble of models, in bfloat16 as such models give them.

The sum is wider than the type and rounded once, so eight equal outputs average to
themselves, and small differences between models are not lost.
"""

import meanvar
import ml_dtypes
import numpy as np


def main():
    generator = np.random.default_rng(2)
    logits = generator.normal(0, 4, (64, 1000))
    outputs = [(logits + generator.normal(0, 0.05, logits.shape)).astype(ml_dtypes.bfloat16)
               for _ in range(8)]

    average = meanvar.mean(*outputs)

    exact = np.mean([output.astype(np.float64) for output in outputs], axis=0)
    step = np.zeros_like(outputs[0])
    for output in outputs:
        step = step + output
    step = step / ml_dtypes.bfloat16(8)
    ours, theirs = (np.abs(value.astype(np.float64) - exact).max() for value in (average, step))
    print(f"largest error of the mean of 8: {ours:.4f}; adding in bfloat16: {theirs:.4f}")
    agree = (average.astype(np.float32).argmax(1) == exact.argmax(1)).mean()
    print(f"the ensemble votes as the exact mean in {agree:.1%} of {len(exact)} rows")
    assert ours <= theirs
    assert (meanvar.mean(*[outputs[0]] * 8) == outputs[0]).all()


if __name__ == "__main__":
    main()
