# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of C++ functions: short ones in what people read, whole ones for machines, and never one for two functions."""

import csv
import io

import pytest

from conftest import branch

# f(std::string); f<std::string>() and the same of int; g's names differ in what is too long to be shown.
STRING = "_Z1fNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
FULL = "f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >)"
PLAIN = "_Z3runi"
LONG = "_Z34a_function_with_a_long_name_indeedmmm", "_Z34a_function_with_a_long_name_indeedmml"
RESULTS = "_Z1hIiEiv", "_Z1hIiEvv"  # int h<int>() and void h<int>()
CONSTRUCTORS = "_ZN1AC1Ev", "_ZN1AC2Ev"
TABLES = [("report",), ("show",), ("functions",), ("stats",), ("coverage",), ("coverage", "--missing")]


@pytest.fixture
def profile(make_profile):
    names = [STRING, PLAIN, *LONG, *RESULTS, *CONSTRUCTORS]
    return make_profile([branch(name, line=10 * i, lines=(10 * i + 1, 10 * i + 2)) for i, name in enumerate(names, 3)])


@pytest.mark.parametrize("command", TABLES, ids=" ".join)
def test_people_read_short_names(pathdump, profile, command):
    text = pathdump(*command, profile).stdout
    assert "f(std::string)" in text and FULL not in text
    assert FULL in pathdump(*command, profile, "--full-names").stdout
    assert STRING in pathdump(*command, profile, "--no-demangle").stdout


def test_names_of_a_page(pathdump, profile):
    escaped = FULL.replace("<", "&lt;").replace(">", "&gt;")
    assert escaped in pathdump("html", profile, "--full-names").stdout
    short = pathdump("html", profile).stdout
    assert "f(std::string)" in short and f">{escaped}<" not in short


def shown_functions(text):
    return {line.rsplit(" (a.c:", 1)[0] for line in text.splitlines() if " (a.c:" in line}


def test_no_two_functions_have_one_name(pathdump, profile):
    assert shown_functions(pathdump("show", profile).stdout) == {
        "f(std::string)",
        "run(int)",
        "a_function_with_a_long_name_indeed(unsigned long, unsigned long, unsigned long)",
        "a_function_with_a_long_name_indeed(unsigned long, unsigned long, long)",
        "int h<int>()",
        "void h<int>()",
        "A::A() [_ZN1AC1Ev]",
        "A::A() [_ZN1AC2Ev]",
    }
    assert len(shown_functions(pathdump("show", profile, "--full-names").stdout)) == 8


def test_a_name_that_is_alone_is_short(pathdump, make_profile):
    text = pathdump("show", make_profile([branch(LONG[0]), branch(RESULTS[0], line=50, lines=(51, 52))])).stdout
    assert shown_functions(text) == {"a_function_with_a_long_name_indeed(...)", "h<int>()"}


def test_functions_of_two_profiles_are_told_apart(pathdump, make_profile):
    """Each has only one of two functions that would be called the same."""
    a, b = (make_profile([branch(name)], f"{name}.pathprof") for name in LONG)
    for arguments in ((a, b), ("--pass", a, "--fail", b)):
        text = pathdump("diff", *arguments).stdout
        assert "unsigned long, long)" in text, arguments


def test_machines_read_whole_names(pathdump, profile):
    for command in ("report", "show", "functions"):
        found = pathdump.json(command, profile, "--json")
        rows = found["paths" if command == "report" else "functions"]
        assert {row["demangled"] for row in rows} >= {FULL, "int h<int>()", "A::A()"}, command
    found = pathdump.json("export", "--format=json", profile)
    assert FULL in {function["demangled"] for function in found["functions"]}
    rows = csv.DictReader(io.StringIO(pathdump("export", "--format=csv", profile).stdout))
    assert FULL in {row["demangled"] for row in rows}
    assert FULL in pathdump("export", "--format=collapsed", profile).stdout


def test_what_is_shown_selects(pathdump, profile):
    for name in ("f(std::string)", "void h<int>()", "a_function_with_a_long_name_indeed(*, long)", FULL, STRING):
        assert len(shown_functions(pathdump("show", profile, "--function", name).stdout)) == 1, name
    assert "f(std::string)" in pathdump("path", profile, "f(std::string)", "0").stdout
