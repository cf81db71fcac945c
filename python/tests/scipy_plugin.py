"""A plugin of pytest that makes Skipper SciPy's global backend; also in processes that tests start by a fork server."""

import multiprocessing

import scipy.fft

import skipper.scipy

scipy.fft.set_global_backend(skipper.scipy)
multiprocessing.set_forkserver_preload([__name__])
