"""The tape: a published generator, read by place."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Philox

import quack
from quack.tape import (
    AGENT,
    Cell,
    ReadCell,
    bernoulli_word,
    integer,
    normal,
    open_tape,
    philox,
    policy_generator,
    uniform,
    uniforms,
    words,
)

cells = st.builds(
    Cell,
    st.builds(open_tape, st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1)),
    st.integers(0, 3),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**44 - 1),
)


@pytest.mark.parametrize(
    ("counter", "key", "answer"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_known_answers_of_random123(counter, key, answer):
    """The file kat_vectors of the Random123 library, philox4x32 with 10 rounds."""

    def read(text):
        return [int(word, 16) for word in text.split()]

    assert list(philox(*read(counter), *read(key))) == read(answer)


def mixed(c0, c1, c2, c3, k0, k1, bits, multipliers, weyl, rounds=10):
    """Philox as its paper states it, for words of any size: an independent statement."""
    mask = 2**bits - 1
    for _ in range(rounds):
        left, right = multipliers[0] * c0, multipliers[1] * c2
        c0, c1, c2, c3 = (right >> bits) ^ c1 ^ k0, right & mask, (left >> bits) ^ c3 ^ k1, left & mask
        k0, k1 = (k0 + weyl[0]) & mask, (k1 + weyl[1]) & mask
    return c0, c1, c2, c3


WIDE = {"bits": 64, "multipliers": (0xD2E7470EE14C6C93, 0xCA5A826395121157), "weyl": (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)}
NARROW = {"bits": 32, "multipliers": (0xD2511F53, 0xCD9E8D57), "weyl": (0x9E3779B9, 0xBB67AE85)}


def test_the_independent_statement_is_numpys_philox_when_the_words_are_wide():
    ours = mixed(1, 0, 0, 0, 7, 9, **WIDE)
    assert list(ours) == Philox(key=np.array([7, 9], np.uint64)).random_raw(4).tolist()


@given(st.tuples(*[st.integers(0, 2**32 - 1)] * 6))
def test_philox_is_the_independent_statement(words_in):
    assert philox(*words_in) == mixed(*words_in, **NARROW)


@given(cells, cells)
def test_different_cells_hold_different_words(one, other):
    assert (words(one, 0) == words(other, 0)) == (one == other)
    assert words(one, 0) != words(one, 1)


@given(cells)
def test_values_are_what_they_say(cell):
    u, v = uniforms(cell)
    assert 0 <= u < 1
    assert 0 <= v < 1
    assert uniform(cell) == u
    assert (u * 2**53).is_integer()
    assert math.isfinite(normal(cell))
    assert 0 <= integer(cell, 7) < 7
    assert integer(cell, 1) == 0


def sample(function, n=20_000):
    tape = open_tape(1, 0)
    return np.array([function(Cell(tape, AGENT, 5, t)) for t in range(n)])


def test_laws():
    """Thresholds: Dvoretzky, Kiefer, Wolfowitz and Massart at 1e-9 for distributions, Hoeffding at 1e-9 for counts."""
    n = 20_000
    width = math.sqrt(math.log(2e9) / (2 * n))
    grid = np.linspace(0, 1, 101)
    both = np.array([uniforms(Cell(open_tape(1, 0), AGENT, 5, t)) for t in range(n)])
    for column in both.T:
        assert np.abs(np.searchsorted(np.sort(column), grid) / n - grid).max() <= width
    normals = np.sort(sample(normal))
    cumulative = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in normals])
    assert np.abs(np.arange(1, n + 1) / n - cumulative).max() <= width + 1 / n
    counts = np.bincount(sample(lambda cell: integer(cell, 10)), minlength=10)
    assert np.abs(counts / n - 0.1).max() <= width
    assert abs(np.mean((both[:, 0] - 0.5) * (both[:, 1] - 0.5)) * 4) <= 2 * math.sqrt(2) * width * 2


def one_by_one(probability, tape, stream, block):
    """The word as its definition says: U_i < p, for U_i with the binary digits that the generator gives to bit i."""
    digits = []
    for lane in range(40):
        digits.extend(words(Cell(tape, 3, stream, block), lane))
    value = 0
    for bit in range(32):
        u = sum(((word >> bit) & 1) / 2 ** (i + 1) for i, word in enumerate(digits[:52]))
        value |= (u < probability) << bit
    return value


@given(st.floats(0, 1), st.integers(0, 2**38))
def test_a_bernoulli_word_compares_with_uniform_numbers(probability, block):
    tape = open_tape(9, 3)
    assert bernoulli_word(probability, tape, 2, block) == one_by_one(probability, tape, 2, block)


def test_certain_rewards_are_certain():
    tape = open_tape(0, 0)
    assert all(bernoulli_word(0.0, tape, 0, block) == 0 for block in range(50))
    assert all(bernoulli_word(1.0, tape, 0, block) == 2**32 - 1 for block in range(50))


@pytest.mark.parametrize("probability", [0.5, 0.45, 0.001, 0.999, 2**-40, 1 - 2**-53])
def test_bernoulli_words_have_their_probability(probability):
    """Threshold: Hoeffding at 1e-9."""
    tape = open_tape(4, 0)
    n = 32 * 4000
    ones = sum(bernoulli_word(probability, tape, 1, block).bit_count() for block in range(4000))
    assert abs(ones / n - probability) <= math.sqrt(math.log(2e9) / (2 * n))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(quack.SpecError, match="2\\*\\*64 - 1 is accepted"):
        open_tape(seed, 0)


def test_policy_generators_differ_by_seed_and_run():
    draws = {policy_generator(seed, run).random() for seed in (0, 1, 2**64 - 1) for run in range(5)}
    assert len(draws) == 15
    assert policy_generator(3, 4).random() == policy_generator(3, 4).random()


@given(cells)
def test_a_cell_that_was_read_says_the_same(cell):
    read = ReadCell(*cell, words(cell, 0))
    for lane in (0, 1, 5):
        assert words(read, lane) == words(cell, lane)
    assert uniform(read) == uniform(cell)
    assert normal(read, 2) == normal(cell, 2)
