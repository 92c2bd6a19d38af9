"""Groups that gossip, written a second time: plain NumPy, dense matrices, one run, agent by agent, off the same tape.

Nothing here is shared with the groups but what an environment pays and what a cell of the tape holds. The published codes are
stated as they were published, with a switch for each of their defects.
"""

import math

import networkx as nx
import numpy as np

import quack
from quack.groups.base import open_record, open_world
from quack.sampling import beta_odds, standard_normal
from quack.tape import AGENT, DRAW, Cell, open_tape

SEED = 77


def paper_matrix(network):
    """P = I − (D − M)/(1 + d_max)."""
    adjacency = nx.to_numpy_array(network.to_networkx(), nodelist=range(network.n_agents))
    degrees = adjacency.sum(axis=1)
    return np.eye(len(degrees)) - (np.diag(degrees) - adjacency) / (1 + degrees.max(initial=0))


def published_matrix(network):
    """I − δ/(δ + 1) (I − M/δ) if all degrees are δ, else I − D^{-1/2} L D^{-1/2}/(1 + d_max), L the normalised Laplacian."""
    adjacency = nx.to_numpy_array(network.to_networkx(), nodelist=range(network.n_agents))
    degrees = adjacency.sum(axis=1)
    if len(set(degrees)) == 1:
        delta = max(degrees[0], 1.0)
        return np.eye(len(degrees)) - delta / (delta + 1) * (np.eye(len(degrees)) - adjacency / delta) * (len(degrees) > 1)
    root = np.diag(degrees**-0.5)
    laplacian = np.eye(len(degrees)) - root @ adjacency @ root
    return np.eye(len(degrees)) - root @ laplacian @ root / (1 + degrees.max())


def eigenvalues(matrix):
    return np.sort(np.linalg.eigvalsh(matrix))[::-1]


class World:
    """One run's rewards and draws."""

    def __init__(self, environment, run, horizon):
        self.environment, self.tape, self.horizon = environment, open_tape(SEED, run), horizon
        self.n_actions = len(environment.gaps)

    def reward(self, agent, t, action):
        return self.environment.reward(action, Cell(self.tape, AGENT, agent, t))

    def beta(self, agent, t, action, alpha, beta):
        one, other = beta_odds(alpha, beta, Cell(self.tape, DRAW, agent * self.n_actions + action, t))
        return one / (one + other)

    def normal(self, agent, t, action):
        return standard_normal(Cell(self.tape, DRAW, agent * self.n_actions + action, t))

    def first_plays(self, m, free):
        """Each agent's first reward of each action; free ones lie behind the horizon."""
        late = self.horizon if free else 0
        return np.array([[self.reward(v, late + a + 1, a) for a in range(self.n_actions)] for v in range(m)])


def coop_ucb(world, matrix, epsilon_c, gamma=1.01, sigma=1.0):
    """Coop-UCB; ε_c is an array, or a function of t for coop-UCB2."""
    m, k = len(matrix), world.n_actions
    total, count = world.first_plays(m, free=False), np.ones((m, k))
    plays = [[a] * m for a in range(k)][: world.horizon]
    for t in range(k + 1, world.horizon + 1):
        extra = epsilon_c(t) if callable(epsilon_c) else epsilon_c[:, None]
        width = 2 * gamma * (count + extra) / (m * count) * math.log(t) / count
        actions = (total / count + sigma * np.sqrt(width)).argmax(axis=1)
        for v, action in enumerate(actions):
            total[v, action] += world.reward(v, t, action)
            count[v, action] += 1
        total, count = matrix @ total, matrix @ count
        plays.append(list(actions))
    return np.array(plays)


def centrality(matrix):
    values, vectors = np.linalg.eigh(matrix)
    first = np.argmax(values)
    return len(matrix) * sum(values[p] ** 2 / (1 - values[p] ** 2) * vectors[:, p] ** 2 for p in range(len(values)) if p != first)


def published_coop_ucb(world, matrix, epsilon_c, *, in_turn=True, free=True, gamma=1.01, sigma=1.0):
    """Coop-UCB's published loop: everybody averages after each single play."""
    m, k = len(matrix), world.n_actions
    total, count = world.first_plays(m, free), np.ones((m, k))
    plays = [] if free else [[a] * m for a in range(k)]
    for t in range(1 if free else k + 1, world.horizon + 1):
        actions = []
        for v in range(m):
            width = (count[v] + epsilon_c[v]) * 2 * gamma * sigma**2 * math.log(t) / (m * count[v] ** 2)
            actions.append(int(np.argmax(total[v] / count[v] + np.sqrt(width))))
            if in_turn:
                total[v, actions[v]] += world.reward(v, t, actions[v])
                count[v, actions[v]] += 1
                total, count = matrix @ total, matrix @ count
        if not in_turn:
            for v in range(m):
                total[v, actions[v]] += world.reward(v, t, actions[v])
                count[v, actions[v]] += 1
            total, count = matrix @ total, matrix @ count
        plays.append(actions)
    return np.array(plays)


