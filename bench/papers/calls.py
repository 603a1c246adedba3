# SPDX-License-Identifier: GPL-3.0-or-later
"""[MR]: interprocedural paths of whole programs (-flto): the bits of their path IDs, the calls that are excluded so that the IDs
fit, the share of potential paths that is executed, and the cost. The authors describe the technique but did not implement it."""

from collections import Counter

from lab import BASE, Lab, ours
from tables import Table, interval, percent, quotient, with_intervals

WHOLE_PROGRAM = ("-flto", "-fno-fat-lto-objects")
MODES = ("context", "piecewise")
# Calls at which paths are truncated: the strategies of [MR] 8, and as many as a width of path IDs requires. By default, calls are
# excluded until an array can count the paths, if the included calls are three quarters of the executions; otherwise a table is used.
HYBRIDS = {"default": (), "62 bits": ("array-max=0",), "124 bits": ("wide=1",), "static": ("hybrid=static",), "leaf": ("hybrid=leaf",),
           "all": ("hybrid=all",)}


def through_calls(mode: str, hybrid: str):
    return ours(f"{mode}, {hybrid}", f"mode={mode}", *HYBRIDS[hybrid], flags=WHOLE_PROGRAM)


def numbers(lab: Lab, workloads: list) -> Table:
    """Describes the unit of each program with the most bits, on the small input."""
    table = Table("calls-numbers", ["program", "mode", "excluded calls", "bits", "call sites", "recursive", "excluded to fit", "included sites %",
                                    "included executions %", "executed paths"])
    for workload in workloads:
        for mode in MODES:
            for hybrid in HYBRIDS:
                listed = lab.ask("functions", lab.profile(through_calls(mode, hybrid), workload, workload.small))
                found = listed["programs"]
                if not found:
                    continue
                reasons = Counter(site.get("reason") for function in listed["functions"] for site in function.get("call_sites", []))
                sites, executions = (sum(program[name] for program in found) for name in ("direct_sites", "direct_executions"))
                table.add(workload.name, mode, hybrid, max(program["bits"] for program in found), sites, reasons["recursive"], reasons["limit"],
                          percent(sum(program["whole_direct_sites"] for program in found), sites),
                          percent(sum(program["whole_direct_executions"] for program in found), executions),
                          sum(program["executed_paths"] for program in found))
    return table


def costs(lab: Lab, workloads: list) -> Table:
    variants = [through_calls(mode, hybrid) for mode in MODES for hybrid in ("default", "62 bits", "all")]
    table = Table("calls-costs", ["program", *(f"{variant.name} / base" for variant in variants)])
    for workload in workloads:
        plain = lab.instructions(BASE, workload)
        table.add(workload.name, *(quotient(lab.instructions(variant, workload), plain) for variant in variants))
    return table


def times(lab: Lab, workloads: list) -> Table:
    variants = [through_calls(mode, hybrid) for mode in MODES for hybrid in ("default", "all")]
    table = Table("calls-times", ["program", *with_intervals([f"{variant.name} / base" for variant in variants])])
    for workload in workloads:
        found = lab.times([BASE, *variants], workload)
        table.add(workload.name, *(cell for variant in variants for cell in interval(found[variant.name])))
    return table


def counted(lab: Lab, programs: list, kernels: list) -> list[Table]:
    chosen = [*programs, *(kernel for kernel in kernels if kernel not in programs)]
    return [numbers(lab, chosen), costs(lab, chosen)]


def timed(lab: Lab, programs: list, kernels: list) -> list[Table]:
    return [times(lab, programs)]
