"""A progress bar on standard error: tqdm's where it is installed, else a plain line."""
import sys


class _PlainBar:
    WIDTH = 40

    def __init__(self, title):
        self._title = title
        self._shown = -1

    def __call__(self, done, total):
        percent = 100 * done // max(total, 1)
        if percent != self._shown:
            self._shown = percent
            bar = "#" * (self.WIDTH * done // max(total, 1))
            print(f"\r{self._title}: {percent:3d} % [{bar:<{self.WIDTH}}]", end="", file=sys.stderr, flush=True)

    def close(self):
        if self._shown >= 0:
            print(file=sys.stderr)


class _TqdmBar:
    def __init__(self, tqdm, title):
        self._tqdm = tqdm
        self._title = title
        self._bar = None

    def __call__(self, done, total):
        if self._bar is None:
            self._bar = self._tqdm(total=total, desc=self._title, unit="slice", file=sys.stderr)
        self._bar.update(done - self._bar.n)

    def close(self):
        if self._bar is not None:
            self._bar.close()


class _Function:
    """A function of the user's."""

    def __init__(self, function):
        self._function = function

    def __call__(self, done, total):
        return self._function(done, total)

    def close(self):
        pass


def reporter(progress, title):
    """What is called after every slice, or None. `progress` is what the user gave: True, False, None or a function."""
    if progress is None or progress is False:
        return None
    if callable(progress):
        return _Function(progress)
    try:
        from tqdm import tqdm
    except ImportError:
        return _PlainBar(title)
    return _TqdmBar(tqdm, title)
