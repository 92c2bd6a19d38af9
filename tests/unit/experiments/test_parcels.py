"""What is packed is unpacked, and no damage goes unseen."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.experiments import pace
from quack.experiments.parcels import Place, is_whole, list_places, pack, put, take
from quack.simulation.chunk import Chunk, Outcome


def outcome(first, steps):
    steps = np.array(steps, np.int64)
    return Outcome("a", np.arange(first, first + len(steps)), np.cumsum(steps, axis=1), 0.25)


@given(
    st.integers(0, 10**6),
    st.integers(1, 4).flatmap(
        lambda k: st.lists(st.lists(st.lists(st.integers(0, 2**40), min_size=k, max_size=k), min_size=3, max_size=3), min_size=1)
    ),
)
def test_what_is_packed_is_unpacked(tmp_path_factory, first, steps):
    folder = tmp_path_factory.mktemp("parcels")
    before = outcome(first, steps)
    place = put(pack(before, "id"), folder, 3, 1)
    assert list_places(folder) == [place]
    assert place.runs == range(first, first + len(steps))
    after = take(place, "id", "a")
    assert (after.label, after.cpu_s) == ("a", 0.25)
    np.testing.assert_array_equal(after.runs, before.runs)
    np.testing.assert_array_equal(after.plays, before.plays)
    assert after.plays.dtype == np.int64


@pytest.fixture
def place(tmp_path):
    return put(pack(outcome(7, [[[1, 2], [3, 0]]]), "id"), tmp_path, 0, 0)


@given(st.data())
def test_every_damaged_byte_is_seen(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("parcels")
    place = put(pack(outcome(7, [[[1, 2], [3, 0]]]), "id"), folder, 0, 0)
    content = bytearray(place.path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    place.path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    assert not is_whole(place)
    with pytest.raises(quack.StoreError, match="is damaged; `quack run` plays its runs again"):
        take(place, "id", "a")


def test_what_is_of_another_study_or_elsewhere_is_refused(place):
    for changed, identity, label in (
        (place, "other", "a"),
        (place, "id", "b"),
        (place._replace(runs=range(9)), "id", "a"),
    ):
        with pytest.raises(quack.StoreError, match="is of another study"):
            take(changed, identity, label)
    with pytest.raises(quack.StoreError, match="cannot read .*nothing: No such file"):
        take(Place(0, 0, range(1), Path("nothing")), "id", "a")


def test_nothing_finished_is_nothing_to_write():
    nothing = Outcome("a", np.zeros(0, np.int64), np.zeros((0, 2, 2), np.int64), 0.0)
    assert pack(nothing, "id").content == b""


@dataclasses.dataclass
class Bandit:
    gaps: tuple[float, ...] = (0.0,) * 10


def chunk(runs=10**6, run_s=0.01, compiled=True, checkpoints=100):
    return Chunk("a", None, None, Bandit(), 0, range(runs), np.arange(checkpoints), compiled, 1000, run_s / 1000)


@pytest.mark.parametrize(
    ("total_s", "workers", "runs"),
    [
        (5.0, 2, 100),  # a second
        (64.0, 2, 400),  # eight for each of two workers
        (1e6, 2, 1000),  # ten seconds
        (64.0, 1000, 100),
    ],
)
def test_a_chunk_takes_a_second_and_up_to_ten(total_s, workers, runs):
    assert pace.chunk_size(chunk(), total_s, workers) == runs


def test_the_results_of_a_chunk_fit_into_memory():
    assert pace.chunk_size(chunk(run_s=1e-9), 1e6, 2) * 100 * 10 * 8 <= 2**25
    assert pace.chunk_size(chunk(run_s=100.0), 1e6, 2) == 1  # a run is never cut


def test_threads_take_turns_at_what_is_interpreted():
    work = [chunk(runs=1000), chunk(runs=1000, compiled=False)]  # ten seconds each
    assert pace.wall_s(work, 4, threads=True) == pytest.approx(10 / 4 + 10)
    assert pace.wall_s(work, 4, threads=False) == pytest.approx(20 / 4)
