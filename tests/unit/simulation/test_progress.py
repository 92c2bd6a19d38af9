"""Progress never goes back, counts its time from the first play, and is said where it is wanted."""

import io
import queue
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quack.simulation import progress
from quack.simulation.progress import Progress, reporting


@pytest.fixture
def clock(monkeypatch):
    """Return a clock to set."""

    class Clock:
        now_s = 100.0

        def perf_counter(self):
            return self.now_s

    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    return made


@given(st.lists(st.integers(0, 200)))
def test_it_never_goes_back_and_never_exceeds_the_total(counts):
    seen = []
    with reporting(seen.append, 100) as tell:
        for count in counts:
            tell(count, "it")
    done = [now.done for now in seen]
    assert done == sorted(done)
    assert all(0 <= count <= 100 for count in done)


def test_time_left_counts_from_the_first_play(clock):
    seen = []
    with reporting(seen.append, 1000) as tell:
        clock.now_s += 60  # the compiler's
        tell(None, "compiling it")
        clock.now_s += 2
        tell(100, "it")
    assert seen[0] == Progress(0, 1000, 60.0, "compiling it", 60.0)
    assert seen[0].left_s == float("inf")
    assert seen[1].elapsed_s == 62
    assert seen[1].per_s == pytest.approx(100 / 2)
    assert seen[1].left_s == pytest.approx(900 / 50)


def test_false_says_nothing(capsys):
    with reporting(False, 10) as tell:
        tell(10, "it")
    assert capsys.readouterr() == ("", "")


def test_a_pipe_gets_a_line_now_and_then(clock, capsys):
    with reporting(True, 1000) as tell:
        tell(None, "compiling it")
        clock.now_s += 11
        tell(None, "compiling it")
        clock.now_s += 5
        tell(0, "it")
        clock.now_s += 5
        tell(500, "it")
    assert capsys.readouterr() == ("", "compiling it: 0% after 11 s\nit: 50% after 21 s, about 10 s left\n")


def test_a_pipe_hears_of_what_takes_long_and_tells_nothing(clock, monkeypatch):
    said = queue.Queue()
    monkeypatch.setattr(progress, "_REMIND_S", 0.001)
    monkeypatch.setattr(progress, "_say", said.put)
    with reporting(True, 10) as tell:
        tell(None, "compiling it")
        clock.now_s += 12
        assert said.get(timeout=60) == Progress(0, 10, 12.0, "compiling it")


def test_a_pipe_that_nobody_reads_does_not_end_the_simulation(clock, monkeypatch):
    class Closed(io.StringIO):
        def write(self, _text):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Closed())
    with reporting(True, 10) as tell:
        clock.now_s += 100
        tell(5, "it")


def test_a_terminal_gets_a_bar_that_goes_away(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", output := Terminal())
    with reporting(True, 1000) as tell:
        tell(None, "[red]compiling[/]")
        tell(500, "[red]it[/]")
    said = output.getvalue()
    assert "[red]it[/]" in said
    assert "50%" in said
    assert "agent-rounds/s" in said
    assert said.endswith("\x1b[2K")  # the line is erased


def test_what_was_done_before_is_no_speed(clock):
    seen = []
    with reporting(seen.append, 1000, 600) as tell:
        tell(None, "it")
        clock.now_s += 2
        tell(100, "it")
        tell(200, "it", 0.25)
    assert [now.done for now in seen] == [600, 700, 800]
    assert seen[0].left_s == float("inf")
    assert seen[1].per_s == pytest.approx(100 / 2)
    assert seen[1].left_s == pytest.approx(300 / 50)
    assert seen[2].left_s == pytest.approx(2 * 0.25)  # what is ahead is cheap


def test_resumed_work_is_said_without_a_rate(clock, capsys):
    with reporting(True, 1000, 600) as tell:
        clock.now_s += 11
        tell(None, "compiling it")
        clock.now_s += 10
        tell(200, "it")
    assert capsys.readouterr().err == "compiling it: 60% after 11 s\nit: 80% after 21 s, about 10 s left\n"
