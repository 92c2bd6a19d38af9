"""Files appear whole or not at all, and what is no result is refused in one sentence."""

import io
import json
import os
import pickle
import stat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.errors import StoreError
from quack.store import atomic_file, check_writable


@pytest.fixture(scope="module")
def result():
    groups = {"a": quack.QuACK(quack.UCB()), "b": quack.Pooled(quack.UCB())}
    return quack.compare(groups, quack.Bernoulli([0.5, 0.4]), "cycle:4", 9, 3, 0, engine="interpreted", progress=False)


def test_a_file_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "it"
    with atomic_file(path) as file:
        file.write(b"whole")
        file.flush()
        assert not path.exists()
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, ValueError])
def test_a_file_that_is_not_completed_leaves_the_older_one(interruption, tmp_path):
    path = tmp_path / "it"
    path.write_bytes(b"old")

    def half():
        with atomic_file(path) as file:
            file.write(b"half")
            raise interruption

    with pytest.raises(interruption):
        half()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_one_sentence(tmp_path, monkeypatch):
    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match=r"^cannot write .*it: No space left on device$"), atomic_file(tmp_path / "it"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_users_mask_decides_who_may_read(tmp_path):
    before = os.umask(0o027)
    try:
        with atomic_file(tmp_path / "it"):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "it").stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    for content in (b"1", b"2"):
        with atomic_file(tmp_path / "link") as file:
            file.write(content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "target").read_bytes() == content


def test_what_is_no_ordinary_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "link"):
        with pytest.raises(StoreError, match="it is not an ordinary file"):
            check_writable(tmp_path / name)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_files_that_cannot_be_written_are_refused_beforehand(tmp_path, monkeypatch):
    with pytest.raises(StoreError, match="there is no folder"):
        check_writable(tmp_path / "no" / "it")
    with pytest.raises(StoreError, match="it is a folder"):
        check_writable(tmp_path)
    with pytest.raises(StoreError, match="File name too long"):
        check_writable(tmp_path / ("x" * 300))

    def refuse(**_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(StoreError, match="Permission denied"):
        check_writable(tmp_path / "it")
    assert list(tmp_path.iterdir()) == []


def test_a_long_name_is_no_trouble(tmp_path, result):
    path = tmp_path / ("x" * 251 + ".npz")
    result.save(path)
    assert quack.load(path) == result


@given(data=st.data())
def test_a_damaged_file_is_refused_or_means_the_same(data, result, tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "it.npz"
    result.save(path)
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content = content[:place]
    else:
        content[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    try:
        found = quack.load(path)
    except StoreError as error:
        found = str(error)
    assert found in (result, f"{path} is not a result of quack: it is truncated or was made by something else")


def meta(**changes):
    settings = dict.fromkeys(("network", "environment", "version"), "") | {"gaps": [0.0], "seed": 0, "runs": 1, "horizon": 1}
    settings |= {"n_agents": 1, "n_edges": 0}
    group = {"label": "a", "description": "", "mode": "", "cpu_s": 0.0}
    return {"format": 1, "settings": settings, "wall_s": 0.0, "groups": [group]} | changes


def save_meta(path, content, plays=None):
    counts = np.ones((1, 1, 1), np.int64) if plays is None else plays
    text = np.frombuffer(json.dumps(content).encode(), np.uint8)
    np.savez(path, meta=text, rounds_0=np.ones(1, np.int64), runs_0=np.zeros(1, np.int64), plays_0=counts)


def npy(array):
    np.save(file := io.BytesIO(), array)
    return file.getvalue()


FOREIGN = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("some notes"),
    "pickle": lambda path: path.write_bytes(pickle.dumps([1, 2])),
    "array": lambda path: path.write_bytes(npy(np.ones(3))),
    "other arrays": lambda path: np.savez(path, x=np.ones(3)),
    "objects": lambda path: np.savez(path, meta=np.array([{}], object)),
    "no json": lambda path: np.savez(path, meta=np.frombuffer(b"{", np.uint8)),
    "a list": lambda path: save_meta(path, [1]),
    "settings": lambda path: save_meta(path, meta(settings=[])),
    "groups": lambda path: save_meta(path, meta(groups=[1])),
    "shape": lambda path: save_meta(path, meta(), np.ones((2, 1, 1), np.int64)),
    "format": lambda path: save_meta(path, meta(format=2)),
}
REASONS = {
    "array": "it is a single array",
    "shape": "the plays of 'a' have the shape (2, 1, 1)",
    "format": "its format is 2; this version reads format 1",
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_file_of_somebody_elses(kind, tmp_path):
    path = tmp_path / "it.npz"
    FOREIGN[kind](path)
    with pytest.raises(StoreError) as refusal:
        quack.load(path)
    reason = REASONS.get(kind, "it is truncated or was made by something else")
    assert str(refusal.value) == f"{path} is not a result of quack: {reason}"


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(StoreError, match=r"^cannot read .*: No such file or directory$"):
        quack.load(tmp_path / "it.npz")
    with pytest.raises(
        StoreError, match=r"^.* is a folder, not a file of results; quack.load_study reads the folder of a study$"
    ):
        quack.load(tmp_path)


def test_the_smallest_file_that_is_accepted(tmp_path):
    save_meta(tmp_path / "it.npz", meta())
    assert list(quack.load(tmp_path / "it.npz")) == ["a"]
