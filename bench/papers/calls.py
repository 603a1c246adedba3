# SPDX-License-Identifier: GPL-3.0-or-later
"""[MR]: paths through the calls of whole programs (-flto): how many bits their numbers need, at which calls paths are cut so that they fit, how many
of the potential paths are executed, and what it costs.  The authors describe the technique and had not built it."""

from lab import BASE, Lab, ours
from tables import Table, percent, quotient, rounded

WHOLE_PROGRAM = ("-flto", "-fno-fat-lto-objects")
MODES = ("context", "piecewise")
HYBRIDS = ("auto", "static", "leaf", "all")


def through_calls(mode: str, hybrid: str):
    return ours(f"{mode} {hybrid}", f"mode={mode}", f"hybrid={hybrid}", flags=WHOLE_PROGRAM)


def numbers(lab: Lab, workloads: list) -> Table:
    """Of the part of a program that has the most bits; on the small input."""
    table = Table("calls-numbers", ["program", "mode", "hybrid", "bits", "direct call sites", "cut call sites", "whole sites %",
                                    "whole executions %", "executed paths"])
    for workload in workloads:
        for mode in MODES:
            for hybrid in HYBRIDS:
                found = lab.ask("functions", lab.profile(through_calls(mode, hybrid), workload, workload.small))["programs"]
                if not found:
                    continue
                sites, executions = (sum(program[name] for program in found) for name in ("direct_sites", "direct_executions"))
                table.add(workload.name, mode, hybrid, max(program["bits"] for program in found), sites,
                          sum(program["cut_sites"] for program in found),
                          percent(sum(program["whole_direct_sites"] for program in found), sites),
                          percent(sum(program["whole_direct_executions"] for program in found), executions),
                          sum(program["executed_paths"] for program in found))
    return table


def costs(lab: Lab, workloads: list) -> Table:
    names = [f"{mode} {hybrid}" for mode in MODES for hybrid in ("auto", "all")]
    table = Table("calls-costs", ["program", *(f"{name} over none" for name in names)])
    for workload in workloads:
        plain = lab.instructions(BASE, workload)
        table.add(workload.name, *(quotient(lab.instructions(through_calls(*name.split()), workload), plain) for name in names))
    return table


def times(lab: Lab, workloads: list) -> Table:
    names = [f"{mode} auto" for mode in MODES]
    table = Table("calls-times", ["program", *(f"{name}{what}" for name in names for what in ("", " low", " high"))], timed=True)
    for workload in workloads:
        found = lab.times([BASE, *(through_calls(*name.split()) for name in names)], workload)
        table.add(workload.name, *(rounded(value) for name in names for value in (found[name].value, found[name].low, found[name].high)))
    return table


def measure(lab: Lab, programs: list, kernels: list, with_times: bool) -> list[Table]:
    chosen = [*programs, *(kernel for kernel in kernels if kernel not in programs)]
    return [numbers(lab, chosen), costs(lab, chosen), *([times(lab, programs)] if with_times else [])]
