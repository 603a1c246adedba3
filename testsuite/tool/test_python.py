# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python module, and the examples that use it or pathdump from scripts."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from conftest import BUILD, MODES, branch, loop
from test_report import rows

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import pathprof  # noqa: E402

PATHDUMP = BUILD / "bin/pathdump"


@pytest.fixture(name="loaded")
def loaded_profile(make_profile):
    file = make_profile({"program": "prog", "runs": 3, "functions": [loop(), branch("_Z1gi", file="b.c"),
                         {"name": "h", "edges": [[0, 2], [2, 1]], "left_out": "why"}]})
    return pathprof.load(file, PATHDUMP)


def test_profile(loaded):
    assert (loaded.program, loaded.runs, loaded.left_out) == ("prog", 3, {"h": "why"})
    assert [function.demangled for function in loaded.functions] == ["f", "g(int)"]
    assert loaded.function("g(int)") is loaded.function("_Z1gi")
    with pytest.raises(KeyError, match="0 functions are called x"):
        loaded.function("x")


def test_function(loaded):
    f = loaded.function("f")
    assert (f.file, f.line, f.mode, f.k, f.stage, f.num_paths, f.calls) == ("a.c", 10, "acyclic", 1, "source", 6, 10)
    assert f.block(6) == pathprof.Block(6, 5, (17, 18))
    assert f.edges[0] == pathprof.Edge(0, 2, frozenset({"fallthru"}))
    counts = f.block_counts()
    assert (counts[2], counts[3], counts[5], counts[6], counts[8]) == (10, 40, 10, 20, 10)
    assert [path.count for path in f.paths] == [f.path(path.id).count for path in f.paths]
    with pytest.raises(KeyError):
        f.path(99)


def test_hot_paths_are_those_of_the_report(loaded, pathdump):
    report = pathdump.json("report", "--json", "-n", "0")["paths"]
    hot = loaded.hot_paths()
    assert [(path.function.name, path.id, path.count, path.statements, path.trail) for path in hot] == \
        [(row["function"], int(row["id"]), row["count"], row["statements"], " ".join(row["decisions"]) or row["lines"]) for row in report]
    assert [100 * path.share for path in hot] == pytest.approx([row["share"] for row in report])
    assert loaded.hot_paths(2) == hot[:2]


@pytest.mark.parametrize("mode", MODES)
def test_every_mode(profiled, mode):
    project = profiled(mode)
    profile = pathprof.load(project.folder / "prog.pathprof", PATHDUMP)
    data = profile.data
    assert sum(len(f.paths) for f in profile.functions) == sum(len(f["paths"]) + len(f.get("residual", []))
                                                              for f in data["functions"])
    assert len(profile.program_paths) == sum(len(program["paths"]) for program in data["program_paths"])
    if mode in ("context", "piecewise"):
        assert all(path.functions for path in profile.program_paths) and profile.weight == 0
        assert any(">" in path.trail.split() for path in profile.program_paths)
        for path, of_json in zip(profile.program_paths, (path for program in data["program_paths"] for path in program["paths"])):
            assert path.trail == " ".join(of_json["decisions"])
    elif mode == "kipf":
        main = profile.function("main")
        sequences = main.sequences()
        assert {(s.paths[0], s.count) for s in sequences if len(s.paths) == 1} == {(p.id, p.count) for p in main.paths}
        assert all(sequence.paths[:-1] in {one.paths for one in sequences} for sequence in sequences if len(sequence.paths) > 1)
    else:
        calls = {f.name: f.calls for f in profile.functions}
        table = project.pathdump.json("functions", "--json", "prog.pathprof")["functions"]
        assert calls == {row["name"]: row["calls"] for row in table}


def test_errors(tmp_path):
    bad = tmp_path / "bad.pathprof"
    bad.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="bad.pathprof: offset 0"):
        pathprof.load(bad, PATHDUMP)
    with pytest.raises(ValueError, match="version 1"):
        pathprof.loads('{"format": "other"}')


