"""Ctrl-C is raised only where it does no harm, and never lost."""

import signal
import threading
import time
import weakref

import pytest

from quack.simulation.interrupts import heeding_interrupts


@pytest.fixture(autouse=True)
def _pythons_own_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press():
    signal.raise_signal(signal.SIGINT)


def wait_for_it(interrupts):
    """Give a press that was put off the time to come."""
    for _ in range(1000):
        time.sleep(0.01)
    interrupts.heed()


def test_it_is_raised_at_once():
    with pytest.raises(KeyboardInterrupt), heeding_interrupts():
        press()


def test_nothing_is_raised_without_it():
    with heeding_interrupts() as interrupts:
        interrupts.heed()


class Finalized:
    def __del__(self):
        press()


def in_a_finalizer():
    made = Finalized()
    del made


def in_a_weak_reference():
    made = type("Plain", (), {})()
    finalizer = weakref.finalize(made, press)
    del made
    assert not finalizer.alive


def in_the_compilers_bindings():
    bindings = {"__name__": "llvmlite.binding.ffi", "press": press}
    exec("press()\nundisturbed = True", bindings)
    assert bindings["undisturbed"]


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("do", [in_a_finalizer, in_a_weak_reference, in_the_compilers_bindings])
def test_it_is_put_off_but_not_lost(do):
    def whole():
        with heeding_interrupts() as interrupts:
            do()
            wait_for_it(interrupts)

    with pytest.raises(KeyboardInterrupt):
        whole()


def test_while_it_is_held_it_waits_to_be_heeded():
    with heeding_interrupts() as interrupts, interrupts.held():
        press()
        press()
        time.sleep(0.05)
        with pytest.raises(KeyboardInterrupt):
            interrupts.heed()


def test_what_was_put_off_does_not_come_later():
    with heeding_interrupts() as interrupts:
        made = Finalized()
        del made
    assert interrupts.pressed
    time.sleep(0.1)


def test_the_handler_before_is_back():
    with heeding_interrupts():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_one_inside_another_takes_over():
    with heeding_interrupts() as outer, outer.held():
        with pytest.raises(KeyboardInterrupt), heeding_interrupts():
            press()
        assert not outer.pressed


def test_somebody_elses_handler_stays():
    heard = []
    signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    with heeding_interrupts():
        press()
    assert heard


def test_another_thread_leaves_it_to_the_main_thread():
    handlers = []

    def run():
        with heeding_interrupts():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]
