"""Ctrl-C, raised only where it does no harm, and never lost."""

import _thread
import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

__all__ = ["Interrupts", "heeding_interrupts"]

_AGAIN_S = 0.025


class Interrupts:
    """What became of Ctrl-C.

    Python raises KeyboardInterrupt wherever the main thread happens to be. Inside a finalizer, or a function that the compiler's
    library calls, it would be printed and forgotten; inside that library's bindings it would leave half-made objects behind; and
    inside `concurrent.futures`, locks that nobody opens again.
    """

    def __init__(self) -> None:
        self.pressed = False
        self._held = False
        self._again: threading.Timer | None = None

    def press(self, _number: int, frame: FrameType | None) -> None:
        """Handle the signal."""
        self.pressed = True
        if self._held:
            return
        if not _is_delicate(frame):
            raise KeyboardInterrupt
        self._again = threading.Timer(_AGAIN_S, _thread.interrupt_main)
        self._again.daemon = True
        self._again.start()

    def heed(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed."""
        if self.pressed:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Raise nothing meanwhile: whoever asks for this calls `heed` from time to time."""
        self._held = True
        try:
            yield
        finally:
            self._held = False

    def forget(self) -> None:
        """Let no signal come that was put off."""
        if self._again is not None:
            self._again.cancel()


@contextlib.contextmanager
def heeding_interrupts() -> Iterator[Interrupts]:
    """Handle Ctrl-C, unless somebody else does, or this is not the main thread, which alone hears of it."""
    interrupts = Interrupts()
    before = signal.getsignal(signal.SIGINT)
    # A forked process inherits the handler of the one that was under way.
    inherited = isinstance(getattr(before, "__self__", None), Interrupts)
    ours = threading.current_thread() is threading.main_thread() and (before is signal.default_int_handler or inherited)
    if ours:
        signal.signal(signal.SIGINT, interrupts.press)
    try:
        yield interrupts
    finally:
        interrupts.forget()
        if ours:
            signal.signal(signal.SIGINT, before)


def _is_delicate(frame: FrameType | None) -> bool:
    """Whether an exception that is raised here would be lost or do harm."""
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if frame.f_code.co_name == "__del__" or module == "weakref" or module.startswith("llvmlite."):
            return True
        frame = frame.f_back
    return False