def published_centrality(matrix):
    """ε_c by loops over rows that should be columns, beside eigenvalues in another order."""
    values, vectors = np.linalg.eig(matrix)
    values, m = sorted(values.real, reverse=True), len(matrix)
    extra = np.zeros(m)
    for p in range(1, m):
        for j in range(m):
            pace = abs(values[p] * values[j])
            extra += pace / (1 - pace) * abs(np.dot(vectors[p].real, vectors[j].real) * vectors[p].real * vectors[j].real)
    return m * extra


def chebyshev_mix(matrix, held, pace, steps):
    """T_C(P/λ)/T_C(1/λ) by the recursion of the polynomials themselves, not normalised until the end."""
    if pace <= 0:
        return np.linalg.matrix_power(matrix, steps) @ held
    before, now = held, matrix @ held / pace
    low, high = 1.0, 1.0 / pace
    for _ in range(steps - 1):
        before, now = now, 2 / pace * matrix @ now - before
        low, high = high, 2 / pace * high - low
    return now / high


def stage_length(pace, m, epsilon, accelerated):
    if pace <= 0:
        return 1
    if accelerated:
        return math.ceil(math.log(2 * m / epsilon) / math.sqrt(2 * math.log(1 / pace)))
    return math.ceil(math.log(m / epsilon) / math.log(1 / pace))


def dducb(world, matrix, *, accelerated=True, local_updates=False, eta=2.0, epsilon=1 / 22, sigma=1.0):
    """DDUCB; what was gathered in a stage is mixed as a whole when the next one ends, which gossip during it amounts to."""
    m, k = len(matrix), world.n_actions
    values = eigenvalues(matrix)
    pace = max(abs(values[1:]), default=0.0)
    pace = 0.0 if pace < 1e-12 else pace
    length = stage_length(pace, m, epsilon, accelerated)
    plays = [[a] * m for a in range(k)][: world.horizon]
    mixing = np.stack([world.first_plays(m, free=False), np.ones((m, k))])
    used, finished, s, t = mixing / m, np.zeros_like(mixing), k, k
    while t < world.horizon:
        gathered = np.zeros_like(mixing)
        for r in range(length):
            if r == 0 or local_updates:
                index = used[0] / used[1] + np.sqrt(2 * eta * sigma**2 * math.log(s) / (m * used[1]))
                actions = index.argmax(axis=1)
            t += 1
            if t > world.horizon:
                break
            for v, action in enumerate(actions):
                seen = np.array([world.reward(v, t, action), 1.0])
                gathered[:, v, action] += seen
                if local_updates:
                    used[:, v, action] += seen / m
            s += m if local_updates else 0
            plays.append(list(actions))
        s = (t - length) * m
        whole = [chebyshev_mix(matrix, x, pace, length) for x in mixing]
        finished = finished + (whole if accelerated else [np.linalg.matrix_power(matrix, length) @ x for x in mixing])
        used, mixing = finished.copy(), gathered
    return np.array(plays)


def published_dducb(world, matrix, *, accelerated=True, eta=2.0, epsilon=1 / 22, sigma=1.0, without=None):
    """DDUCB's published loop. `without` takes one of its defects away."""
    m, k = len(matrix), world.n_actions
    values = eigenvalues(matrix)
    pace = max(abs(values[1:]), default=0.0) if without == "second eigenvalue" else abs(values[1]) if m > 1 else 0.0
    length = stage_length(pace, m, epsilon, accelerated)
    free = without != "free plays"
    mixing = np.stack([world.first_plays(m, free), np.ones((m, k))])
    used = mixing / (m if without == "first share" else k)
    gathered, finished = np.zeros_like(mixing), np.zeros_like(mixing)
    plays = [] if free else [[a] * m for a in range(k)]
    t, s = k, k
    late = k if free else 0  # its clock begins at k, with the first round that counts
    while t - late < world.horizon:
        for _ in range(length):
            t += 1
            if t - late > world.horizon:
                return np.array(plays)
            actions = []
            for v in range(m):
                index = used[0, v] / used[1, v] + np.sqrt(2 * eta * sigma**2 * math.log(s) / (m * used[1, v]))
                action = int(np.argmax(index))
                actions.append(action)
                seen = np.array([world.reward(v, t - late, action), 1.0])
                gathered[:, v, action] += seen
                if without != "local updates":
                    used[:, v, action] += seen / m  # and into whatever shares its memory
                    s += 1
            plays.append(actions)
            if without != "mixing in every round":
                mixing = mix_whole(matrix, mixing, pace, length, accelerated)
        if without == "mixing in every round":
            mixing = mix_whole(matrix, mixing, pace, length, accelerated)
        s = (t - length) * m
        if accelerated:
            finished += mixing
            used = finished.copy() if without == "shared memory" else finished
            mixing = gathered
        else:
            used = mixing.copy() if without == "shared memory" else mixing
            mixing += gathered
        gathered = np.zeros_like(mixing)
    return np.array(plays)


