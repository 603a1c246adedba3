# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark measures and its report is written; what the figures are is nothing for a test."""

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree

import pytest

from conftest import BUILD, HERE

ROOT = HERE.parents[1]
SERIES = {"command": "bench/bench BUILD --rounds 15", "machine": "1 × abacus", "compilers": ["gcc 1.0"],
          "builds": {"base": "b", "arcs": "a", "early": "e"}}
TIMES = {"bzip2": {"base": [2, 1, 4], "arcs": [4, 2, 8], "early": [3, 1.5, 6]},
         "lua-words": {"base": [1, 1, 1], "arcs": [8, 8, 8], "early": [6, 6, 6]},
         "sieve": {"base": [1, 1, 2], "arcs": [1, 2, 6], "early": [1, 3, 8]}}
MEASURED = {
    "time": {level: SERIES | {"costs": TIMES} for level in ("O2", "O3")},
    "others": {"O2": SERIES | {"builds": {"clang-base": "c", "clang-generate": "g"},
                               "costs": {"bzip2": {"clang-base": [2, 2, 2], "clang-generate": [3, 2, 3]}}}},
    "size": {"O2": SERIES | {"costs": {"bzip2": {"base": [100], "arcs": [150], "early": [125]}}}},
    "start": {"O2": SERIES | {"costs": {"instructions": {"base": [100], "arcs": [107], "early": [103.5]}}}},
}


def bench(folder, *arguments):
    return subprocess.run([ROOT / "bench/bench", BUILD, "--cache", folder, *arguments], capture_output=True, text=True,
                          timeout=900)


def rounds_of(file):
    (levels,) = json.loads(file.read_text()).values()
    return {level: series["costs"]["sieve"] for level, series in levels.items()}


def test_measures_and_goes_on(tmp_path):
    file = tmp_path / "bench.json"
    arguments = ["--programs", "sieve", "--level", "O2", "--variants", "base,arcs,early", "--json", file]
    done = bench(tmp_path, *arguments, "--rounds", "1")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^geomean, kernels +\d\.\d+ +\d\.\d+$", done.stdout, re.MULTILINE)
    first = rounds_of(file)["O2"]
    assert {variant: len(times) for variant, times in first.items()} == {"base": 1, "arcs": 1, "early": 1}
    done = bench(tmp_path, *arguments, "--rounds", "2", "--resume")
    assert done.returncode == 0, done.stderr
    both = rounds_of(file)["O2"]
    assert all(len(times) == 2 and times[0] == first[variant][0] for variant, times in both.items())


def test_measures_two_tables_if_nothing_else_is_said(tmp_path):
    done = bench(tmp_path, "--programs", "sieve", "--level", "O2", "--rounds", "1", "--json", tmp_path / "bench.json")
    assert done.returncode == 0, done.stderr
    measured = json.loads((tmp_path / "bench.json").read_text())
    variants = {kind: list(levels["O2"]["builds"]) for kind, levels in measured.items()}
    assert variants["time"] == ["base", "arcs", "source", "early", "late"]
    assert {"clang-generate", "exact", "thread"} < set(variants["others"]) and len(variants) == 2


def test_builds_again_with_what_a_run_wrote(tmp_path):
    done = bench(tmp_path, "--programs", "sieve", "--level", "O2", "--rounds", "1", "--json", tmp_path / "bench.json",
                 "--variants", "base,early,profile-use,use,use-thread,preferential")
    assert done.returncode == 0, done.stderr
    heads = next(line for line in done.stdout.splitlines() if "÷ simpler" in line)
    assert heads.split()[-3:] == ["use", "use-thread", "preferential"]
    (kind,) = json.loads((tmp_path / "bench.json").read_text())
    assert kind == "rebuilds"
    # Each is a build of its own: what was used is what this compiler made of the run, and it is used.
    written = sorted(file.name for file in (tmp_path / "training").glob("*/*") if file.is_file())
    assert len(written) == 2 and re.fullmatch(r"kernel-sieve-[0-9a-f]+\.gcda", written[0]) and written[1] == "profile.pathprof"


