"""Networks by name."""

import pytest

from quack import SpecError
from quack.networks import (
    FAMILIES,
    complete,
    cycle,
    erdos_renyi,
    grid,
    path,
    random_geometric,
    read,
    star,
    watts_strogatz,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cycle:196", cycle(196)),
        ("path:10", path(10)),
        ("grid:14x14", grid(14, 14)),
        ("grid:196", grid(14, 14)),
        ("grid:3,4", grid(3, 4)),
        ("Grid: 3 X 4", grid(3, 4)),
        ("star:196", star(196)),
        ("complete:16", complete(16)),
        ("erdos-renyi:100,0.1,seed=3", erdos_renyi(100, 0.1, 3)),
        ("erdos_renyi:100, 0.1, 3", erdos_renyi(100, 0.1, 3)),
        ("watts-strogatz:50,4,rewiring=0.2", watts_strogatz(50, 4, 0.2)),
        ("random-geometric:100,0.3", random_geometric(100, 0.3)),
    ],
)
def test_a_name_is_the_builder_and_its_arguments(name, expected):
    assert read(name) == expected
    assert read(read(name).name) == expected


def test_every_family_has_an_example():
    for family, (builder, example) in FAMILIES.items():
        assert read(example).name == example
        assert example.startswith(f"{family}:")
        assert builder.__name__.replace("_", "-") == family


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("cycel:5", r"'cycel:5' is neither an existing file nor the name of a network.* Did you mean 'cycle'\?"),
        ("nothing like it", r"the names are cycle, path, grid, .*, random-geometric\.$"),
        ("", r"'' is neither an existing file nor the name"),
        ("cycle", r"'cycle': n_agents must be a whole number, not '', as in 'cycle:196'"),
        ("cycle:", r"'cycle:': n_agents must be a whole number, not ''"),
        ("cycle:ten", r"'cycle:ten': n_agents must be a whole number, not 'ten', as in 'cycle:196'"),
        ("cycle:3,4", r"'cycle:3,4' is not understood at '4'; an example is 'cycle:196'"),
        ("cycle:0", r"n_agents must be at least 1, not 0"),
        ("grid:200", r"'grid:200': 200 is not a square number; say rows and columns, as in 'grid:14x14'"),
        ("grid:3x4x5", r"'grid:3x4x5' is not understood at '5'; an example is 'grid:14x14'"),
        ("grid:3.5x2", r"rows must be a whole number, not '3.5'"),
        ("erdos-renyi:100", r"does not say everything \(missing a required argument: 'probability'\)"),
        ("erdos-renyi:100,p", r"probability must be a number, not 'p', as in 'erdos-renyi:100,0.1,seed=3'"),
        ("erdos-renyi:100,0.1,speed=3", r"is not understood at 'speed=3'; an example is 'erdos-renyi:100,0.1,seed=3'"),
        ("erdos-renyi:9,0.9,1,seed=3", r"does not say everything \(multiple values for argument 'seed'\)"),
    ],
)
def test_refusals(name, sentence):
    with pytest.raises(SpecError, match=sentence):
        read(name)
