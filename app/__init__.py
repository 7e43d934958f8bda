"""Allclose judges numerical Python code.

Read the files in the order in which a submission travels:

    web/api.py     a request becomes a row and an id
    store/         the row, and later the judgement
    queue.py       carries the id
    worker.py      id -> submission -> judgement
    problem/       the variant: its tests, and its answers in its own form
    judge.py       each test to a box; facts become verdicts
    sandbox/       the box: a fact about what a program did
    compare.py     is it close enough, and in the right form?
    diagnose.py    if not, why not?
    notation.py    values, written out for people
    web/events.py  what whoever watches is told
"""
