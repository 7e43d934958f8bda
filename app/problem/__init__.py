"""Packages on disk become variants.

    folder.py      files of a package: small, regular, inside it
    document.py    YAML with line numbers; typed.py, contracts.py, metadata.py: what it may say
    programs.py    what can be known of Python files without running them
    load.py        the folder of a family -> Family (family.py)
    variants.py    a variant's folder, on its family -> model.Variant; page.py: what its page shows
    forms.py       the core's inputs and outputs <-> a variant's arguments and answer
    answer.py      the core in a box; a test of one's own input
    on_demand.py   big tests: made in a box when first asked for; kept.py: kept, memory-mapped
    predictions.py what each mistake does on a test, for the diagnosis
    watch.py       which packages changed on disk
    catalogue.py   all of them, with uploaded tests laid over (uploads.py, uploaded.py)
    arguments.py   custom input; domains.py (alike.py): does a value fit a contract, where not?
    versions.py    hashes of content; ties.py: answers on a rounding tie
    generate.py    writes data/: inputs from generators, outputs from the core
    statement.py   Markdown and formulas -> HTML
    scaffold.py    a new package, complete but for what its author must decide

Where a program of a package must run, it runs in a box: the Runner is handed in.
"""

from app.problem.catalogue import Catalogue, load_catalogue

__all__ = ["Catalogue", "load_catalogue"]
