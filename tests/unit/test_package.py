"""The package's front door."""

import subprocess
import sys

import pytest

import quack
from quack.errors import nearest
from quack.extras import require


def test_every_public_name_is_there_and_documented():
    for name in quack.__all__:
        thing = getattr(quack, name)
        if name != "__version__":
            assert thing.__doc__, name
    assert set(dir(quack)) == set(quack.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'comapre'"):
        quack.comapre  # noqa: B018


def test_importing_loads_what_is_used_and_no_more():
    program = (
        "import sys, quack; print('numpy' in sys.modules); quack.UCB(); print('numba' in sys.modules, 'scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "False"]


BASE_ONLY = """
import sys
heavy = {"numba", "scipy", "networkx", "matplotlib", "rich", "pandas", "xarray", "networkit", "platformdirs"}
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in heavy:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name.partition(".")[0])
sys.meta_path.insert(0, Missing())
import quack
bandit = quack.Bandit(quack.ThompsonSampling(), n_actions=2, horizon=10, seed=0)
bandit.update(bandit.select(), 1.0)
quack.networks.grid(3, 3)
for use in (lambda: quack.compare, lambda: quack.networks.read([(0, 1)])):
    try:
        use()
    except quack.MissingExtra as error:
        print(error)
"""


def test_the_base_needs_numpy_only_and_says_what_is_missing():
    done = subprocess.run([sys.executable, "-c", BASE_ONLY], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert all("pip install 'quack-bandits[lab]'" in line for line in lines)


def test_a_missing_extra_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(quack.MissingExtra, match=r"to_pandas\(\) needs pandas: pip install 'quack-bandits\[lab\]'"):
        require("pandas", "to_pandas()")


def test_nearest():
    assert nearest("ucb", ["UCB", "Uniform"]) == " Did you mean 'UCB'?"
    assert nearest("xyz", ["UCB", "Uniform"]) == ""


def test_the_exception_tree():
    assert issubclass(quack.SpecError, ValueError)
    assert issubclass(quack.MissingExtra, ImportError)
    assert issubclass(quack.Interrupted, KeyboardInterrupt)
    assert all(issubclass(e, quack.QuackError) for e in (quack.SpecError, quack.StoreError, quack.MissingExtra))
