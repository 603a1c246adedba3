# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that each claim of doc/papers.md can be confirmed and can be refuted: for each condition of its confirmation, a small change of
the committed tables turns the verdict."""

import re
import sys
from dataclasses import replace
from unittest import mock

import pytest

from conftest import HERE

ROOT = HERE.parents[1]
PAPERS = ROOT / "bench/papers"


def first(value, others):
    """One value in a table's first row, and another below."""
    return lambda row, place: value if place == 0 else others


def when(column, names, value, others):
    """One value where a column has one of these texts, and another elsewhere."""
    return lambda row, _: value if row[column] in names else others


def rising(row, place):
    return f"1.{place:02}"


def falling(row, place):
    return str(99 - place)


def costs(table, **columns):
    """Cells of columns `X / base`."""
    return {table: {f"{name.replace('_', ' ')} / base": value for name, value in columns.items()}}


def through_calls(default, whole, uncalled):
    """What paths through calls cost by default, with as many whole as numbers hold, and with all cut."""
    return {"calls-costs": {f"{mode}, {cut} / base": value for mode in ("context", "piecewise")
                            for cut, value in (("default", default), ("62 bits", whole), ("all", uncalled))}}


def growing(*numbers):
    """How many paths each function has for k = 1 to 5."""
    return {"iterations-paths": {f"k={k}": number for k, number in enumerate(numbers, 1)}}


def sequences(O2, Os):
    """What sequences of each length from 2 on cost."""
    return {table: {f"k={k} / hashed acyclic": cost for k in lengths} for table, cost, lengths in
            (("sequences-costs", O2, (2, 4, 10, 20)), ("sequences-calls", Os, (2, 10, 20)))}


FEW, MANY = "100", "70000"
ONE_LARGE = when("program", ["compress"], "7000", "10")

