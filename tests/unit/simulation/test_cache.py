"""The disk cache: a file that holds no code, or that of others, costs a compilation and not the result."""

import numba
import pytest

from quack.simulation import engine
from quack.simulation.cache import forget_code

WHOLE, BROKEN = (numba.types.Array(kind, 1, "C") for kind in (numba.int64, numba.float64))


def double(numbers):
    for i in range(len(numbers)):
        numbers[i] *= 2


@pytest.fixture(autouse=True)
def _small_play(monkeypatch):
    monkeypatch.setattr(engine, "play", double)


def compile_into(folder, kind=WHOLE):
    return engine._compile((kind,), folder, counting=False)


def written(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb[ci]")}


def test_what_was_compiled_is_read(tmp_path):
    compile_into(tmp_path)
    before = written(tmp_path)
    assert len(before) == 2
    compile_into(tmp_path)
    assert written(tmp_path) == before


@pytest.mark.parametrize("length", [0, 20])
@pytest.mark.parametrize("damaged", ["*.nbi", "*.nbc"])
def test_a_damaged_file_is_forgotten(tmp_path, damaged, length):
    compile_into(tmp_path)
    for file in tmp_path.rglob(damaged):
        file.write_bytes(file.read_bytes()[:length])  # as a machine leaves it that lost its power
    compile_into(tmp_path)
    assert written(tmp_path) == {}
    compile_into(tmp_path)
    assert len(written(tmp_path)) == 2


def test_code_of_another_signature_is_forgotten(tmp_path):
    """Two processes that start cold at once may each take the other's place in the index."""
    for kind in (WHOLE, BROKEN):
        compile_into(tmp_path, kind)
    one, two = sorted(tmp_path.rglob("*.nbc"))
    two.write_bytes(one.read_bytes())
    compile_into(tmp_path, BROKEN)
    assert written(tmp_path) == {}


def test_what_does_not_compile_is_not_blamed_on_the_disk(tmp_path):
    with pytest.raises(numba.core.errors.NumbaError):
        compile_into(tmp_path, numba.types.unicode_type)


def test_forgetting_leaves_what_is_not_code(tmp_path):
    (tmp_path / "allocates").touch()
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.nbc").touch()
    forget_code(tmp_path)
    assert {path.name for path in tmp_path.rglob("*")} == {"allocates", "inner"}
