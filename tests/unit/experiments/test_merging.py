"""Parts of a study make the whole, and nothing but parts of one study do."""

import pytest

import quack
from quack.experiments import pace
from quack.experiments.merging import merge_studies

EXPERIMENT = quack.Experiment(
    network=("cycle:3",),
    environment="Bernoulli([0.6, 0.4])",
    groups={"a": "QuACK(ThompsonSampling())", "b": "Pooled(UCB(sigma={sigma}))"},
    horizon=10,
    runs=9,
    engine="interpreted",
    checkpoints=2,
    grid={"sigma": (0.5, 1.0)},
)


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    monkeypatch.setattr(pace, "_SLICE_S", 0.0)
    monkeypatch.setattr(pace, "_SHORTEST_S", 0.001)


def play(folder, experiment=EXPERIMENT, **options):
    return quack.run_study(experiment, folder, progress=False, workers=1, **options)


def merge(tmp_path, *names, into="merged"):
    return merge_studies([tmp_path / name for name in names], tmp_path / into, progress=False)


def plays(study):
    return {(cell, label): group.plays.tolist() for cell, comparison in study.items() for label, group in comparison.items()}


@pytest.fixture
def parts(tmp_path):
    for i in (1, 2, 3):
        play(tmp_path / f"part-{i}", shard=(i, 3))
    return tmp_path


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2)])
def test_the_parts_make_the_whole_in_any_order(order, parts):
    merged = merge(parts, *(f"part-{i}" for i in order))
    assert merged.complete
    assert plays(merged) == plays(play(parts / "whole"))
    assert plays(play(parts / "merged")) == plays(merged)  # it is a study like any other


def test_a_merge_goes_on_where_it_stopped_and_can_be_the_only_one_left(parts, monkeypatch):
    names = [f"part-{i}" for i in (1, 2, 3)]
    merge(parts, *names)
    lost = sorted((parts / "merged" / "runs").iterdir())[1::2]
    for file in lost:
        file.unlink()
    monkeypatch.setattr("os.link", lambda *_: (_ for _ in ()).throw(OSError(18, "Invalid cross-device link")))
    assert merge(parts, *names).complete
    assert all(file.exists() for file in lost)


def test_a_gap_is_refused(parts):
    with pytest.raises(
        quack.SpecError, match=r"runs 3 … 5 of 'a' at network=cycle:3, sigma=0.5 are in none of the .*, and 3 more;"
    ):
        merge(parts, "part-1", "part-3")
    assert not (parts / "merged").exists()


def test_an_overlap_is_refused(parts):
    play(parts / "again", shard=(2, 3))
    with pytest.raises(quack.SpecError, match=r"run 3 of 'a' at .* is in .*part-2 and in .*again; each run once is accepted"):
        merge(parts, "part-1", "part-2", "part-3", "again")
    with pytest.raises(quack.SpecError, match="each run once is accepted"):
        merge(parts, "part-1", "part-1")


def test_another_study_is_refused(parts):
    play(parts / "other", EXPERIMENT.with_settings(["seed=1"]))
    with pytest.raises(quack.SpecError, match="part-1 and .*other are of different studies: seed is 0 there and 1 here"):
        merge(parts, "part-1", "other")


def test_what_is_no_study_or_damaged_is_refused(parts):
    with pytest.raises(quack.StoreError, match="nothing is not a study of quack: there is no .*manifest.json"):
        merge(parts, "part-1", "nothing")
    with pytest.raises(quack.SpecError, match="part-1 is one of the folders to merge; a new folder is accepted"):
        merge(parts, "part-1", "part-2", "part-3", into="part-1")
    with pytest.raises(quack.SpecError, match="no folders to merge"):
        merge(parts)
    file = min((parts / "part-2" / "runs").iterdir())
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(quack.StoreError, match=f"{file.name} is damaged"):
        merge(parts, "part-1", "part-2", "part-3")


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"format": 9}', "\udcff"])
def test_a_manifest_that_is_none(content, tmp_path):
    (tmp_path / "it").mkdir()
    (tmp_path / "it" / "manifest.json").write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(quack.StoreError, match="manifest"):
        quack.load_study(tmp_path / "it")
