"""The first steps on a fresh machine: each thing that can be missing is one clear sentence."""

from __future__ import annotations

import ast
import importlib.util
import os
import stat
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.architecture.sources import ROOT


@pytest.fixture
def bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_old_python_is_named(bootstrap: ModuleType) -> None:
    assert bootstrap.old_python_message((3, 6, 9)).startswith("Python 3.11 or newer is needed, and this is 3.6.")


def test_an_old_python_can_still_read_the_file() -> None:
    tree = ast.parse((ROOT / "bootstrap.py").read_text(encoding="utf-8"), feature_version=(3, 4))
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Match)
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    assert [n for n in ast.walk(tree) if isinstance(n, newer)] == []
    assert [f.name for f in functions if f.returns or f.args.kwonlyargs or any(a.annotation for a in f.args.args)] == []


def test_a_full_disk_is_named_and_a_roomy_one_is_fine(bootstrap: ModuleType) -> None:
    assert bootstrap.disk_message(1_600_000_000) == (
        "The disk is full: 1.5 GB are free and 2 GB are needed. Free some space and run again."
    )
    assert bootstrap.disk_message(3 * 1024**3) == ""


def test_a_python_without_venv_is_named(bootstrap: ModuleType) -> None:
    assert "apt-get install python3-venv" in bootstrap.venv_message(True, False)
    assert bootstrap.venv_message(True, True) == ""


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("x\nERROR: [Errno 28] No space left on device", "The disk ran full"),
        ("Failed to establish a new connection: NewConnectionError", "there is no network"),
        ("[Errno -3] Temporary failure in name resolution", "there is no network"),
        ("ReadTimeoutError: Read timed out.", "does not answer"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "not the one that the lock file names"),
        ("one\ntwo", "one / two"),
    ],
)
def test_a_failed_installation_is_one_sentence(bootstrap: ModuleType, said: str, sentence: str) -> None:
    assert sentence in bootstrap.install_message(said)


def test_what_is_installed_is_not_installed_again(bootstrap: ModuleType) -> None:
    texts = {"base": "a==1 \\\n  --hash=x\n", "dev": "a==1\nb==2\n"}
    fresh = bootstrap.digest(texts["base"])
    assert bootstrap.is_installed({"base": fresh}, "base", texts)
    assert not bootstrap.is_installed({"base": fresh}, "dev", texts)
    assert not bootstrap.is_installed({"base": "old"}, "base", texts)


def test_the_larger_lock_stands_for_the_smaller_one_it_holds(bootstrap: ModuleType) -> None:
    texts = {"base": "a==1\n", "dev": "a==1\nb==2\n"}
    stamp = {"dev": bootstrap.digest(texts["dev"])}
    assert bootstrap.is_installed(stamp, "base", texts)
    other = {"base": "a==3\n", "dev": texts["dev"]}
    assert not bootstrap.is_installed(stamp, "base", other)


def test_both_lock_files_pin_every_package_with_a_hash(bootstrap: ModuleType) -> None:
    texts = bootstrap.read_locks()
    assert bootstrap.pins(texts["base"]) <= bootstrap.pins(texts["dev"])
    for text in texts.values():
        assert text.count("--hash=sha256:") >= len(bootstrap.pins(text)) > 40


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def make(folder: Path, *, path: str) -> subprocess.CompletedProcess[str]:
    found = next(p for p in ("/usr/bin/make", "/bin/make", "/usr/local/bin/make") if Path(p).exists())
    return subprocess.run(
        [found, "-s", "-f", str(ROOT / "Makefile"), "run"],
        cwd=folder,
        env={"PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


def test_a_machine_without_python_is_told_so(tmp_path: Path) -> None:
    done = make(tmp_path, path=str(tmp_path))
    assert done.returncode != 0
    assert done.stderr.startswith("Python 3.11 or newer is needed, and none was found.")


def test_make_hands_over_to_the_python_that_works(tmp_path: Path) -> None:
    program(tmp_path, "python3", "exit 127")
    program(tmp_path, "python3.12", '[ "$1" = -c ] && exit 0; echo "started $*"')
    done = make(tmp_path, path=str(tmp_path))
    assert (done.returncode, done.stdout.strip()) == (0, "started bootstrap.py run")


def test_an_old_python_looks_for_a_newer_one(bootstrap: ModuleType, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 0))
    monkeypatch.setattr(bootstrap, "newer_python", lambda: None)
    assert bootstrap.main(["run"]) == 1
    assert "this is 3.8" in capsys.readouterr().err
    started: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "newer_python", lambda: "/newer")
    monkeypatch.setattr(os, "execv", lambda path, arguments: started.append(arguments) or sys.exit(0))
    with pytest.raises(SystemExit):
        bootstrap.main(["run", "--port", "9"])
    assert started == [["/newer", str(ROOT / "bootstrap.py"), "run", "--port", "9"]]