def test_designs_that_are_not_built(tmp_path):
    """A test in front of each function takes two instructions a call, a nop one; where the switch was asked is a nop or a jump."""
    file = tmp_path / "cost.json"
    variants = ["base", "entry-tests", "entry-sleds", "switch", "switch-sleds"]
    done = subprocess.run([ROOT / "bench/cost", BUILD, "--cache", tmp_path, "--programs", "trees", "--level", "O2", "--only",
                           "instructions", "--variants", ",".join(variants), "--json", file],
                          capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    (levels,) = json.loads(file.read_text()).values()
    base, tests, sleds, switch, without_tests = (levels["O2"]["costs"]["trees"][name][0] for name in variants)
    assert base < sleds < tests and without_tests < switch
    assert 1.9 < (tests - base) / (sleds - base) < 2.1


def test_duty_that_came_about(tmp_path):
    """What is switched on all the time counts what the full run does; half the time, less."""
    def duty(switch):
        done = subprocess.run([ROOT / "bench/duty", BUILD, "--cache", tmp_path, "--programs", "sieve", "--duty", switch, "--times", "1"],
                              capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr
        return [float(number) for number in re.search(r"^sieve +(\d+\.\d+) +(\d+\.\d+)$", done.stdout, re.MULTILINE).groups()]

    assert duty("on") == [100, 100]
    overlap, share = duty("50%/20ms")
    assert 0 < overlap <= 100 and 0 < share < 100


@pytest.mark.parametrize("option, value, message", [
    ("--variants", "base,edges", "unknown variants: edges; expected: base, arcs"),
    ("--level", "O2,O9", "unknown levels: O9; expected: O0, O2, O3"),
    ("--programs", "doom*", "no workload matches doom*; expected: bzip2"),
])
def test_says_what_it_does_not_know(tmp_path, option, value, message):
    done = bench(tmp_path, option, value)
    assert done.returncode != 0
    assert message in done.stderr


def report(folder, *arguments, status=0):
    done = subprocess.run([ROOT / "bench/report", "--doc", folder, *arguments], capture_output=True, text=True,
                          timeout=900)
    assert done.returncode == status, done.stderr


@pytest.fixture(scope="module")
def doc(tmp_path_factory):
    """The page and its companions, made of MEASURED."""
    folder = tmp_path_factory.mktemp("doc")
    shutil.copy(ROOT / "doc/performance.md", folder)
    measured = tmp_path_factory.mktemp("measured") / "bench.json"
    measured.write_text(json.dumps(MEASURED))
    report(folder, measured)
    return folder


def rows(text):
    return {cells[0].strip("*"): [cell.strip("*") for cell in cells[1:]] for cells in
            (re.split(r" \| ", line.strip("| ")) for line in text.splitlines() if line.startswith("| "))}


def part(text, kind):
    return re.search(rf"bench/report, {kind}: begin -->\n(.*?)<!-- end -->", text, re.DOTALL)[1]


def test_tables(doc):
    text = (doc / "performance.md").read_text()
    over_base, over_arcs = part(text, "time").split("### -O3")[0].split("Relative to `-fprofile-arcs`")
    assert "`bench/bench BUILD --rounds 15`" in over_base
    assert "3 rounds, a trial; 1 × abacus; gcc 1.0" in over_base
    assert rows(over_base)["bzip2"] == ["2.000", "1.500"]
    assert rows(over_base)["geomean, tuning set"] == ["4.000", "3.000"]
    assert rows(over_base)["worst, tuning set"][0] == "8.000"
    assert rows(over_base)["sieve"][1] == "3.000 (1.000–4.000)"
    assert rows(over_arcs)["lua-words"] == ["0.750"]
    assert rows(part(text, "size"))["bzip2"] == ["0.833"]  # the last table: over -fprofile-arcs
    assert rows(part(text, "start"))["GCC `-fprofile-arcs`"] == ["7.000"]
    assert rows(part(text, "others"))["bzip2"] == ["1.500 (1.000–1.500)"]
    assert part(text, "compile") == "Not measured yet.\n"


def measured_with(version):
    builds = {"base": "b", "arcs": "a", "early": "e", "late": "l"}
    times = {subject: costs | {"late": costs["base"]} for subject, costs in TIMES.items()}
    series = SERIES | {"compilers": [f"gcc-{version[:2]} (Debian) {version}"], "builds": builds, "costs": times}
    return json.dumps({"time": {"O2": series}, "size": {"O2": series}})


def test_versions_of_gcc_are_rows(doc, tmp_path):
    for version in ("14.2.0", "16.1.0"):
        (tmp_path / version).write_text(measured_with(version))
    report(doc, "--versions", tmp_path / "14.2.0", tmp_path / "16.1.0")
    lines = re.findall(r"^\| (1\d.*) \|$", part((doc / "performance.md").read_text(), "versions"), re.MULTILINE)
    assert [row.split(" | ")[:3] for row in lines] == 2 * [["16.1.0", "-O2, time", "3"], ["14.2.0", "-O2, time", "3"]]
    assert lines[0].split(" | ")[5:] == ["1.000", "1.000"]
    report(doc, "--check")


def test_compiler_of_the_other_tables_is_a_row_of_versions(doc, tmp_path):
    page = shutil.copytree(doc, tmp_path / "doc")
    (tmp_path / "own").write_text(measured_with("12.2.0"))
    report(page, tmp_path / "own")
    lines = re.findall(r"^\| (12.*) \|$", part((page / "performance.md").read_text(), "versions"), re.MULTILINE)
    assert [row.split(" | ")[:3] for row in lines] == 2 * [["12.2.0", "-O2, time", "3"]]
    report(page, "--check")


def test_coverage_of_gcc_has_a_part_of_its_own(doc, tmp_path):
    builds = {"base": "b", "path-coverage": "p", "early": "e"}
    series = SERIES | {"builds": builds, "costs": {"bzip2": {"base": [100], "path-coverage": [1900], "early": [125]}}}
    left_out = SERIES | {"builds": builds, "costs": {"bzip2": {"path-coverage": [3], "early": [0]}}}
    (tmp_path / "cost.json").write_text(json.dumps({"coverage": {"O2, size": series, "O2, left-out": left_out}}))
    report(doc, tmp_path / "cost.json")
    measured = part((doc / "performance.md").read_text(), "coverage")
    assert "### -O2, size" in measured and "| bzip2 | 19.000 | 1.250 |" in measured
    assert "### -O2, left-out" in measured and "| bzip2 | 3 | 0 |" in measured


def test_report_is_repeatable(doc):
    names = ["performance.md", "performance.svg", "performance.json"]
    first = [(doc / name).read_bytes() for name in names]
    report(doc)
    assert [(doc / name).read_bytes() for name in names] == first


def test_check(doc, tmp_path):
    shutil.copytree(doc, tmp_path, dirs_exist_ok=True)
    report(tmp_path, "--check")
    page = tmp_path / "performance.md"
    page.write_text(page.read_text().replace("4.000", "3.999"))
    report(tmp_path, "--check", status=1)


def test_plot(doc):
    plot = (doc / "performance.svg").read_text()
    words = "".join(xml.etree.ElementTree.fromstring(plot).itertext())
    for word in ("bzip2", "geomean, kernels", "-O2", "-O3", "GCC -fprofile-arcs", "clang -fprofile-generate", "stage=early"):
        assert word in words


def test_page_is_what_the_figures_make():
    report(ROOT / "doc", "--check")
