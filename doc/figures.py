# SPDX-License-Identifier: GPL-3.0-or-later
"""The graphs in doc/how-it-works, as SVG in doc/images: drawn by Graphviz from what the plugin's dumps and pathdump say of
the programs there, or from text where there is nothing to ask.  doc/update-examples calls it."""

import json
import re
import subprocess
from pathlib import Path

FONT = 'fontname="sans-serif"'
HEAD = (f'digraph {{ node [shape=box, {FONT}, fontsize=11, height=0.3, width=0.4, margin="0.1,0.05"];'
        f' edge [{FONT}, fontsize=10, arrowsize=0.7]; graph [{FONT}, fontsize=11, ranksep=0.35];\n')
SOURCE = ["-O1", "stage=source"]

# Name of the picture: how to draw it, the program, and how to compile it; words with "=" are arguments of the plugin.
COMPILED = {
    "numbering": ("vals", "six.c", SOURCE),
    "plan": ("operations", "six.c", SOURCE),
    "registers": ("operations", "six.c", ["-O2", "stage=early"]),
    "iterations": ("vals", "six.c", [*SOURCE, "mode=kiter"]),
    "sequences": ("forest", "six.c", [*SOURCE, "mode=kipf", "k=3"]),
    "context": ("vals", "led.c", [*SOURCE, "mode=intracontext"]),
    "context-plan": ("operations", "led.c", [*SOURCE, "mode=intracontext"]),
    "exact": ("operations", "calls.c", [*SOURCE, "termination=exact"]),
    "cycles": ("operations", "six.c", [*SOURCE, "metric=tsc"]),
}
FUNCTIONS = {"six.c": "six", "led.c": "led", "calls.c": "put"}

# Beside edges: what they add, n being the number of completions that the caller passes.
CALLS = """
  node [style=filled, fillcolor=white]; rankdir=LR;
  subgraph cluster_main { label="main"; style=rounded;
    head [label="loop's head"]; call [label="put (i);"]; back [label="i++, back edge"]; head -> call; call -> back [style=dotted]; }
  subgraph cluster_put { label="put"; style=rounded;
    entry [label="ENTRY"]; stop [label="exit (0);\\nends the path"]; small [label="small++"]; big [label="big++"]; exit [label="EXIT"];
    entry -> stop [label="+ 0"]; entry -> small [label="+ 1"]; entry -> big [label="+ 1 + n"]; small -> exit; big -> exit; }
  call -> entry [label="passes n = 1: ways on\\nbehind the call", color=blue, fontcolor=blue];
  exit -> back [label="brings the sum", color=blue, fontcolor=blue];
"""
STORAGE = """
  rankdir=LR; node [shape=record];
  code [label="path's end\\nnumber p"];
  cache [label="inline cache|<f> slot p mod 1024"]; head [label="head|inline cache|<b> blocks|array"];
  slot [label="<k> key p|<c> count"];
  block2 [label="block of 2 n slots|free|<s> p|free|q"]; block1 [label="block of n slots|r|<s> p|s|t"];
  code -> cache:f [label="key = p: count++"]; cache:f -> slot:k [style=dashed, label="is one of"]; slot -> block2:s [style=dashed, arrowhead=none];
  code -> head:b [label="else: call"]; head:b -> block2; block2 -> block1 [label="grown from"];
"""
PROCESS = """
  rankdir=LR;
  subgraph cluster_1 { label="program"; style=rounded; c1 [label="counters, heads, notes"]; m1 [label="module.c"]; m1 -> c1; }
  subgraph cluster_2 { label="shared object"; style=rounded; c2 [label="counters, heads, notes"]; m2 [label="module.c"]; m2 -> c2; }
  registry [label="registry of one of them:\\nprocess.c, file.c, write.c"];
  registry -> m1; registry -> m2;
  registry -> raw [label="continuous"]; raw [label="FILE.PID.raw", shape=note];
  registry -> lock [label="1. lock"]; lock [label="FILE.lock", shape=note];
  registry -> new [label="2. merge, write"]; new [label="temporary", shape=note];
  new -> file [label="3. rename"]; file [label="FILE", shape=note]; file -> registry [label="read", style=dashed];
"""
REBUILD = """
  compound=true; rankdir=LR;
  subgraph cluster_a { label="as counted: paths a c d 90, b c e 10"; style=rounded;
    a1 [label="a 90"]; b1 [label="b 10"]; c1 [label="c 100"]; d1 [label="d 90"]; e1 [label="e 10"];
    a1 -> c1; b1 -> c1; c1 -> d1; c1 -> e1; }
  subgraph cluster_b { label="rebuilt: c is copied, its branch folds in both"; style=rounded;
    a2 [label="a 90"]; b2 [label="b 10"]; c2 [label="c 90"]; c3 [label="copy of c 10", style=filled, fillcolor=lightblue];
    d2 [label="d 90"]; e2 [label="e 10"]; a2 -> c2 -> d2; b2 -> c3 -> e2; }
  d1 -> a2 [ltail=cluster_a, lhead=cluster_b, style=invis];
"""
STAGES = """
  rankdir=LR; node [style=filled, fillcolor=white];
  cfg [label="CFG just built"]; source [label="source", fillcolor=lightblue]; ssa [label="SSA, early inlining,\\nclean-up"];
  early [label="early\\nuse", fillcolor=lightblue]; ipa [label="IPA, loops,\\nvectoriser"]; late [label="late", fillcolor=lightblue]; rtl [label="RTL"];
  cfg -> source -> ssa -> early -> ipa -> late -> rtl;
  link [label="link with -flto:\\ncontext, piecewise", fillcolor=lightblue]; early -> link [style=dashed]; link -> ipa [style=dashed];
"""
TRAVEL = """
  rankdir=LR; node [style=filled, fillcolor=white];
  graph_ [label="flow graph\\ncore/graph"]; model [label="model: path graph\\ncore/models"]; vals [label="vals\\ncore/numbering"];
  plan [label="plan\\ncore/plan"]; gimple [label="GIMPLE\\nplugin/emit"]; counters [label="counters\\nlibpathrt"];
  file [label="profile\\nprofile/"]; decoded [label="blocks, lines\\npathdump/model"]; notes [label="notes: graph, model"];
  graph_ -> model -> vals -> plan -> gimple -> counters -> file -> decoded; graph_ -> notes -> file; model -> notes;
"""
PRIME = """
  node [style=filled, fillcolor=white]; 4, 5, 3 [fillcolor=lightblue];
  2 -> 3; 3 -> 4 -> 5 [color="#2060c0", penwidth=2]; 3 -> 7; 4 -> 6; 5 -> 3 [style=dashed, color="#2060c0", penwidth=2, label="  back edge"];
"""
WRITTEN = {"prime": PRIME, "calls": CALLS, "storage": STORAGE, "process": PROCESS, "rebuild": REBUILD, "stages": STAGES, "travel": TRAVEL}


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def name_of(node):
    return {"0": "ENTRY", "1": "EXIT"}.get(node, node)


