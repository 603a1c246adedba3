# SPDX-License-Identifier: GPL-3.0-or-later
"""The claims of the papers, one module per paper, in the order of the document."""

from claims import ball_larus, roy_srikant, delia_demetrescu, melski_reps, vaswani  # noqa: F401 (they register their claims)
from claims.claim import CLAIMS, Claim, Finding, Tables


def findings(tables: Tables) -> list[tuple[Claim, Finding]]:
    """Evaluates the claims whose tables exist and have rows."""
    return [(claim, claim.find(tables)) for claim in CLAIMS if all(name in tables and tables[name].rows for name in claim.needs)]
