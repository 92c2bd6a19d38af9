"""A bandit saves and loads without pickle and goes on bit for bit, whatever its policy."""

import numpy as np
import pytest

import quack
from quack.experiments.expressions import names

ARGUMENTS = {"Borda": [quack.UCB(sigma=0.5)]}
POLICIES = [policy(*ARGUMENTS.get(name, [])) for name, policy in names()["policy"].items() if name != "from_object"]
FILE = "bandit.npz"


def play(bandit, rounds, luck):
    chosen = []
    for _ in range(rounds):
        chosen.append(bandit.select())
        bandit.update(chosen[-1], float(luck.random() < 0.3 + 0.1 * chosen[-1] / bandit.n_actions))
    return chosen


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("generator", [np.random.PCG64, np.random.MT19937, np.random.Philox])
def test_it_goes_on_as_if_it_had_never_stopped(tmp_path, policy, generator):
    bandit = quack.Bandit(policy, n_actions=9, horizon=200, seed=np.random.Generator(generator(7)))
    luck = np.random.default_rng(1)
    play(bandit, 80, luck)
    bandit.save(tmp_path / FILE)
    copy = quack.Bandit.load(tmp_path / FILE, policy)
    state = luck.bit_generator.state
    went_on = play(bandit, 60, luck)
    luck.bit_generator.state = state
    assert play(copy, 60, luck) == went_on


def saved(tmp_path, policy=None):
    quack.Bandit(policy or quack.UCB(), 3, 10, seed=0).save(tmp_path / FILE)
    return tmp_path / FILE


def test_another_policy_cannot_go_on(tmp_path):
    with pytest.raises(quack.StoreError, match=r"saved by UCB\(sigma=1.0.* UCB\(sigma=0.5.*cannot go on with it"):
        quack.Bandit.load(saved(tmp_path), quack.UCB(sigma=0.5))


def test_files_that_are_no_bandit(tmp_path):
    with pytest.raises(quack.StoreError, match="No such file"):
        quack.Bandit.load(tmp_path / "none.npz", quack.UCB())
    path = saved(tmp_path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(quack.StoreError, match="is not a saved bandit of quack: it is truncated"):
        quack.Bandit.load(path, quack.UCB())


def test_no_pickle_inside(tmp_path):
    with np.load(saved(tmp_path), allow_pickle=False) as arrays:
        assert all(arrays[name].dtype.kind in "iufb" for name in arrays)


class Plain:
    def __init__(self, n_actions, horizon, rng):
        pass

    def select(self):
        return 0

    def update(self, action, reward):
        pass


def test_an_object_keeps_its_state_to_itself(tmp_path):
    with pytest.raises(quack.SpecError, match="only arrays and numbers can be saved"):
        quack.Bandit(quack.from_object(Plain), 3, 10).save(tmp_path / FILE)
    assert not (tmp_path / FILE).exists()
