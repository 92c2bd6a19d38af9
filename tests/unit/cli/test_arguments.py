"""What is wrong with a command line is said in one sentence, with what would be accepted."""

import pytest

import quack.cli
from quack.version import __version__

WRONG = {
    "comapre": "there is no verb 'comapre'. Did you mean 'compare'? Known are compare, ",
    "xyzzy": "there is no verb 'xyzzy'. Known are compare, ",
    "": "the following arguments are required: VERB (see quack --help)",
    "leader": "the following arguments are required: NAME|FILE (see quack leader --help)",
    "list polices": "'polices' is not accepted; policies, environments, groups, networks are. Did you mean 'policies'?",
    "list groups more": "quack list takes no further argument 'more'",
    "compare --hoizon 3": "quack compare takes no option '--hoizon'. Did you mean '--horizon'?",
    "compare --hor 3": "quack compare takes no option '--hor'",
    "compare --horizon=1.5": "argument --horizon: '1.5' is not accepted; a whole number is",
    "compare --runs ten": "argument --runs: 'ten' is not accepted; a whole number is",
    "compare --seed True": "argument --seed: 'True' is not accepted; a whole number is",
    "compare --workers 1e3": "argument --workers: '1e3' is not accepted; a whole number is",
    "compare --engine fast": "argument --engine: 'fast' is not accepted; auto, compiled, interpreted are",
    "compare --horizon": "argument --horizon: expected one argument",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_line_is_one_sentence(line, capsys):
    assert quack.cli.main(line.split()) == 2
    output = capsys.readouterr()
    assert WRONG[line] in output.err
    assert output.err.startswith("quack: error: ")
    assert output.err.count("\n") == 1
    assert output.out == ""


@pytest.mark.parametrize("verb", ["compare", "list", "check", "leader"])
def test_every_verb_explains_itself(verb, capsys):
    with pytest.raises(SystemExit) as leaving:
        quack.cli.main([verb, "--help"])
    assert leaving.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: quack {verb}")


def test_the_version(capsys):
    with pytest.raises(SystemExit):
        quack.cli.main(["--version"])
    assert capsys.readouterr().out == f"quack {__version__}\n"
