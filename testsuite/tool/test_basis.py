# SPDX-License-Identifier: GPL-3.0-or-later
"""What figures are of: which paths a profile counts, what rows are ranked by, what shares are shares of.

The commands must agree on that and say it, whatever the profile's mode."""

import re

import pytest

from conftest import MODES, Project, assert_mentions, branch, loop, plugin
from programs import figure_4
from test_report import rows

RANKING = ("report", "functions", "show", "stats")


def ranked_by(pathdump, command, profile, *arguments):
    return pathdump.json(command, "--json", *arguments, profile)["ranked_by"]


def cycles_of(cheap, dear):
    """f has the statements, g the cycles; and what measuring these cost."""
    return [loop(cycles={"1": 10, "3": 20, "5": 30}, measuring=cheap),
            branch(cycles={"0": 400, "1": 540}, measuring=dear)]


# ---- what ranks ----

@pytest.mark.parametrize("command", RANKING)
@pytest.mark.parametrize("cost, by", [((100, 900), "cycles"), ((101, 900), "statements")])
def test_cycles_rank_unless_measuring_took_more_than_half(pathdump, make_profile, command, cost, by):
    profile = make_profile(cycles_of(*cost))
    assert ranked_by(pathdump, command, profile) == by
    text = pathdump(command, profile).stdout
    assert re.search(rf"^1000 cycles\b.*[Rr]anked by {'cycles' if by == 'cycles' else 'executed statements'}\b", text, re.M)
    (line,) = [line for line in text.splitlines() if line.startswith("Measuring ")]
    assert_mentions(line, "50", f"{sum(cost)} cycles", f"{sum(cost) / 50:.1f}", "50.0%")
    assert ("so rows are not ranked by cycles" in text) == (by == "statements")


@pytest.mark.parametrize("command", RANKING)
def test_rows_are_in_the_order_that_is_said(pathdump, make_profile, command):
    def first(*cost):
        found = pathdump.json(command, "--json", make_profile(cycles_of(*cost)))
        row = (found["paths"] if command == "report" else found["functions"])[0]
        return row["function"] if command == "report" else row["name"]
    assert (first(10, 10), first(5000, 5000)) == ("g", "f")


def test_what_is_asked_for_ranks(pathdump, make_profile):
    profile = make_profile(cycles_of(5000, 5000))
    for command in ("report", "functions"):
        assert ranked_by(pathdump, command, profile, "--sort=cycles") == "cycles"
        assert ranked_by(pathdump, command, make_profile(cycles_of(1, 1)), "--sort=statements") == "statements"
    text = pathdump("report", "--sort=cycles", make_profile(cycles_of(5000, 5000))).stdout
    assert_mentions(text, "more than half", "short paths")


def test_profiles_of_older_versions_do_not_say_what_measuring_cost(pathdump, make_profile):
    profile = make_profile([loop(cycles={"1": 10}), branch(cycles={"0": 400})])
    assert re.search("^.*[Mm]easur.* unknown .*profile", pathdump("report", profile).stdout, re.M)
    report = pathdump.json("report", "--json", profile)
    assert (report["ranked_by"], report["cycles"], report["measuring_cycles"]) == ("cycles", 410, None)


def test_cost_is_merged_with_weights(pathdump, make_profile, tmp_path):
    make_profile(cycles_of(7, 900), "a.pathprof")
    make_profile(cycles_of(5, 100), "b.pathprof")
    pathdump("merge", "-o", "sum.pathprof", "-w", "2", "a.pathprof", "-w", "1", "b.pathprof")
    found = pathdump.json("functions", "--json", "sum.pathprof")
    assert (found["cycles"], found["measuring_cycles"]) == (3000, 2 * 907 + 105)
    assert {f["name"]: (f["cycles"], f["measuring_cycles"]) for f in found["functions"]} == \
        {"f": (180, 19), "g": (2820, 1900)}


def test_a_cost_where_nothing_is_measured_is_refused(pathdump, make_profile):
    profile = make_profile([branch(measuring=5)])
    assert_mentions(pathdump("check", profile, status=3).stderr, "cost", "measuring", "cycles")


def test_page_ranks_as_the_report(pathdump, make_profile):
    pathdump("html", "-o", "page.html", make_profile(cycles_of(5000, 5000)))
    page = (make_profile(cycles_of(1, 1)).parent / "page.html").read_text()
    assert "Ranked by executed statements" in page or "ranked by executed statements" in page
    assert "so rows are not ranked by cycles" in page and re.search("[Ss]hare .{0,20}executed statements", page)
    pathdump("html", "-o", "page.html", "prog.pathprof")
    assert re.search("[Ss]hare .{0,20}measured cycles", (make_profile([branch()]).parent / "page.html").read_text())


# ---- shares ----

