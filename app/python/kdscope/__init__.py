"""kd-trees: the builders of kdscope, searches of points, and recorded runs.

KDTree has the interface of scipy.spatial.KDTree, and CudaTree searches arrays that stay on a CUDA device. record()
keeps every step of a construction; a notebook shows it as an interactive page. variant() tries a builder with stages of
one's own. Units are those of the points; distances are not squared. Errors are one sentence each: ValueError for what
was given, OSError for files, MemoryError, KeyboardInterrupt for work that Ctrl+C stopped, and RuntimeError for devices.
"""

from kdscope._core import version as __version__
from kdscope._builders import Builder, builders
from kdscope._cuda import CudaArray, CudaTree
from kdscope._trace import Check, Step, Steps, Trace, open, record
from kdscope._tree import KDTree
from kdscope._variant import VariantResult, WrongElement, variant

__all__ = [
    "Builder",
    "Check",
    "CudaArray",
    "CudaTree",
    "KDTree",
    "Step",
    "Steps",
    "Trace",
    "VariantResult",
    "WrongElement",
    "__version__",
    "builders",
    "open",
    "record",
    "variant",
]