def test_plot(make_profile, tmp_path):
    file = make_profile([loop(), branch()])
    done = subprocess.run(["/usr/bin/python3", ROOT / "examples/plot/plot_paths.py", file, tmp_path / "plot.svg", PATHDUMP],
                          capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 of 5 paths contain half of all executed statements; the hottest path contains 5")
    assert "5 executed paths" in (tmp_path / "plot.svg").read_text()


# ---- examples ----


def test_a_failing_run_is_found_by_its_path(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "examples/failing/find-bug", BUILD, tmp_path], capture_output=True,
                          text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    source = (ROOT / "examples/json/jsonfmt.c").read_text().splitlines()
    lost = next(i for i, line in enumerate(source, 1) if line.strip() == "if (sign)")
    table = rows(done.stdout)
    assert len(table) == 3
    first = table[0]
    assert first["function"] == "copy_number" and first["decisions"].startswith("jsonfmt.c:")
    assert re.search(rf"[ :]{lost}:T\b", first["decisions"])


def test_dask_adds_up_although_a_worker_is_killed():
    pytest.importorskip("distributed", reason="python3-distributed is not installed")
    done = subprocess.run([sys.executable, ROOT / "examples/fleet/dask_merge.py", BUILD, "900"], capture_output=True, text=True,
                          timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "900 profiles of 3 builds" and lines[2] == "3 of 3 sums are identical to the output of pathdump merge"
    assert re.fullmatch(r"a worker was killed while \d+ of 9 parts were unfinished", lines[1])


# What of PySpark the document uses; Debian has no package of it.
PYSPARK = """
from typing import Callable, Generic, Iterator, Tuple, TypeVar
T = TypeVar("T")
U = TypeVar("U")
K = TypeVar("K")
V = TypeVar("V")
class RDD(Generic[T]):
    def map(self, f: Callable[[T], U], preservesPartitioning: bool = ...) -> "RDD[U]": ...
    def reduceByKey(self: "RDD[Tuple[K, V]]", func: Callable[[V, V], V], numPartitions: int = ...) -> "RDD[Tuple[K, V]]": ...
    def toLocalIterator(self, prefetchPartitions: bool = ...) -> Iterator[T]: ...
class SparkContext:
    def binaryFiles(self, path: str, minPartitions: int = ...) -> RDD[Tuple[str, bytes]]: ...
"""


def mypy(folder, *files):
    return subprocess.run(["/usr/bin/mypy", "--strict", "--ignore-missing-imports", "--follow-imports=skip", "--cache-dir", folder / "cache",
                           *files], cwd=folder, capture_output=True, text=True, timeout=900, check=False)


@pytest.mark.skipif(not os.access("/usr/bin/mypy", os.X_OK), reason="mypy is not installed")
def test_types_of_what_engines_are_given(tmp_path):
    spark = re.search(r"```python\n(.*?)```", (ROOT / "doc/fleet.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    (tmp_path / "spark.py").write_text(spark)
    (tmp_path / "pyspark.pyi").write_text(PYSPARK)
    for files in (["spark.py", "pyspark.pyi"], [ROOT / "examples/fleet/dask_merge.py"]):
        done = mypy(tmp_path, *files)
        assert done.returncode == 0, done.stdout
    (tmp_path / "wrong.py").write_text(spark.replace("-> bytes:", "-> str:"))
    assert mypy(tmp_path, "wrong.py", "pyspark.pyi").returncode == 1


def add_of_the_document(tmp_path):
    text = (ROOT / "doc/fleet.md").read_text(encoding="utf-8")
    names = {}
    exec("import subprocess, tempfile\n" + re.search(r"def add.*?\.stdout\n", text, re.DOTALL)[0], names)
    return names["add"]


def test_the_documents_function_adds(make_profile, pathdump, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(BUILD / "bin"), prepend=os.pathsep)
    one = make_profile([{"name": "f", "edges": [[0, 2], [2, 1]], "traces": [{"blocks": [0, 2, 1], "times": 5}]}]).read_bytes()
    add = add_of_the_document(tmp_path)
    (tmp_path / "one").write_bytes(one), (tmp_path / "two").write_bytes(one)
    pathdump("merge", "-o", "sum", "one", "two")
    assert add(one, one) == (tmp_path / "sum").read_bytes()


def test_a_thousand_profiles_add_up_in_any_order():
    done = subprocess.run([sys.executable, ROOT / "examples/fleet/thousand", BUILD, "60"], capture_output=True, text=True,
                          timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    assert "merged: " in done.stdout and "60 runs" in done.stdout and done.stdout.count("the same bytes") == 2
