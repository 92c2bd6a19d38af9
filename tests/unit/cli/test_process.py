"""The command as a process: pipes, terminals, Ctrl-C."""

import os
import pty
import signal
import subprocess
import sys

import pytest

import quack

QUACK = [sys.executable, "-m", "quack"]
TINY = ["compare", "--engine", "interpreted", "--network", "cycle:3", "--horizon", "6", "--runs", "2"]
ENDLESS = ["compare", "--engine", "interpreted", "--network", "cycle:3", "--horizon", "10000", "--runs", "100000"]
# Progress when piped comes every ten seconds; a test that waits for it wants it at once.
EAGER = "import sys, quack.cli, quack.simulation.progress as p; p._LINE_EVERY_S = 0.0; sys.exit(quack.cli.main(sys.argv[1:]))"


def test_head_may_leave_before_the_end_and_the_results_are_saved(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)  # as `head` does after its last line
    line = [*QUACK, *TINY, "--quiet", "--save", "it.npz"]
    done = subprocess.run(line, stdout=writing, stderr=subprocess.PIPE, cwd=tmp_path, text=True, timeout=60, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "saved it.npz\n")
    assert quack.load(tmp_path / "it.npz").complete


def test_a_terminal_gets_a_bar_and_a_table_and_its_cursor_back(tmp_path):
    master, slave = pty.openpty()
    with subprocess.Popen([*QUACK, *TINY], stdout=slave, stderr=slave, cwd=tmp_path) as process:
        os.close(slave)
        said = _drain(master)
    assert process.returncode == 0
    assert "───" in said
    assert "pooled" in said
    assert said.rindex("\x1b[?25h") > said.rindex("\x1b[?25l")  # the cursor is back


def _drain(master):
    said = b""
    while True:
        try:
            more = os.read(master, 4096)
        except OSError:  # the other side is closed
            more = b""
        if not more:
            os.close(master)
            return said.decode()
        said += more


@pytest.mark.parametrize("save", [(), ("--save", "it.npz")])
def test_ctrl_c_ends_at_once_with_130_and_keeps_what_is_finished(tmp_path, save):
    line = [sys.executable, "-c", EAGER, *ENDLESS, *save]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, text=True) as process:
        while "left" not in (said := process.stderr.readline()):  # the first play is over
            assert said
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "quack: interrupted; of 400,000 runs " in err
    assert "Traceback" not in err
    if save and out:
        partial = quack.load(tmp_path / "it.npz")
        assert not partial.complete
        assert all(len(group.runs) for group in partial.values())


def test_a_disk_that_is_full_is_one_sentence_and_leaves_nothing(tmp_path):
    limited = (
        "import resource, sys, quack.cli; resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)); "
        "sys.exit(quack.cli.main(sys.argv[1:]))"
    )
    line = [sys.executable, "-B", "-c", limited, *TINY, "--quiet", "--save", "it.npz"]
    done = subprocess.run(line, capture_output=True, cwd=tmp_path, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == "quack: error: cannot write it.npz: File too large\n"
    assert list(tmp_path.iterdir()) == []
