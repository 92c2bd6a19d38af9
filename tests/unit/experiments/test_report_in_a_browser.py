"""The page in a real browser. Without one the test is skipped, and says what would be needed."""

import shutil
import subprocess

import matplotlib.image
import numpy as np
import pytest

from quack.experiments.report import report
from quack.simulation.palette import DARK, LIGHT
from quack.simulation.result import Comparison, GroupResult, Settings

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--hide-scrollbars", "--window-size=1000,1700"),
)
GROUNDS = {"light": (255, 255, 255), "dark": (20, 23, 26)}


def comparison():
    settings = Settings("grid:14x14", 196, 364, f"Bernoulli({[0.5] + [0.45] * 9})", (0.0, 0.05), 8000, 40, 0)
    labels = ("QuACK-UCB", "coop-UCB", "DDUCB", "a group whose name is longer than any column of a table could be")
    groups = {}
    for i, label in enumerate(labels):
        plays = np.random.default_rng(i).integers(0, 100_000 * (i + 1), (40, 20, 2)).cumsum(axis=1)
        numbers = {"runs": np.arange(40), "plays": plays, "gaps": np.array([0.0, 0.05]), "rounds": np.arange(400, 8001, 400)}
        groups[label] = GroupResult(label, "QuACK(policy=UCB(sigma=0.5))", "compiled", n_agents=196, cpu_s=0.5, **numbers)
    return Comparison(settings, groups, 1.0)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Return the page as a browser shows it, light and dark."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip(f"there is no browser: install one of {', '.join(BROWSERS)}")
    folder = tmp_path_factory.mktemp("browser")
    page = folder / "page.html"
    page.write_text(report([comparison()]), encoding="utf-8")
    found = {}
    for scheme, number in (("light", 1), ("dark", 0)):
        picture = folder / f"{scheme}.png"
        own = (f"--user-data-dir={folder / scheme}", f"--blink-settings=preferredColorScheme={number}", f"--screenshot={picture}")
        subprocess.run([browser, *FLAGS, *own, page.as_uri()], check=True, capture_output=True, timeout=120)
        found[scheme] = (matplotlib.image.imread(picture)[:, :, :3] * 255).round().astype(int)
    return found


def pixels(picture, colour):
    return int((np.abs(picture - np.array(colour)).max(axis=2) <= 2).sum())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_ground_and_the_ink_are_those_of_the_scheme(pictures, scheme):
    picture = pictures[scheme]
    assert picture.shape == (1700, 1000, 3)
    assert pixels(picture, GROUNDS[scheme]) > 0.8 * 1000 * 1700
    ink = {"light": (27, 31, 36), "dark": (232, 234, 237)}[scheme]
    assert pixels(picture, ink) > 1000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_group_is_drawn_in_its_colour(pictures, scheme):
    for colour in {"light": LIGHT, "dark": DARK}[scheme][:4]:
        assert pixels(pictures[scheme], [int(colour[i : i + 2], 16) for i in (1, 3, 5)]) > 200


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_reaches_into_the_margins(pictures, scheme):
    """The text stands in a column of 56 rem; the long name, the tables and the charts stay in it."""
    for margin in (pictures[scheme][:, :40], pictures[scheme][:, -40:]):
        assert pixels(margin, GROUNDS[scheme]) == margin.shape[0] * margin.shape[1]


def test_the_page_is_the_same_in_both_schemes_but_for_its_colours(pictures):
    """What is not ground stands in the same places: nothing is lost in the dark."""
    marked = {scheme: (np.abs(pictures[scheme] - np.array(ground)).max(axis=2) > 60) for scheme, ground in GROUNDS.items()}
    both = (marked["light"] & marked["dark"]).sum()
    assert both > 0.6 * max(marked["light"].sum(), marked["dark"].sum())