def draw_vals(dump):
    """The path graph: vals on its edges, surrogate edges dashed; "[n]" is a node that is not a block."""
    lines = []
    for val, src, dst, kind in re.findall(r"^;;   val +(\d+)  (\S+) -> ([^\s,]+)(.*)$", dump, re.M):
        style = ' style=dashed color="#b04000"' if "surrogate" in kind else ' color="#2060c0"' if "decision" in kind else ""
        label = f" label={quoted('+' + val)}" if val != "0" else ""
        lines.append(f"{quoted(name_of(src))} -> {quoted(name_of(dst))} [{style}{label}];")
    return "\n".join(lines)


def draw_operations(dump):
    """The flow graph with the operations of the plan; copies of peeled iterations are blue."""
    lines, copies = [], {}
    edges = re.findall(r"^;;   edge (\d+)( \(copy of \d+\))? -> (\d+)( \(copy of \d+\))? \[(.*?)\]  (.*)$", dump, re.M)
    for src, src_copy, dst, dst_copy, flags, operations in edges:
        copies |= {src: src_copy, dst: dst_copy}
        style = " style=dashed" if "back" in flags else ""
        text = "\\n".join(part.strip() for part in operations.split(";"))
        lines.append(f'{src} -> {dst} [{style} label="  {text}  "];')
    at_ends = dict(re.findall(r"^;;   before end of (\d+)  (.*)$", dump, re.M))
    at_ends |= dict(re.findall(r"^;;   before branch of (\d+)  (.*)$", dump, re.M))
    for node, copy in copies.items():
        text = name_of(node) + (copy.strip(" ()") and f"\n{copy.strip(' ()')}") + (f"\n{at_ends[node]}" if node in at_ends else "")
        lines.append(f"{node} [label={quoted(text)}{', style=filled, fillcolor=lightblue' if copy else ''}];")
    return "\n".join(lines)


def draw_forest(profile, function):
    """The k-IPF: a node for each sequence, with how often it ran."""
    lines = ['root [label="root"];']

    def add(children, parent):
        for child in children:
            node = f"{parent}_{child['path']}"
            lines.append(f'{node} [label="path {child["path"]}\\n{child["count"]}"]; {parent} -> {node};')
            add(child["children"], node)

    add(next(f for f in profile["functions"] if f["name"] == function)["forest"], "root")
    return "\n".join(lines)


def text_of(kind, source, options, folder, environment):
    """The graph in Graphviz's language, of a program that is compiled, and run where its counts are drawn."""
    words = [f"-fplugin-arg-pathprof-{word}" if "=" in word else word for word in options]
    def run(*command):
        return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout
    run("pathprof-gcc", "-fno-inline", "-g", "-fdump-tree-pathprof=dump", *words, source, "-o", "prog")
    function = FUNCTIONS[source]
    if kind == "forest":
        run("./prog")
        return draw_forest(json.loads(run("pathdump", "export", "prog.pathprof")), function)
    dump = (folder / "dump").read_text()
    part = re.search(rf"^;; pathprof {function}: [^\n]*\n(?:;; [^\n]*\n)+", dump, re.M).group(0)
    return draw_vals(part) if kind == "vals" else draw_operations(part)


def draw(folder, images, environment):
    """All pictures; `folder` has the programs."""
    for name, what in [*COMPILED.items(), *WRITTEN.items()]:
        text = what if isinstance(what, str) else text_of(*what, Path(folder), environment)
        drawn = subprocess.run(["dot", "-Tsvg"], input=HEAD + text + "}\n", check=True, capture_output=True, text=True).stdout
        # Without what changes with Graphviz's version.
        drawn = re.sub(r"<!--.*?-->\n", "", drawn, flags=re.S)
        (images / f"works-{name}.svg").write_text(drawn)