# By the name of the claim's function: a change with which the claim is confirmed, and changes with which it differs.  A change gives columns of tables
# new cells: a text, or a function of a row and its place.
CHANGES = {
    # [BL]
    "twice_edges": (costs("acyclic-costs", paths="1.200", edges="1.100"), costs("acyclic-costs", paths="1.100", edges="1.100"),
                    costs("acyclic-costs", paths="1.400", edges="1.100")),
    "thirty_one": (costs("acyclic-costs", paths="1.310"), costs("acyclic-costs", paths="1.200"), costs("acyclic-costs", paths="1.470")),
    "little_hashing": ({"acyclic-costs": {"hashed %": "0.0", "paths / base": "1.150", "edges / base": "1.100"}},
                       {"acyclic-costs": {"hashed %": "0.0", "paths / base": "1.200", "edges / base": "1.100"}}),
    "explained": ({"acyclic-costs": {"paths / base": rising, "hashed %": lambda row, place: str(place), "instructions per increment": falling}},
                  {"acyclic-costs": {"paths / base": rising, "hashed %": falling, "instructions per increment": falling}},
                  {"acyclic-costs": {"paths / base": rising, "hashed %": lambda row, place: str(place), "instructions per increment": rising}}),
    "edge_increments": ({"acyclic-costs": {"edge increments per path": "1.30"}}, {"acyclic-costs": {"edge increments per path": "0.95"}},
                        {"acyclic-costs": {"edge increments per path": "1.95"}}),
    "hashed": ({"acyclic-costs": {"hashed %": "12.0"}}, {"acyclic-costs": {"hashed %": "8.0"}}, {"acyclic-costs": {"hashed %": "18.5"}}),
    "instructions": ({"acyclic-costs": {"instructions per increment": "21.0"}}, {"acyclic-costs": {"instructions per increment": "14.0"}},
                     {"acyclic-costs": {"instructions per increment": "33.0"}}),
    "few_paths": ({"acyclic-paths": {"paths": "99", "potential paths": "10000"}}, {"acyclic-paths": {"paths": "100", "potential paths": "10000"}}),
    "three_thousand": ({"acyclic-paths": {"functions with fewer than 3000 paths %": "50.1"}},
                       {"acyclic-paths": {"functions with fewer than 3000 paths %": "50.0"}}),
    "predicted": ({"acyclic-paths": {"predicted %": "29.0"}}, {"acyclic-paths": {"predicted %": "19.0"}}, {"acyclic-paths": {"predicted %": "45.0"}}),
    "predicted_edges": ({"acyclic-paths": {"edges": "5.0", "predicted edges": "3.0"}}, {"acyclic-paths": {"edges": "5.0", "predicted edges": "2.9"}}),
    "predicted_statements": ({"acyclic-paths": {"statements": "20.0", "predicted statements": "15.0"}},
                             {"acyclic-paths": {"statements": "20.0", "predicted statements": "15.1"}}),
    "paths_a_function": ({"acyclic-paths": {"paths per function": "8.0"}}, {"acyclic-paths": {"paths per function": "5.0"}},
                         {"acyclic-paths": {"paths per function": "19.0"}}),
    "training_static": ({"acyclic-training": {"static %": "41.8"}}, {"acyclic-training": {"static %": first("41.7", "90.0")}}),
    "training_dynamic": ({"acyclic-training": {"dynamic %": "71.9", "statements %": "63.8"}},
                         {"acyclic-training": {"dynamic %": first("71.8", "90.0"), "statements %": "63.8"}},
                         {"acyclic-training": {"dynamic %": "71.9", "statements %": first("63.7", "90.0")}}),
    "numeric": ({"acyclic-kernels": {"statements": when("kind", ["numeric"], "30.0", "9.0")}, "acyclic-paths": {"statements": "29.0"}},
                {"acyclic-kernels": {"statements": when("kind", ["numeric"], "30.0", "31.0")}, "acyclic-paths": {"statements": "29.0"}},
                {"acyclic-kernels": {"statements": when("kind", ["numeric"], "30.0", "9.0")}, "acyclic-paths": {"statements": "31.0"}}),
    # [RS]
    "two_iterations": ({"iterations-costs": {"k=2 paper / acyclic": "1.570"}}, {"iterations-costs": {"k=2 paper / acyclic": first("1.580", "1.000")}}),
    "three_iterations": ({"iterations-costs": {"k=3 paper / acyclic": "1.870"}}, {"iterations-costs": {"k=3 paper / acyclic": first("1.880", "1.000")}}),
    "tables_cost": ({"iterations-paths": {"k=3": ONE_LARGE}, "iterations-costs": {"k=3 paper / acyclic": when("program", ["compress"], "1.300", "1.200")}},
                    {"iterations-paths": {"k=3": ONE_LARGE}, "iterations-costs": {"k=3 paper / acyclic": "1.200"}}),
    "realistic": ({"iterations-costs": {"k=2 paper / acyclic": "1.240"}}, {"iterations-costs": {"k=2 paper / acyclic": "1.250"}}),
    "growth": (growing("10", "100", "1000", "10000", "100000"), growing("10", "100", "1000", "10000", "20000"),
               growing("10", first("101", "100"), "1000", "10000", "100000")),
    "too_many": (growing(first("999", FEW), FEW, FEW, FEW, first("60001", FEW)), growing(FEW, FEW, FEW, FEW, "60000"), growing("1000", MANY, MANY, MANY, MANY)),
    "perfect": ({"iterations-erratum": {"numbering": "perfect"}}, {"iterations-erratum": {"numbering": first("not perfect", "perfect")}},
                {"iterations-erratum": {"paths": first("11", "23")}}),
    "flag": ({"iterations-erratum": {"wrong with one flag": "0"}}, {"iterations-erratum": {"wrong with one flag": first("1", "0")}}),
    # [DD]
    "competitive": ({"sequences-costs": {"k=10 / hashed acyclic": "1.250"}}, {"sequences-costs": {"k=10 / hashed acyclic": "1.251"}}),
    "competitive_with_calls": ({"sequences-calls": {"k=10 / hashed acyclic": "1.250"}}, {"sequences-calls": {"k=10 / hashed acyclic": "1.251"}}),
    "faster": (sequences(O2="1.500", Os=first("0.999", "1.500")), sequences(O2="1.000", Os="1.000")),
    "flat_in_k": ({"sequences-costs": {"k=2 / hashed acyclic": "1.000", "k=20 / hashed acyclic": "1.240"}},
                  {"sequences-costs": {"k=2 / hashed acyclic": "1.000", "k=20 / hashed acyclic": "1.251"}}),
    "degree": ({"sequences-forests": {"children per inner node": "3.90"}}, {"sequences-forests": {"children per inner node": when("k", ["2"], "4.00", "1.00")}}),
    "slabs": ({"sequences-forests": {"sequences per slab node": "1.01"}}, {"sequences-forests": {"sequences per slab node": when("program", ["lemon"], "1.00", "2.00")}}),
    "infeasible": ({"iterations-paths": {"k=3": when("program", ["compress", "crc"], "60001", "10")}},
                   {"iterations-paths": {"k=3": when("program", ["compress"], "60001", "10")}}),
    "overflow": (growing("10", FEW, FEW, FEW, first(str(2**64 + 1), FEW)), growing("10", FEW, FEW, FEW, str(2**64)),
                 growing(str(2**32), MANY, MANY, MANY, str(2**65))),
    # [MR]
    "wider": ({"calls-numbers": {"excluded to fit": "1"}}, {"calls-numbers": {"excluded to fit": "0"}}),
    "piecewise": ({"calls-numbers": {"excluded to fit": "0", "included sites %": "50.0", "bits": when("mode", ["piecewise"], "19", "20")}},
                  {"calls-numbers": {"excluded to fit": "0", "included sites %": "50.0", "bits": "20"}},
                  {"calls-numbers": {"excluded to fit": "0", "included sites %": "50.0", "bits": lambda row, _:
                                     "20" if row["mode"] == "context" else "21" if (row["program"], row["excluded calls"]) == ("lemon", "leaf") else "19"}}),
    "feasible": ({"calls-numbers": {"excluded to fit": when("mode", ["piecewise"], "1", "2")}}, {"calls-numbers": {"excluded to fit": "2"}}),
    "few_executed": ({"calls-numbers": {"bits": "40", "executed paths": str(2**29 - 1)}},
                     {"calls-numbers": {"bits": "40", "executed paths": when("program", ["lemon"], str(2**29), "1")}}),
    "hash_table": ({"calls-numbers": {"bits": "25"}}, {"calls-numbers": {"bits": "24"}}),
    "hybrids": ({"calls-numbers": {"excluded to fit": when("excluded calls", ["62 bits"], "5", "0")}}, {"calls-numbers": {"excluded to fit": when("excluded calls", ["leaf"], "0", "5")}}),
    "degenerate": (through_calls("1.500", "1.500", "1.500"), through_calls("1.500", "1.500", "1.600"),
                   {"calls-numbers": {"included sites %": "1.0"}, **through_calls("1.500", "1.500", "1.500")}),
    "expensive": (through_calls("1.500", "1.510", "1.100"), through_calls("1.500", "1.500", "1.100")),
    # [PPP]
    "all_paths": (costs("interesting-costs", all_paths="1.500"), costs("interesting-costs", all_paths="1.330"), costs("interesting-costs", all_paths="1.760")),
    "interesting_paths": (costs("interesting-costs", interesting_paths="1.220"), costs("interesting-costs", interesting_paths="1.230"),
                          costs("interesting-costs", interesting_paths=first("1.400", "1.000"))),
    "a_third": (costs("interesting-costs", all_paths="1.400", interesting_paths="1.190"), costs("interesting-costs", all_paths="1.400", interesting_paths="1.210")),
    "without_tables": ({"interesting-costs": {"hashed % of all paths": first("5.0", "0.0"), "all paths / base": "1.500", "interesting paths / base": first("1.400", "1.500")}},
                       {"interesting-costs": {"hashed % of all paths": first("5.0", "0.0"), "all paths / base": "1.500", "interesting paths / base": "1.400"}},
                       {"interesting-costs": {"hashed % of all paths": first("5.0", "0.0"), "all paths / base": "1.500", "interesting paths / base": first("1.510", "1.600")}}),
    "two_registers": ({"interesting-costs": {"hashed % of all paths": "0.0", "all paths / base": "1.000", "interesting paths / base": "1.020"}},
                      {"interesting-costs": {"hashed % of all paths": "0.0", "all paths / base": "1.000", "interesting paths / base": "1.021"}}),
    "delta": ({"interesting-numbers": {"delta": "1.250"}}, {"interesting-numbers": {"delta": "1.251"}}),
    "delta_grows": ({"interesting-numbers": {"interesting paths": first("100", "99"), "delta": first("2.000", "1.000")}},
                    {"interesting-numbers": {"interesting paths": first("100", "99"), "delta": "1.000"}}),
    "large_delta": ({"interesting-numbers": {"delta": first("11.000", "10.000")}}, {"interesting-numbers": {"delta": "10.001"}}),
    "arrays": ({"interesting-numbers": {"potential paths": "4001", "interval": "4000"}}, {"interesting-numbers": {"potential paths": "4001", "interval": "4001"}}),
    "residual": ({"interesting-residual": {"residual paths": first("1", "0")}}, {"interesting-residual": {"residual paths": "0"}}),
}
# Changes after which no row is left that could tell.
NOTHING_TO_TELL = {
    "little_hashing": {"acyclic-costs": {"hashed %": "2.0"}},
    "numeric": {"acyclic-kernels": {"kind": "integer"}},
    "two_iterations": {"iterations-paths": {"k=2": "6001"}},
    "three_iterations": {"iterations-costs": {"k=3 paper / acyclic": ""}},
    "tables_cost": {"iterations-paths": {"k=3": "6000"}},
    "realistic": {"iterations-costs": {"k=2 paper / acyclic": ""}},
    "degree": {"sequences-forests": {"children per inner node": ""}},
    "slabs": {"sequences-forests": {"sequences per slab node": ""}},
    "wider": {"calls-numbers": {"excluded calls": "all"}},
    "piecewise": {"calls-numbers": {"excluded to fit": "1"}},
    "feasible": {"calls-numbers": {"excluded to fit": "0"}},
    "few_executed": {"calls-numbers": {"bits": "20"}},
    "without_tables": {"interesting-costs": {"hashed % of all paths": "4.9"}},
    "two_registers": {"interesting-costs": {"hashed % of all paths": "1.0"}},
    "delta": {"interesting-numbers": {"delta": ""}},
    "delta_grows": {"interesting-numbers": {"interesting paths": "99"}},
    "large_delta": {"interesting-numbers": {"delta": ""}},
    "arrays": {"interesting-numbers": {"potential paths": "4000"}},
}


