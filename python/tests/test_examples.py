"""The examples and the README: each of them runs and is short."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "python/examples").glob("*.py"))


def run(code, folder, *arguments):
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", *code, *arguments],
        cwd=folder,
        env={**__import__("os").environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run_and_are_short(example, tmp_path):
    text = example.read_text()
    assert len(text.splitlines()) < 60
    assert run([str(example)], tmp_path).strip(), "an example says something"
    for picture in re.findall(r'"(\w+\.png)"', text):
        assert (tmp_path / picture).stat().st_size > 10_000


def test_a_generated_network_stands_in_for_data_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("REPSC_DATA", str(tmp_path / "nothing"))
    assert "fair to gender" in run([str(ROOT / "python/examples/social_network.py")], tmp_path)


def test_the_examples_show_what_they_say(tmp_path):
    out = run([str(ROOT / "python/examples/comparing_methods.py")], tmp_path)
    plain, groups, everyone = (float(a) for a in re.findall(r"accuracy ([\d.]+)", out))
    assert everyone > 0.95 and max(plain, groups) < 0.6


def test_the_readme_runs(tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert blocks
    for block in blocks:
        assert len(block.splitlines()) <= 12
        run(["-c", block], tmp_path)
