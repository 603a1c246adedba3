# SPDX-License-Identifier: GPL-3.0-or-later
"""The verification cases of the qualification kit: which tests of the tool suite verify which requirement."""

import dataclasses
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REQUIREMENTS = ROOT / "doc/qualification/requirements.md"

# Compiler options of a case: all options of the user, these options except -O, or only those of the tests.
USER = "user"
WITHOUT_LEVEL = "user, at -O0"
OWN = "own"


@dataclasses.dataclass(frozen=True)
class Case:
    """A verification case. `tests` names tests of testsuite/tool as FILE or FILE::TEST, without the suffix .py."""
    name: str
    title: str
    oracle: str
    requirements: tuple
    flags: str
    tests: tuple


CASES = (
    Case("VC-1", "Versions and checksums of the tool", "known values", ("TOR-1",), OWN,
         ("test_robust::test_help_and_version", "test_evidence::test_checksums")),
    Case("VC-2", "Lines, branches and functions of random programs", "gcov", ("TOR-2", "TOR-3", "TOR-4"), WITHOUT_LEVEL,
         ("test_coverage_summary::test_totals_of_random_programs",)),
    Case("VC-3", "Lines, branches and functions of programs with exceptions, jumps, labels and setjmp", "gcov",
         ("TOR-2", "TOR-3", "TOR-4"), OWN, ("test_coverage_summary::test_totals_are_gcovs", "test_coverage_summary::test_branches_of_each_line_are_gcovs",
          "test_gcov::test_lines_are_gcovs")),
    Case("VC-4", "Line counts of random programs with unusual jumps", "gcov; output of the uninstrumented program",
         ("TOR-2", "TOR-18"), USER, ("test_random_jumps",)),
    Case("VC-5", "Line counts of random programs that end abruptly", "counters in the program", ("TOR-2",), USER,
         ("test_random_ends",)),
    Case("VC-6", "Executed lines in every report and export", "blocks of the executed paths", ("TOR-2",), OWN,
         ("test_line_invariant::test_random_programs",)),
    Case("VC-7", "Lists of lines and branch outcomes that were not executed", "known values", ("TOR-2", "TOR-3"), OWN,
         ("test_coverage_summary::test_lists",)),
    Case("VC-8", "Vectors and MC/DC of random decisions with negation and macros",
         "interpreter of the decisions; MC/DC by brute force", ("TOR-5", "TOR-6", "TOR-7"), WITHOUT_LEVEL,
         ("test_condition_texts::test_random_decisions",)),
    Case("VC-9", "Vectors and MC/DC of random decisions in all statements",
         "model of short-circuit evaluation; MC/DC by brute force", ("TOR-5", "TOR-6", "TOR-7"), USER,
         ("test_conditions::test_random_expressions",)),
    Case("VC-10", "Masking and unique-cause MC/DC of decisions with known results", "known values", ("TOR-6", "TOR-7"), OWN,
         ("test_conditions::test_masking_and_unique_cause", "test_conditions::test_coupled_conditions",
          "test_conditions::test_copies_of_finally_and_exceptions")),
    Case("VC-11", "Paths of random programs", "paths that the generator knows; output of the program", ("TOR-8", "TOR-18"), USER,
         ("test_random_programs",)),
    Case("VC-12", "Paths and sequences of paths of random programs", "trace of all basic blocks", ("TOR-8",), USER,
         ("test_traces::test_random_programs", "test_traces::test_sequences_of_random_programs")),
    Case("VC-13", "Interprocedural paths of random programs", "trace of all basic blocks", ("TOR-8",), USER,
         ("test_program_traces::test_random_programs",)),
    Case("VC-14", "Prime paths of random programs", "trace of all basic blocks; prime paths by definition", ("TOR-9",), USER,
         ("test_prime::test_random_programs", "test_prime::test_traced_programs")),
    Case("VC-15", "Missing prime paths", "program that does what the report requires", ("TOR-9",), OWN,
         ("test_prime::test_what_is_needed", "test_prime::test_short_sequences", "test_prime::test_acyclic_profile",
          "test_prime::test_too_many")),
    Case("VC-16", "Objects that were built but never executed", "known values", ("TOR-10",), OWN,
         ("test_coverage_summary::test_objects", "test_coverage_summary::test_objects_of_other_sources",
          "test_coverage_summary::test_manifest", "test_coverage_summary::test_objects_in_every_report",
          "test_coverage_summary::test_damaged_object", "test_coverage_summary::test_missing_object")),
    Case("VC-17", "Excluded code", "known values", ("TOR-11",), OWN,
         ("test_coverage_summary::test_markers", "test_coverage_summary::test_paths_through_excluded_lines",
          "test_coverage_summary::test_markers_without_effect", "test_coverage_summary::test_exceptions")),
    Case("VC-18", "Merged profiles", "sums of the counts", ("TOR-12",), OWN,
         ("test_merge::test_sums", "test_merge::test_order_does_not_matter", "test_merge::test_many_inputs",
          "test_merge::test_counts_saturate", "test_merge::test_bad_input_writes_nothing",
          "test_merge::test_builds_by_one_compiler_are_merged")),
    Case("VC-19", "Profiles of other builds and changed sources", "known values", ("TOR-13",), OWN,
         ("test_merge::test_builds_by_two_compilers_are_refused", "test_sources::test_builds_in_two_folders_are_two",
          "test_sources::test_changes_are_noticed", "test_continuous::test_another_build",
          "test_evidence::test_sources_that_are_not_as_compiled")),
    Case("VC-20", "Damaged profiles", "each damaged byte", ("TOR-14",), OWN,
         ("test_robust::test_bad_data", "test_robust::test_every_flipped_bit_is_noticed", "test_robust::test_every_length",
          "test_check::test_tampered")),
    Case("VC-21", "Exit statuses of thresholds", "known values", ("TOR-15",), OWN,
         ("test_coverage_summary::test_thresholds", "test_coverage_summary::test_threshold_of_conditions",
          "test_coverage_summary::test_threshold_without_measured_conditions",
          "test_prime::test_statuses", "test_conditions::test_text", "test_evidence::test_threshold_and_report",
          "test_evidence::test_verdict_is_the_exit_status")),
    Case("VC-22", "Warnings about items that were not measured", "known values", ("TOR-16",), OWN,
         ("test_unfinished::test_every_command_says_so", "test_unfinished::test_evidence",
          "test_unfinished::test_coverage_is_exact_by_default", "test_threads::test_threads_that_nobody_told_of",
          "test_conditions::test_merged_operands_are_not_measured", "test_conditions::test_loop_inside_is_not_measured")),
    Case("VC-23", "Equal files from equal profiles", "comparison of two runs", ("TOR-17",), OWN,
         ("test_evidence::test_two_runs_are_alike", "test_evidence::test_order_of_merged_profiles",
          "test_evidence::test_name_and_date_of_the_profile_do_not_matter", "test_evidence::test_says_what_the_reports_say")),
    Case("VC-24", "Justified code", "enumeration of all paths; known values", ("TOR-19",), OWN, ("test_justifications",)),
)


def requirements():
    """Returns the requirements by name, in order: {"TOR-1": "The tool …"}."""
    return dict(re.findall(r"^\| (TOR-\d+) \| (.+?) \|$", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE))
