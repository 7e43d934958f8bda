"""Allclose judges numerical Python code.

Read the files in the order in which a submission travels:

    web/api.py     a request becomes a row and an id
    store/         the row, and later the judgement
    queue.py       carries the id
    worker.py      id -> submission -> judgement
    judging.py     ... in a thread, whatever goes wrong
    problem/       the variant: its tests, and its answers in its own form
    judge.py       each test to a box; facts become verdicts
    sandbox/       the box: a fact about what a program did
    compare.py     is it the answer? The rules of grading in their order
    form/          containers, structure and type of number
    closeness.py   near enough, to the last bit
    feedback.py    what the learner is told of one run, and what is kept back
    diagnose/      why the numbers are off
    web/events.py  what whoever watches is told

What they speak in: model.py and contract.py are the nouns, runtime_kinds.py says what a box may hold,
notation.py writes values out, errors.py is everything that is raised on purpose.

Beside the path:

    __main__.py    the command line; commands/ has one module for each command
    config.py      the settings, read once
    canary.py      can boxes judge, and which packages cannot be judged?
    assembly.py    builds the parts and hands them down
    alone.py       one server a data folder
    metrics.py     what is counted meanwhile
    sweeping.py    what has lost its job gets another
    tending.py     what is old is forgotten
    watching.py    packages that change while they are served
    verify/        does a package keep its promises?
    bench/         how fast is the judge?
"""