@pytest.mark.parametrize("arguments", [(), ("--function", "g")])
def test_functions_have_the_shares_of_their_paths(pathdump, make_profile, arguments):
    for functions in ([loop(), branch()], cycles_of(10, 10)):
        profile = make_profile(functions)
        paths = pathdump.json("report", "--json", "-n0", *arguments, profile)["paths"]
        for function in pathdump.json("functions", "--json", *arguments, profile)["functions"]:
            of_paths = sum(path["share"] for path in paths if path["function"] == function["name"])
            assert function["share"] == pytest.approx(of_paths)
        (table,) = [row for row in rows(pathdump("functions", *arguments, profile).stdout) if row["function"] == "g"]
        assert float(table["share"][:-1]) == pytest.approx(
            sum(path["share"] for path in paths if path["function"] == "g"), abs=0.01)


def test_branches_foreseen_are_the_same_in_stats_and_advise(pathdump, make_profile):
    profile = make_profile([loop(), branch()])
    total = pathdump.json("stats", "--json", profile)["total"]
    advice = pathdump.json("advise", "--json", profile)["total"]
    assert (total["branches"], total["missed_by_edges"], total["missed_by_paths"]) == \
        (advice["executions"], advice["missed_by_edges"], advice["missed_by_paths"])


@pytest.mark.parametrize("command, total", [
    ("report", r"\b280\b"), ("functions", r"\b280\b"), ("show", r"\b280\b"), ("coverage", "distinct paths|static paths|all paths"),
    ("stats", "branches?.*executions"), ("advise", "executions of (all )?branches|branch executions")])
def test_shares_say_what_they_are_of(pathdump, make_profile, command, total):
    lines = pathdump(command, make_profile([loop(), branch()])).stdout.splitlines()
    assert any(re.search(total, line) and re.search(r"\b[Ss]hares?\b", line) for line in lines)


def test_comparisons_say_what_their_shares_are_of(pathdump, make_profile):
    make_profile([loop(), branch()], "a.pathprof")
    make_profile([branch()], "b.pathprof")
    assert re.search(r"^.*A% and B%.*shares?.*statements", pathdump("diff", "a.pathprof", "b.pathprof").stdout, re.M)
    assert re.search(r"paths, executions and (executed )?statements .*\bB\b", pathdump("overlap", "a.pathprof", "b.pathprof").stdout)
    assert re.search(r"failed.* and .*passed.*\bruns\b", pathdump("diff", "--pass", "a.pathprof", "--fail", "b.pathprof").stdout)


# ---- what is counted ----

SOURCE = """
volatile int sink;
__attribute__((noinline)) void work(int n) {
  int i = 0;
  do
    if (i & 1)
      sink = 1;
    else
      sink = 2;
  while (++i < n);
}
int main(void) {
  work(100);
  work(3);
  return 0;
}
"""
# The words in parentheses that follow the name of what a mode counts.
COUNTED = {mode: f"mode={mode},k=3" if mode in ("kiter", "kipf") else f"mode={mode}"
           for mode in MODES}


def says_that_it_counts(text, mode, where=""):
    """Returns true if the text has a line that names the model, its arguments and the side of a comparison, and nothing else."""
    return re.search(rf"^Counted{where}: [^()]+ \({COUNTED[mode]}\)$", text, re.M) is not None


@pytest.fixture(scope="module")
def modes(tmp_path_factory):
    """A profile of the program in each mode, and one of several modes."""
    project = Project(tmp_path_factory.mktemp("modes"))
    project.write("a.c", SOURCE)
    project.write("scheme", "work mode=kipf k=3\n")
    for name in [*COUNTED, "mixed"]:
        arguments = [f"mode={name}"] if name != "mixed" else ["scheme=scheme"]
        arguments += ["k=3"] if name in ("kiter", "kipf") else []
        arguments += ["interesting=acyclic.pathprof"] if name == "preferential" else []
        project.gcc("-O1", "-g", *plugin("stage=source", *arguments), "a.c", "-o", name)
        project.run(f"./{name}")
    return project.folder


@pytest.mark.parametrize("command", ["report", "functions", "show", "stats", "coverage", "advise"])
@pytest.mark.parametrize("mode", COUNTED)
def test_what_is_counted_is_said(pathdump, modes, command, mode):
    text = pathdump(command, modes / f"{mode}.pathprof").stdout
    is_said = says_that_it_counts(text, mode)
    has_none = command in ("advise", "stats") and mode in ("context", "piecewise")  # interprocedural paths have no such table
    assert is_said or has_none, text


def test_what_is_counted_is_said_of_both_sides(pathdump, modes):
    for command in ("diff", "overlap"):
        text = pathdump(command, modes / "acyclic.pathprof", modes / "kiter.pathprof").stdout
        assert says_that_it_counts(text, "acyclic", " in A") and says_that_it_counts(text, "kiter", " in B")
        text = pathdump(command, modes / "kiter.pathprof", modes / "kiter.pathprof").stdout
        assert says_that_it_counts(text, "kiter")


