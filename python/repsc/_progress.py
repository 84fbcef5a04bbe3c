"""Progress of long work: a bar of tqdm where that is installed, else a line now and then."""

import sys
import time


class _Bar:
    """One bar a stage."""

    def __init__(self, tqdm):
        self._tqdm = tqdm
        self._bar = None
        self._stage = None

    def __call__(self, stage, done, total, value):
        if stage != self._stage:
            self.close()
            self._bar = self._tqdm(desc=stage, total=total or None, leave=True)
            self._stage = stage
        self._bar.n = done
        self._bar.set_postfix_str(f"{value:.2g}")

    def close(self):
        if self._bar is not None:
            self._bar.close()


class _Lines:
    """A line a second."""

    def __init__(self):
        self._last = 0.0

    def __call__(self, stage, done, total, value):
        now = time.monotonic()
        if now - self._last >= 1:
            self._last = now
            of = f" of {total}" if total else ""
            print(f"repsc: {stage} {done}{of} ({value:.2g})", file=sys.stderr)

    def close(self):
        pass


class progress:
    """A context: what the engine is to call, or None where ``verbose`` is 0."""

    def __init__(self, verbose):
        self._shown = None
        if verbose:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self._shown = _Lines()
            else:
                self._shown = _Bar(tqdm)

    def __enter__(self):
        return self._shown

    def __exit__(self, *_):
        if self._shown is not None:
            self._shown.close()