def mix_whole(matrix, held, pace, length, accelerated):
    if accelerated:
        return np.stack([chebyshev_mix(matrix, x, pace, length) for x in held])
    return np.stack([np.linalg.matrix_power(matrix, length) @ x for x in held])


def dec_ts(world, matrix, eta=None):
    """Dec-TS with Beta beliefs."""
    m, k = len(matrix), world.n_actions
    eta = m if eta is None else eta
    alpha, beta, plays = np.ones((m, k)), np.ones((m, k)), []
    for t in range(1, world.horizon + 1):
        drawn = [[world.beta(v, t, a, alpha[v, a], beta[v, a]) for a in range(k)] for v in range(m)]
        actions = np.argmax(drawn, axis=1)
        for v, action in enumerate(actions):
            x = world.reward(v, t, action)
            alpha[v, action] += eta * x
            beta[v, action] += eta * (1 - x)
        alpha, beta = matrix @ alpha, matrix @ beta
        plays.append(list(actions))
    return np.array(plays)


def gaussian_dec_ts(world, matrix, eta=None, sigma=1.0, prior=(0.0, 1.0)):
    """Dec-TS with Gaussian beliefs, kept as means and deviations."""
    m, k = len(matrix), world.n_actions
    eta = m if eta is None else eta
    mean, deviation, plays = np.full((m, k), prior[0]), np.full((m, k), prior[1]), []
    for t in range(1, world.horizon + 1):
        drawn = [[mean[v, a] + deviation[v, a] * world.normal(v, t, a) for a in range(k)] for v in range(m)]
        actions = np.argmax(drawn, axis=1)
        for v, action in enumerate(actions):
            variance = deviation[v, action] ** 2
            after = 1 / (1 / variance + eta / sigma**2)
            mean[v, action] = after * (mean[v, action] / variance + eta * world.reward(v, t, action) / sigma**2)
            deviation[v, action] = math.sqrt(after)
        precision = matrix @ deviation**-2.0
        mean, deviation = (matrix @ (mean * deviation**-2.0)) / precision, precision**-0.5
        plays.append(list(actions))
    return np.array(plays)


def counted(plays, n_actions):
    """Plays of each action up to each round."""
    return np.cumsum([np.bincount(actions, minlength=n_actions) for actions in plays], axis=0)


def played(group, environment, network, horizon, runs=2, **options):
    """Plays of each action up to each round, in each run, by the group itself."""
    options = {"engine": "interpreted", "workers": 1, "progress": False} | options
    result = quack.compare({"it": group}, environment, network, horizon, runs, SEED, checkpoints=horizon, **options)
    return result["it"].plays


def assert_plays(group, environment, network, horizon, simulate, runs=2):
    """A group and its simulation play the same in every round of every run."""
    ours = played(group, environment, network, horizon, runs)
    for run in range(runs):
        theirs = counted(simulate(World(environment, run, horizon)), len(environment.gaps))
        assert np.array_equal(ours[run], theirs), (run, np.flatnonzero((ours[run] != theirs).any(axis=1))[:1] + 1)


def final_state(group, environment, network, horizon, runs=1):
    """Return the state of a group after its rounds, the plays of each action, run by run, and the placement."""
    placement = group.place(network, len(environment.gaps), horizon)
    world = open_world(environment, open_tape(SEED, 0), runs)
    record = open_record(np.array([horizon]), len(environment.gaps), np.zeros(1, np.int64), np.zeros(1, np.int64), runs)
    state = group.init(placement, world)
    group.run(placement, state, world, None, record)
    return state, record.written[0].reshape(-1, runs), placement
