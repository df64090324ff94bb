"""What has to be known of the machine and the programs to read the results."""

import os
import pathlib
import platform
import resource
import subprocess
import time

CPU = pathlib.Path("/sys/devices/system/cpu")


ROOT = pathlib.Path(__file__).parents[1]


def run(*command):
    result = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT)
    return result.stdout.strip()


def read(path, default=""):
    try:
        return pathlib.Path(path).read_text().strip()
    except OSError:
        return default


def cpu_model():
    for line in read("/proc/cpuinfo").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def vector_extensions():
    flags = read("/proc/cpuinfo").split()
    known = ("avx2", "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16")
    return [flag for flag in known if flag in flags]


def caches():
    """For example ["L1d 48K", "L2 1024K", "L3 32768K"], as one core sees them."""
    found = []
    for index in sorted(CPU.glob("cpu0/cache/index*")):
        if read(index / "type") == "Instruction":
            continue
        suffix = "d" if read(index / "type") == "Data" else ""
        found.append(f"L{read(index / 'level')}{suffix} {read(index / 'size')}")
    return found


def memory_gib():
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return round(pages / 2**30)


def huge_pages():
    text = read("/sys/kernel/mm/transparent_hugepage/enabled", "unknown")
    return text.split("[")[-1].split("]")[0]


def revision():
    """The commit that changed the compiler last."""
    sources = ("--", "include", "lib")
    changed = " and changes" if run("git", "status", "--porcelain", *sources) else ""
    return run("git", "log", "-1", "--format=%h", *sources) + changed


def total_cpu_seconds():
    """CPU time of all processes since the system started."""
    fields = [int(field) for field in read("/proc/stat").split("\n")[0].split()[1:9]]
    user, nice, system, _idle, _wait, irq, softirq, steal = fields
    ticks = user + nice + system + irq + softirq + steal
    return ticks / os.sysconf("SC_CLK_TCK")


def own_cpu_seconds():
    """CPU time of this process and of its children that have ended."""
    seconds = 0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        seconds += usage.ru_utime + usage.ru_stime
    return seconds


class OtherWork:
    """How busy other processes kept the cores, from creation until share()."""

    def __init__(self):
        self.start = time.monotonic()
        self.total, self.own = total_cpu_seconds(), own_cpu_seconds()

    def share(self):
        """Of all cores; children have to have ended."""
        other = total_cpu_seconds() - self.total - (own_cpu_seconds() - self.own)
        elapsed = time.monotonic() - self.start
        return min(max(other / (elapsed * os.cpu_count()), 0), 1)


def describe(other_work):
    """Facts as (name, value) pairs. `other_work` is the share of an OtherWork."""
    return [
        ("CPU", f"{cpu_model()} ({', '.join(vector_extensions())})"),
        ("Cores of this machine", str(os.cpu_count())),
        ("Caches", ", ".join(caches())),
        ("Memory", f"{memory_gib()} GiB, transparent huge pages: {huge_pages()}"),
        ("System", f"{platform.system()} {platform.release()}, "
                   f"Python {platform.python_version()}"),
        ("Other work during the run", f"{other_work:.0%} of all cores"),
        ("Compiler", f"meanvar, commit {revision()}"),
    ]