def test_mixtures_are_told_apart(pathdump, modes):
    expected = r"^Counted: [^()]+ \(mode=acyclic\) in 1 function; [^()]+ \(mode=kipf,k=3\) in 1 function$"
    assert re.search(expected, pathdump("report", modes / "mixed.pathprof").stdout, re.M)
    assert COUNTED["kipf"] in pathdump("report", modes / "mixed.pathprof", "--function", "work").stdout.split("\n")[1]
    counted = pathdump.json("functions", "--json", modes / "mixed.pathprof")["counted"]
    assert counted == [{"mode": "acyclic", "k": 1, "functions": 1}, {"mode": "kipf", "k": 3, "functions": 1}]
    modes_shown = [row["mode"] for row in rows(pathdump("functions", modes / "mixed.pathprof").stdout)]
    assert sorted(modes_shown) == ["acyclic", "kipf,k=3"]


@pytest.mark.parametrize("mode", COUNTED)
def test_a_path_says_what_it_is(pathdump, modes, mode):
    exported = pathdump.json("export", modes / f"{mode}.pathprof")
    if mode in ("context", "piecewise"):
        place = ["program", exported["program_paths"][0]["paths"][0]["id"]]
    else:
        place = ["work", next(f for f in exported["functions"] if f["name"] == "work")["paths"][0]["id"]]
    assert says_that_it_counts(pathdump("path", modes / f"{mode}.pathprof", *place).stdout, mode)


def advice_table(text, title):
    lines = text.splitlines()
    return lines[next(i for i, line in enumerate(lines) if line.startswith(title)) + 2:]


def test_advice_names_pairs_as_such(pathdump, modes):
    """A profile with sequences had what pairs of paths miss under the title of what paths miss."""
    found = {}
    for mode in ("acyclic", "kipf"):
        text = pathdump("advise", modes / f"{mode}.pathprof").stdout
        assert "by edges  by paths" in text and ("by pairs" in text) == (mode == "kipf")
        found[mode] = pathdump.json("advise", "--json", modes / f"{mode}.pathprof")
    (branch_,) = found["kipf"]["branches"]
    table = advice_table(pathdump("advise", modes / "kipf.pathprof").stdout, "Branches ")
    titles, cells = table[0], table[1].split()
    assert titles.split()[:7] == ["executions", "by", "edges", "by", "paths", "by", "pairs"]
    assert cells[:4] == [str(branch_["executions"])] + \
        [f"{100 * branch_[key] / branch_['executions']:.1f}%" for key in ("missed_by_edges", "missed_by_paths",
                                                                        "missed_by_pairs")]
    same = ("executions", "missed_by_edges", "missed_by_paths")
    assert [found["acyclic"]["total"][key] for key in same] == [found["kipf"]["total"][key] for key in same]


def test_what_edges_foresee_is_the_same_in_all_modes(pathdump, modes):
    """A back edge was one way where a path ended at it, and another one where it went on over it."""
    found = {mode: pathdump.json("advise", "--json", modes / f"{mode}.pathprof")["total"]
             for mode in ("acyclic", "kiter", "kipf", "intracontext", "preferential")}
    assert {(total["executions"], total["missed_by_edges"]) for total in found.values()} == \
        {(found["acyclic"]["executions"], found["acyclic"]["missed_by_edges"])}


def test_paths_across_iterations_are_told_from_acyclic_ones_in_advice(pathdump, modes):
    told = {mode for mode in COUNTED if "'by paths'" in pathdump("advise", modes / f"{mode}.pathprof").stdout}
    assert told == {"kiter", "intracontext"}


# ---- views behind an option ----

@pytest.mark.parametrize("mode, hint", [("kipf", "'pathdump report --sequences'"), ("mixed", "'pathdump report --sequences'"),
                                        ("preferential", "'pathdump residual'"), ("acyclic", None), ("kiter", None)])
def test_the_report_points_to_other_views(pathdump, modes, mode, hint):
    text = pathdump("report", modes / f"{mode}.pathprof").stdout
    assert re.findall("'pathdump (?:report --sequences|residual)'", text) == ([hint] if hint else [])


def test_tables_point_to_other_views(pathdump, modes, make_profile):
    assert "--calls" in pathdump("functions", modes / "context.pathprof").stdout
    assert "--calls" not in pathdump("functions", "--calls", modes / "context.pathprof").stdout
    assert "--calls" not in pathdump("functions", modes / "acyclic.pathprof").stdout
    assert "--calls" in pathdump("functions", make_profile(figure_4())).stdout
    assert "--missing" in pathdump("coverage", modes / "acyclic.pathprof").stdout
    assert "--missing" not in pathdump("coverage", "--missing", modes / "acyclic.pathprof").stdout
