"""What a notebook shows."""

from html.parser import HTMLParser

import numpy as np

from quack.simulation.result import Comparison, GroupResult, Settings

HOSTILE = '<img src=x onerror="alert(1)">'


class Reader(HTMLParser):
    """The elements that are open, those that were met, and the words."""

    def __init__(self, markup):
        super().__init__()
        self.open, self.met, self.words = [], [], []
        self.feed(markup)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.met.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.met.append(tag)

    def handle_data(self, data):
        self.words.append(data)


def group(label):
    plays = np.random.default_rng(0).integers(0, 10, (3, 2, 2)).cumsum(axis=1)
    numbers = {"runs": np.arange(3), "plays": plays, "gaps": np.array([0.0, 0.25]), "rounds": np.array([4, 8])}
    return GroupResult(label, HOSTILE, "compiled", n_agents=4, cpu_s=0.5, **numbers)


def comparison(*labels):
    settings = Settings(HOSTILE, 4, 4, HOSTILE, (0.0, 0.25), 8, 3, 0)
    return Comparison(settings, {label: group(label) for label in labels}, 1.0)


def test_a_comparison_is_a_table_and_its_curves():
    found = Reader(comparison("a", HOSTILE)._repr_html_())
    assert found.met.count("svg") == found.met.count("table") == 1
    assert found.met.count("tr") == 3
    assert "img" not in found.met
    assert any(HOSTILE in words for words in found.words)


def test_many_groups_are_all_in_the_table():
    found = Reader(comparison(*map(str, range(30)))._repr_html_())
    assert found.met.count("tr") == 31
    assert "The curves are those of the first 14 groups." in found.words


def test_a_group_is_a_sentence_and_its_curve():
    found = Reader(group(HOSTILE)._repr_html_())
    assert found.met.count("svg") == 1
    assert "img" not in found.met
    assert f"Final group regret {group('').mean[-1]:,.1f} in the mean" in " ".join(found.words)
