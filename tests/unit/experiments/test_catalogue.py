"""The catalogue: every figure that is promised, with the settings of the paper, and everything in it can be played."""

import pytest

import quack
from quack.comparison import prepare
from quack.errors import SpecError
from quack.experiments.catalogue import CATALOGUE, Choices, entry_called
from quack.experiments.expressions import evaluate

BY_NAME = {entry.name: entry for entry in CATALOGUE}


def studies(name, **changes):
    return BY_NAME[name].studies(Choices(1000, 2)._replace(**changes))


def test_names_are_unique_and_known():
    assert len(BY_NAME) == len(CATALOGUE)
    assert entry_called("main") is BY_NAME["main"]
    with pytest.raises(SpecError, match="there is no figure 'mian'. Did you mean 'main'?"):
        entry_called("mian")


@pytest.mark.parametrize("name", BY_NAME)
def test_everything_in_a_figure_can_be_played(name):
    """Parameters, networks and rewards fit each other; nothing is played."""
    for study in studies(name):
        groups = {label: evaluate(text, "group") for label, text in study.groups.items()}
        plan = prepare(groups, evaluate(study.environment, "environment"), study.network, 3, 2, 0)
        assert all(chunk.compiled for chunk in plan.work)


def test_the_main_figure_is_the_papers():
    """ "ten actions … Bernoulli with μ_1 = 0.5 and μ_a = 0.45 otherwise"; γ = 1.01; η = 2, ε = 1/22; η = m; leader = median."""
    found = studies("main")
    assert [quack.networks.read(study.network).n_agents for study in found] == [196] * 3
    for study in found:
        assert evaluate(study.environment, "environment").means.tolist() == [0.5] + [0.45] * 9
        groups = {label: evaluate(text, "group") for label, text in study.groups.items()}
        assert list(groups) == ["QuACK-UCB", "coop-UCB", "DDUCB", "QuACK-TS", "Dec-TS"]
        assert groups["coop-UCB"].gamma == 1.01
        assert (groups["DDUCB"].eta, groups["DDUCB"].epsilon) == (2, 1 / 22)
        assert groups["QuACK-UCB"].leader == groups["QuACK-TS"].leader == "median"
        assert {groups[label].sigma for label in ("coop-UCB", "DDUCB")} == {groups["QuACK-UCB"].policy.sigma} == {0.5}
    assert BY_NAME["main"].runs == 100


@pytest.mark.parametrize("family", ["cycle", "grid", "star"])
def test_panels_of_six_sizes(family):
    sizes = [quack.networks.read(study.network).n_agents for study in studies(family)]
    assert sizes == [16, 36, 64, 100, 144, 196]


def test_scaling_shares_its_results_with_the_panels():
    shared = {(study.network, study.environment, tuple(study.groups.items())) for study in studies("scaling")}
    panels = [study for family in ("cycle", "grid", "star") for study in studies(family)]
    assert shared == {(study.network, study.environment, tuple(study.groups.items())) for study in panels}
    assert all(study.at == quack.networks.read(study.network).n_agents for study in studies("scaling"))


def test_heavy_tails_are_the_papers():
    """ "α = 1.9"; "0.7 if a = 1, 0.4 if a ≠ 1", five actions; m in {16, 36, 64}; 1, 2 and 4 leaders."""
    for family in ("cycle", "grid"):
        for study, m in zip(studies(f"heavy-{family}"), (16, 36, 64), strict=True):
            environment = evaluate(study.environment, "environment")
            assert (environment.alpha, environment.means.tolist()) == (1.9, [0.7] + [0.4] * 4)
            network = quack.networks.read(study.network)
            assert network.n_agents == m
            groups = [evaluate(text, "group") for text in study.groups.values()]
            policies = {group.policy for group in groups}
            assert len(policies) == 1
            (policy,) = policies
            assert policy.moment == pytest.approx(environment.moment(1 + policy.epsilon), abs=5e-3)
            placed = [group.place(network, 5, 10) for group in groups[1:]]
            assert [len(set(placement.leaders.tolist())) for placement in placed] == [1, 2, 4]


def test_what_the_paper_leaves_open_is_chosen():
    changed = studies("main", sigma=2.0)
    assert evaluate(changed[0].groups["DDUCB"], "group").sigma == 2
    heavy = studies("heavy-grid", moment=9.0, epsilon=0.5, radius=0.125)
    policy = evaluate(heavy[0].groups["QuACK"], "group").policy
    assert (policy.moment, policy.epsilon, policy.radius) == (9, 0.5, 0.125)


def test_like_for_like_really_has_one_bonus():
    """At the horizon, after N plays by the network: σ√(4 log(mn)/N) in all three; and σ√(2.02 log(n)/N) in the last two."""
    n, m, sigma = 1000, 196, 0.5
    for study in studies("like-for-like"):
        ucb, coop, dducb, plain, small = (evaluate(text, "group") for text in study.groups.values())
        from math import log

        squared = {
            "QuACK-UCB": sigma**2 * 4 * log(m * n),
            "coop-UCB": coop.sigma**2 * 2 * coop.gamma * log(n),
            "DDUCB": dducb.sigma**2 * 2 * dducb.eta * log(m * n),
        }
        assert ucb.policy.delta is None
        assert list(squared.values()) == pytest.approx([squared["QuACK-UCB"]] * 3, rel=1e-5)
        assert coop.epsilon_c == plain.epsilon_c == 0
        assert small.policy.sigma**2 * 2 * log(1 / small.policy.delta) == pytest.approx(
            plain.sigma**2 * 2 * plain.gamma * log(n), rel=1e-5
        )


def test_the_leader_moves_from_the_median_to_the_rim():
    places = {}
    for study in studies("delay"):
        network = quack.networks.read(study.network)
        leaders = {evaluate(text, "group").leader for text in study.groups.values()}
        assert len(leaders) == 1
        assert study.at == quack.networks.total_distance(network, leaders.pop())
        places.setdefault(study.network, []).append(study.at)
    for network, sums in places.items():
        every = [quack.networks.total_distance(quack.networks.read(network), agent) for agent in range(101)]
        assert sums == sorted(sums)
        assert (sums[0], sums[-1]) == (min(every), max(every))
