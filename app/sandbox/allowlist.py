"""The system calls a box may make: an allow-list, built once with libseccomp, exported as bytes."""

from __future__ import annotations

import errno
import functools
import tempfile

from app.errors import SandboxUnavailable

# Everything Python, NumPy's linear algebra, FFT, random numbers and threads need, and no more.
# What is not here fails with EPERM.
_ALLOWED = """
read pread64 readv write pwrite64 writev lseek openat close close_range fstat newfstatat statx lstat
stat access faccessat faccessat2 getdents64 readlink readlinkat getcwd chdir fchdir mkdir mkdirat
rmdir unlink unlinkat rename renameat renameat2 ftruncate truncate fsync fdatasync umask
dup dup2 dup3 pipe2 poll ppoll select pselect6 recvmsg recvfrom
mmap munmap mprotect mremap brk
rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall
futex set_robust_list rseq exit exit_group set_tid_address sched_yield sched_getaffinity getcpu
alarm getitimer setitimer nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time
times getrusage getrlimit setrlimit getpid gettid getppid getuid geteuid getgid getegid getresuid
getresgid getgroups getpgrp uname getrandom
"""

_THREAD = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000  # VM FS FILES SIGHAND THREAD SYSVSEM
_NEVER = 0x4000 | 0x8000 | 0x2000 | 0x800000 | 0x20000 | 0x2000000 | 0x7C000000 | 0x80

# By the value of one argument: (call, argument, values).
_FILTERED = (
    ("fcntl", 1, (0, 1, 2, 3, 1030)),  # duplicate, read flags: all else can be seen by another box
    ("ioctl", 1, (0x5401, 0x5413, 0x541B, 0x5450, 0x5451)),  # is it a terminal, how much is there
    ("prctl", 0, (15, 16, 3, 39)),  # the name of a thread; what already holds
    ("madvise", 2, (0, 1, 2, 3, 4, 8, 14, 15)),  # hints only: nothing that poisons or merges pages
    ("prlimit64", 0, (0,)),  # its own limits, which can only go down
)


@functools.cache
def program(hide_memory_later: bool) -> bytes:
    """The filter as BPF instructions for this machine, 8 bytes each.

    `hide_memory_later`: the box still has to give up its dumpable flag when the call comes.
    Raises SandboxUnavailable without libseccomp.
    """
    try:
        import pyseccomp as seccomp  # type: ignore[import-untyped]
    except (ImportError, RuntimeError, OSError) as error:
        raise SandboxUnavailable(
            "libseccomp is not on this machine (Debian: apt-get install libseccomp2)"
        ) from error
    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    rules.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    rules.set_attr(seccomp.Attr.CTL_NNP, 0)
    rules.set_attr(seccomp.Attr.CTL_OPTIMIZE, 2)  # a search tree: fewer steps a call
    for name in _ALLOWED.split():
        if seccomp.resolve_syscall(seccomp.system_arch(), name) >= 0:
            rules.add_rule(seccomp.ALLOW, name)
    for name, place, values in _FILTERED:
        for value in values:
            rules.add_rule(seccomp.ALLOW, name, seccomp.Arg(place, seccomp.EQ, value))
    if hide_memory_later:
        exactly = (seccomp.Arg(0, seccomp.EQ, 4), seccomp.Arg(1, seccomp.EQ, 0))
        rules.add_rule(seccomp.ALLOW, "prctl", *exactly)
    only_threads = seccomp.Arg(0, seccomp.MASKED_EQ, _THREAD | _NEVER, _THREAD)
    rules.add_rule(seccomp.ALLOW, "clone", only_threads)
    rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")  # glibc then falls back to clone
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
