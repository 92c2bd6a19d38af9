"""The page: complete, escaped, by itself, and true."""

import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import quack
import quack.cli
from quack.errors import SpecError, StoreError
from quack.experiments.citation import BIBTEX
from quack.experiments.report import read_results, report
from quack.simulation.result import Comparison, GroupResult, Settings

HOSTILE = '</title><script>alert("1")</script><img src="https://example.org/x.png">'
ROOT = Path(__file__).parents[3]


class Page(HTMLParser):
    """What is on a page: tags with their attributes, cells by row, words."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.rows, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        self.words.append(data)
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def comparison(network="cycle:4", labels=("a", "b"), finished=5, shift=100, environment="Bernoulli([0.5, 0.25])"):
    settings = Settings(network, 4, 4, environment, (0.0, 0.25), 8, 5, 0)
    groups = {}
    for i, label in enumerate(labels):
        plays = np.random.default_rng(i).integers(0, 10, (finished, 2, 2)).cumsum(axis=1)
        plays[:, :, 1] += shift * i
        rounds = np.array([4, 8])
        groups[label] = GroupResult(
            label, f"QuACK({label!r})", "compiled", rounds, np.arange(finished), plays, np.array([0, 0.25]), 4, 0.5
        )
    return Comparison(settings, groups, 1.0)


def test_nothing_of_the_input_becomes_markup():
    page = report([comparison(HOSTILE, (HOSTILE, "b"), environment=HOSTILE)] * 2, title=HOSTILE)
    found = Page(page)
    tags = {tag for tag, _ in found.tags}
    assert not tags & {"script", "img", "iframe", "object", "link"} - {"link"}
    assert [attrs["href"] for tag, attrs in found.tags if tag == "link"] == ["data:,"]
    assert not any(name.startswith("on") for _, attrs in found.tags for name in attrs)
    assert HOSTILE in found.words


def test_the_page_loads_nothing():
    page = report([comparison()])
    sources = [
        value for _, attrs in Page(page).tags for name, value in attrs.items() if name in ("src", "href", "srcset", "xlink:href")
    ]
    assert all(value.startswith(("#", "data:")) for value in sources)
    assert "url(" not in page
    assert "@import" not in page
    assert set(re.findall(r"https?://[^\s\"'<]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


def test_differences_stand_in_the_page_with_their_direction():
    found = comparison()
    apart = found.difference("a", "b")
    assert apart.clear
    rows = Page(report([found])).rows
    row = next(row for row in rows if row[0] == "a" and len(row) == 3)
    assert row[2].startswith("▼ −")
    assert float(row[2].split("−")[1].split(" ")[0]) == pytest.approx(-apart.mean, rel=1e-3)
    assert float(row[2].split("± ")[1]) == pytest.approx(apart.half_width, rel=1e-2)
    mirrored = next(row for row in rows if row[0] == "b" and len(row) == 3)
    assert mirrored[1].startswith("▲ ")
    equal = Page(report([comparison(shift=0)])).rows
    assert not any(cell.startswith(("▼", "▲")) for row in equal for cell in row)


def test_several_comparisons_have_an_overview():
    rows = Page(report([comparison("cycle:4"), comparison("star:4", ("b", "c"))])).rows
    assert rows[0] == ["group", "cycle:4", "star:4"]
    assert [row[0] for row in rows[1:4]] == ["a", "b", "c"]
    assert rows[1][2] == rows[3][1] == "–"


def test_an_interrupted_comparison_says_so():
    assert "only finished runs are shown" in report([comparison(finished=3)])
    assert "only finished runs are shown" not in report([comparison()])


def test_a_single_run_has_no_interval():
    page = report([comparison(finished=1)])
    assert "nan" not in page.lower().replace("tenant", "")


def test_the_command_in_the_page_makes_the_same_result(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    groups = {"QuACK's": quack.QuACK(quack.UCB(sigma=0.5)), "TS": quack.QuACK(quack.ThompsonSampling(), leader=1)}
    options = {"engine": "interpreted", "progress": False}
    first = quack.compare(groups, quack.Bernoulli([0.5, 0.4]), "star:4", horizon=9, runs=3, seed=7, **options)
    words = Page(report([first])).words
    command = next(text for text in words if text.startswith("quack compare")).replace("\\\n", " ")
    arguments = [*shlex.split(command)[1:], "--engine", "interpreted", "--quiet", "--save", "again.npz"]
    assert quack.cli.main(arguments) == 0
    again = quack.load("again.npz")
    assert (again.settings, list(again)) == (first.settings, list(first))
    for label in first:
        np.testing.assert_array_equal(again[label].plays, first[label].plays)


def test_what_cannot_be_named_has_no_command():
    page = report([comparison(environment="<an environment of my own>")])
    assert "quack compare" not in "".join(Page(page).words)
    assert "quack compare" not in "".join(Page(report([comparison(network="network")])).words)


def test_a_folder_is_read_by_name(tmp_path):
    for name in ("b", "a"):
        comparison(f"star:{name}").save(tmp_path / f"{name}.npz")
    found = read_results([tmp_path, tmp_path / "b.npz"])
    assert [one.settings.network for one in found] == ["star:a", "star:b", "star:b"]


def test_nothing_to_report_is_refused(tmp_path):
    with pytest.raises(StoreError, match="there is no result in the folder"):
        read_results([tmp_path])
    with pytest.raises(SpecError, match="at least one result is accepted"):
        report([])


def test_the_verb(tmp_path, capsys):
    comparison().save(tmp_path / "it.npz")
    page = tmp_path / "page.html"
    assert quack.cli.main(["report", str(tmp_path / "it.npz"), "--out", str(page), "--title", "Mine", "--log"]) == 0
    assert page.read_text(encoding="utf-8") == report([comparison()], title="Mine", log=True)
    assert capsys.readouterr().err == f"saved {page}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["it.npz", "--out", "it.pdf"], "--out is 'it.pdf'; a file name that ends in .html is accepted"),
        (["nothing.npz"], "cannot read nothing.npz: No such file or directory"),
        ([], "the following arguments are required: RESULT"),
        (["it.npz", "--out", "nowhere/it.html"], "cannot write nowhere/it.html: there is no folder nowhere"),
    ],
)
def test_bad_input_is_one_sentence(arguments, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    comparison().save(Path("it.npz"))
    assert quack.cli.main(["report", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["it.npz"]


def test_the_citation_is_that_of_the_repository():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for name in re.findall(r"family-names: (.*)", citation):
        assert name in BIBTEX
    title, paper = re.findall(r"title: \"(.*)\"", citation)[:2]
    folded = BIBTEX.replace("{", "").replace("}", "")
    assert title in folded
    assert paper in folded
    for key in ("year", "start", "end"):
        assert re.search(rf"{key}: (\d+)", citation)[1] in BIBTEX
    assert quack.__version__ in BIBTEX