@pytest.fixture(scope="module")
def papers():
    """The claims by the name of their function, and the committed tables of what is counted."""
    with mock.patch.object(sys, "path", [str(ROOT / "bench"), str(PAPERS), *sys.path]), mock.patch.dict(sys.modules):
        sys.modules.pop("programs", None)  # these tests have a module of this name, too
        from claims import CLAIMS
        from tables import load
        found = {claim.find.__name__: claim for claim in CLAIMS}
        assert len(found) == len(CLAIMS)
        yield found, {file.stem: load(ROOT / "doc/papers", file.stem) for file in (ROOT / "doc/papers").glob("*.csv")
                      if not file.stem.endswith(("-times", "-memory"))}


def changed(tables, change):
    """The tables with other cells."""
    def cells(table, row, place, columns):
        known = dict(zip(table.columns, row))
        new = known | {name: value(known, place) if callable(value) else value for name, value in columns.items()}
        assert new.keys() == known.keys(), f"{table.name} has no such column: {new.keys() - known.keys()}"
        return list(new.values())
    return tables | {name: replace(tables[name], rows=[cells(tables[name], row, place, columns) for place, row in enumerate(tables[name].rows)])
                     for name, columns in change.items()}


def test_all_claims_have_changes(papers):
    claims, _ = papers
    assert claims.keys() == CHANGES.keys()


