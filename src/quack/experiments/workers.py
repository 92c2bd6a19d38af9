"""Who plays a study, if not threads: processes of this machine, or the workers of a Dask cluster."""

import concurrent.futures
import contextlib
import multiprocessing
import os
import threading
from collections.abc import Iterator

from quack.errors import QuackError, SpecError
from quack.extras import require

__all__ = ["cluster", "processes"]

_PATIENCE_S = 10


@contextlib.contextmanager
def processes(workers: int) -> Iterator[concurrent.futures.Executor]:
    """Start so many processes. They pay for plain Python objects, at which threads take turns."""
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_with_parent) as executor:
        yield executor


def _leave_with_parent() -> None:
    """End this process when its parent ends, however that happens: it would wait for work forever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def cluster(address: str) -> Iterator[tuple[concurrent.futures.Executor, int]]:
    """Give the executor of a Dask cluster that is running, and how many threads its workers have.

    A worker that dies costs the time of what it was at: others play that again, to the same bits.
    """
    distributed = require("distributed", "a cluster")
    try:
        client = distributed.Client(address, timeout=_PATIENCE_S, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SpecError(
            f"no Dask scheduler answers at {address!r} ({reason}); such as tcp://10.0.0.1:8786 is accepted"
        ) from error
    lost = (distributed.KilledWorker, distributed.comm.CommClosedError, concurrent.futures.CancelledError)
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise SpecError(f"the cluster at {address} has no workers; `dask worker {address}` starts one")
        try:
            yield client.get_executor(), threads
        except lost as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise QuackError(
                f"the cluster at {address} was lost ({reason}); what is finished is kept, and the same command goes on"
            ) from error
