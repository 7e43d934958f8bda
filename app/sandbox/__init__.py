"""The sandbox: runs one call in one fresh, locked box, and tells what happened as a fact.

Theory of operation. Which processes there are, with what rights, and what crosses between them:

    web / worker   trusted: tests, answers, clocks, control groups, verdicts
      └─ keeper    this package, in the worker's own process: orders boxes, checks them, feeds them,
         │         watches them, kills and collects them
         ├─ runtime   exec'ed, clean environment, one thread, warm; jailed once. Never sees a source
         └─ box       forked by the runtime as its sibling, so that the keeper is its parent and the
                      kernel tells the keeper, and nobody else, what it cost and how it died

    keeper  → runtime   one socket: the plan once; then, for each box, a uid and its descriptors
    runtime → keeper    what was built and what each step of a box must return; then pids, in order
    box     → keeper    READY and what each step returned; later one frame; printed text on two pipes
    keeper  → box       one frame: limits, seed, source, entry point, arguments; large arrays in memory
                        that the box can only read, a large result in memory that cannot grow

A box is ordered ahead, joins its groups, locks itself in, and waits. Before a call gets it, it must
have passed the gate: every step of exactly the layers that policy asks for went as it must, and the
look from outside agrees. Only then does it get a learner's first byte. The first whole frame counts;
the box is killed, collected, and then the frame is decoded. The clocks that count run outside.

Read the files in this order:

    plan.py       what policy asks of a box here: the tier, the layers, the Python tree
    tiers.py      each way of making boxes is tried, best first
    pool.py       runtimes, boxes kept ready, and the gate
    look.py       the look from outside
    keeper.py     running calls side by side
    box.py        the keeper's side of one box; facts.py: its frame or its death as a fact
    shared.py     memory that both sides see: what is large goes through it; resident.py: what is in use
    cgroups.py    control groups; allowlist.py: the system calls; runtimes.py: starting a runtime
    doctor.py     what this machine gives, found out with the attacks in probes.py

and on the other side of the jail, loaded by path, importing nothing of the application:

    runtime.py    makes boxes, until its socket closes
    memory.py     where a runtime keeps its objects, so that a fork is cheap
    layers.py     the kernel's doors; jail.py: the jail around a runtime
    lockdown.py   the order in which a box locks itself in
    inside.py     compile, call, report, end
    wire.py       frames; encode.py writes them, decode.py reads them, on both sides
"""

from app.sandbox.keeper import Keeper
from app.sandbox.plan import Tier

__all__ = ["Keeper", "Tier"]
