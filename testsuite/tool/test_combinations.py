# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of the plugin that the mode does not have, on the command line and in scheme files: never silently ignored."""

import pytest

from conftest import MODES, assert_mentions, plugin, the_error

KITER, KIPF, CALLS = ("kiter",), ("kiter", "kipf"), ("context", "piecewise")
GOES_WITH = {
    "k=3": KIPF,
    "k=2": KIPF,  # the default
    "numbering=register": KITER,
    "numbering=paper": KITER,
    "loops=3:2": KITER,
    "hybrid=auto": CALLS,
    "hybrid=leaf": CALLS,
    "recursion=split": CALLS,
    "indirect=chain": CALLS,
    "wide=1": CALLS,
    "interesting=annotated": ("preferential",),
    "large-ids=hash": ("preferential",),
    "notify=1": ("preferential",),
    "metric=tsc": ("acyclic",),
    "termination=exact": ("acyclic", *CALLS),
    "paths-max=100": ("acyclic", "kiter", "intracontext", "preferential"),
    "array-max=100": MODES,
    # What asks for nothing goes with everything.
    "metric=none": MODES,
    "termination=basic": MODES,
    "wide=0": MODES,
    "notify=0": MODES,
    "switch=0": MODES,
    "overflow=skip": MODES,
    "update=atomic": MODES,
    "verbose=0": MODES,
}


def of_mode(mode):
    return plugin(f"mode={mode}", *(["interesting=annotated"] if mode == "preferential" else []))


def list_of(modes):
    quoted = [f"'mode={mode}'" for mode in MODES if mode in modes]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("argument", GOES_WITH)
def test_modes(simple, mode, argument):
    if mode in GOES_WITH[argument]:
        assert simple.gcc(*of_mode(mode), *plugin(argument), "-c", "prog.c").stderr.count("error") == 0
        return
    assert_mentions(the_error(simple, argument, *of_mode(mode)), f"'{argument}'", list_of(GOES_WITH[argument]), f"'mode={mode}'")


# Whatever the order of the arguments.
def test_mode_behind(simple):
    simple.gcc(*plugin("k=3", "mode=kiter", "numbering=paper"), "-c", "prog.c")


def scheme(project, text):
    project.write("scheme", text)
    return plugin("scheme=scheme")


# k is for the functions that have such a mode.
@pytest.mark.parametrize("text, arguments", [
    ("f mode=kiter\n", ["k=3"]),
    ("f mode=kiter k=3\n", []),
    ("* k=3\nf mode=kiter\n", []),
    ("* k=3\n", ["mode=kipf"]),
    ("main mode=acyclic\n", ["mode=kiter", "k=3"]),
    ("f mode=acyclic metric=tsc\n", ["mode=kiter"]),
    ("f termination=basic\n", ["mode=acyclic", "termination=exact"]),
    ("main mode=acyclic\n", ["mode=preferential", "interesting=annotated", "notify=1"]),
])
def test_scheme_file(simple, text, arguments):
    assert simple.gcc(*scheme(simple, text), *plugin(*arguments), "-c", "prog.c").stderr == ""


@pytest.mark.parametrize("text, arguments, named", [
    ("f k=3\n", [], ["scheme:1: 'k=3'", "'mode=kiter' and 'mode=kipf'", "'mode=acyclic'"]),
    ("\nf mode=acyclic k=3\n", ["mode=kiter"], ["scheme:2: 'k=3'", "'mode=kiter' and 'mode=kipf'", "'mode=acyclic'"]),
    ("f mode=kipf\n", ["k=3", "numbering=paper"], ["'numbering=paper'", "'mode=kiter'", "'mode=acyclic' and 'mode=kipf'"]),
    ("f mode=kiter notify=1\n", [], ["scheme:1: 'notify=1'", "'mode=preferential'", "'mode=kiter'"]),
    ("f mode=kipf paths-max=7\n", [], ["scheme:1: 'paths-max=7'"]),
    ("f mode=kiter\n", ["metric=tsc"], ["prog.c:6:1: error: pathprof: 'metric=tsc'", "'mode=acyclic'", "'mode=kiter'"]),
])
def test_wrong_scheme_file(simple, text, arguments, named):
    done = simple.gcc(*scheme(simple, text), *plugin(*arguments), "-c", "prog.c", status=1)
    assert done.stderr.count("error: ") == 1
    assert_mentions(done.stderr, *named)