@pytest.mark.parametrize("name", CHANGES)
def test_each_verdict_can_come_out_otherwise(papers, name):
    claims, tables = papers
    confirming, *others = CHANGES[name]
    assert others and set(confirming) <= set(claims[name].needs)
    assert claims[name].find(changed(tables, confirming)).verdict == "confirmed"
    for change in others:
        assert claims[name].find(changed(tables, change)).verdict == "differs", change


@pytest.mark.parametrize("name", NOTHING_TO_TELL)
def test_tables_may_have_nothing_that_tells(papers, name):
    claims, tables = papers
    assert claims[name].find(changed(tables, NOTHING_TO_TELL[name])).verdict == "not reproducible"


def test_claims_without_rows_are_left_out(papers):
    """A run of kernels alone has no rows of programs."""
    claims, tables = papers
    from claims import findings
    found = [claim for claim, _ in findings(tables | {"sequences-costs": replace(tables["sequences-costs"], rows=[])})]
    assert found == [claim for claim in claims.values() if "sequences-costs" not in claim.needs]


def test_limits_name_the_open_targets(papers):
    """The table of doc/limits.md#cost has a row for each target that is open and for each claim of [DD] that differs, with the figures
    of the committed tables. A row is found by its cost, not by its words."""
    claims, tables = papers
    import targets
    section = (ROOT / "doc/limits.md").read_text().split("\n## Cost\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    for what, _, measured, state in targets.rows(tables):
        if state == "open":
            figures = re.findall(r"\d+\.\d+", measured)
            assert any(all(figure in row for figure in figures) for row in rows), (what, figures)
    kipf = "\n".join(row for row in rows if row.startswith("| `kipf`"))
    for name in ("competitive", "competitive_with_calls", "flat_in_k"):
        finding = claims[name].find(tables)
        assert finding.verdict == "confirmed" or re.search(r"\d\.\d\d", finding.measured)[0] in kipf
