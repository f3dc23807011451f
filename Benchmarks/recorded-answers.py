#!/usr/bin/env python3
"""Times `sluice run` on recorded answers, and compares it with a script without a framework.

usage: recorded-answers.py TOOLS [N ...] [--runs R] [--work FOLDER] [--html]

TOOLS contains make_dataset.py (makes cases and answers), plain.py (the script) and prompt.txt. The program RecordedAnswers makes
the projects first; this time is not measured. Then both run alternately, R times each. The figures are user + system time and the
maximum resident set, as counted by the operating system. Prints a table. The exit code is 1 if a limit is missed.

The limits apply to a run that writes all reports except HTML. --html also writes the HTML report, and checks no limits.
"""
import argparse, os, resource, statistics, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, ".build", "release")
# By the number of cases: the limit on CPU, as a multiple of the script's, and the limit on the resident set in MB.
BARS = {12: (0.5, 150), 100_000: (0.75, 150)}


def run(command, folder):
    """Runs a command and returns its CPU seconds, wall-clock seconds and peak MB."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.close(read)
        os.close(write)
        try:
            os.execv(command[0], command)
        finally:
            os._exit(127)
    os.close(read)
    os.close(write)
    start = os.times().elapsed
    _, status, usage = os.wait4(pid, 0)
    wall = os.times().elapsed - start
    if status != 0:
        sys.exit(f"{' '.join(command)} in {folder}: exit {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def project(tools, work, n):
    data = os.path.join(work, "data")
    folder = os.path.join(work, f"project-{n}")
    if not os.path.exists(os.path.join(data, f"truth-{n}.json")):
        make = [sys.executable, os.path.join(tools, "make_dataset.py"), str(n), data, "--yaml-max", "0"]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
    made = [os.path.join(data, f"cases-{n}.jsonl"), os.path.join(data, f"recorded-{n}.jsonl")]
    program = os.path.join(BUILD, "RecordedAnswers")
    subprocess.run([program, *made, os.path.join(tools, "prompt.txt"), folder], check=True)
    return data, folder


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tools")
    parser.add_argument("sizes", nargs="*", type=int, default=[12, 100_000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--work", default=os.path.join(ROOT, ".build", "recorded-answers"))
    parser.add_argument("--html", action="store_true")
    arguments = parser.parse_args()
    tools, work = os.path.abspath(arguments.tools), os.path.abspath(arguments.work)
    if not os.path.exists(os.path.join(tools, "plain.py")):
        print(f"skipped: plain.py is not in {arguments.tools}, so there is no script to compare with")
        return 0
    missed = []
    print("| cases | CPU, script | CPU, sluice | ratio (min to max) | time, script | time, sluice | MB, script | MB, sluice |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for n in arguments.sizes or [12, 100_000]:
        data, folder = project(tools, work, n)
        out = os.path.join(work, "out")
        script = [sys.executable, os.path.join(tools, "plain.py"), str(n), "offline", data, out]
        reports = [word for name in ("json", "csv", "junit") for word in ("--report", name)]
        sluice = [os.path.join(BUILD, "sluice"), "run"] + ([] if arguments.html else reports)
        pairs = []
        for index in range(arguments.runs + 1):
            pair = (run(script, work), run(sluice, folder))
            # The first run of each is not measured, since it fills the system's caches.
            if index > 0:
                pairs.append(pair)
            runs = os.path.join(folder, "reports", "runs")
            for name in os.listdir(runs):
                os.remove(os.path.join(runs, name))
        ratios = [ours[0] / theirs[0] for theirs, ours in pairs]
        median = lambda side, figure: statistics.median(pair[side][figure] for pair in pairs)
        ratio = statistics.median(ratios)
        print(f"| {n:,} | {median(0, 0):.3f} s | {median(1, 0):.3f} s | {ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f}) "
              f"| {median(0, 1):.3f} s | {median(1, 1):.3f} s | {median(0, 2):.0f} | {median(1, 2):.0f} |")
        bar = None if arguments.html else BARS.get(n)
        if bar and ratio > bar[0]:
            missed.append(f"{n:,} cases: {ratio:.2f} times the script's CPU, at most {bar[0]}")
        if bar and median(1, 2) > bar[1]:
            missed.append(f"{n:,} cases: {median(1, 2):.0f} MB, at most {bar[1]}")
    for miss in missed:
        print(f"missed: {miss}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
