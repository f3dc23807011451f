#!/usr/bin/env python3
"""Times `sluice run` on suites like ours, and compares it with a script without a framework that scores the same properties.

usage: user-shapes.py [TOOLS] [--runs R] [--work FOLDER] [--only SHAPE]

Each shape is a suite of this project. The program RecordedAnswers multiplies its cases and recorded answers; this time is not
measured. One case in seven gets the answer of another case, so that there are right and wrong answers. The script is
plain-shapes.py. Both run alternately, R times each, and must find the same number of right answers.

TOOLS contains mockd.c, make_dataset.py, plain.py and prompt.txt, for the rows of `run --live` and `record`. Without TOOLS, the table
lacks these rows, and a message says so. The figures are user + system time and the maximum resident set, as counted by the operating system.
Prints the table of Benchmarks/README.md. The exit code is 1 if a limit is missed or the two numbers of right answers differ.
"""
import argparse, importlib.util, json, os, shutil, statistics, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, ".build", "release")
SLUICE, PLAIN = os.path.join(BUILD, "sluice"), os.path.join(ROOT, "Benchmarks", "plain-shapes.py")
SHAPES = {"clarity": "schema, flags, mentions", "action-items": "schema, items", "category": "schema, classification",
          "assertions": "5 assertions a case, streamed"}
SIZES = [("yaml", 2_000), ("jsonl", 20_000), ("jsonl", 100_000)]
REPORTS = [word for name in ("json", "csv", "junit") for word in ("--report", name)]
# The limit on CPU in microseconds per case or answer, by shape, format, number of cases and baseline or none.
BARS = {("clarity", "jsonl", 20_000, False): 40, "record": 250}
# The limit on memory in MB, by the number of cases, for runs without a baseline. With a baseline, the trials of both runs are kept.
MEMORY = {100_000: 150}
REQUESTS, AT_ONCE = 2_000, 64


def sibling(name):
    """Loads another program of this folder as a module."""
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), os.path.join(ROOT, "Benchmarks", f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(command, folder):
    """Runs a command and returns its CPU seconds, its peak MB and the last line of its output."""
    with open(os.path.join(folder, ".said"), "w+", encoding="utf-8") as said:
        child = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.DEVNULL, env=dict(os.environ, CI=""))
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        last = said.read().split("\n")[:-1][-1:]
    # A run without a baseline has no verdict (exit code 3). Wrong answers make gates fail (exit code 1).
    if child.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(command)} in {folder}: exit {child.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, last[0] if last else ""


def passed(folder):
    """Returns the number of trials that passed in the newest run log, and deletes all run logs."""
    runs = os.path.join(folder, "reports", "runs")
    names = sorted(os.listdir(runs))
    with open(os.path.join(runs, names[-1]), "rb") as file:
        file.seek(-1_000, os.SEEK_END)
        footer = json.loads(file.read().splitlines()[-1])
    for name in names:
        os.remove(os.path.join(runs, name))
    return footer["passed"]


def compare(shape, folder, runs):
    """Runs script and sluice alternately, and returns the CPU seconds and MB of both for each pair of runs."""
    script = [sys.executable, PLAIN, shape, "plain", "plain/out.jsonl"]
    pairs = []
    for index in range(runs + 1):
        theirs, ours = run(script, folder), run([SLUICE, "run"] + REPORTS, folder)
        right = passed(folder)
        if int(theirs[2]) != right:
            sys.exit(f"{shape} in {folder}: the script finds {theirs[2]} right answers, sluice {right}")
        # The first run of each is not measured, since it fills the system's caches.
        if index > 0:
            pairs.append((theirs, ours))
    return pairs


def row(name, cases, n, baseline, pairs):
    micro = [[pair[side][0] / n * 1e6 for pair in pairs] for side in (0, 1)]
    ratios = sorted(ours / theirs for theirs, ours in zip(*micro))
    memory = max(pair[1][1] for pair in pairs)
    median = statistics.median
    print(f"| {name} | {cases} | {baseline} | {median(micro[0]):.0f} µs | {median(micro[1]):.0f} µs "
          f"| {median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) | {memory:.0f} |", flush=True)
    return median(micro[1]), memory


def recorded(arguments, missed):
    for shape, scorers in SHAPES.items():
        for form, n in SIZES:
            if arguments.only not in (None, shape):
                continue
            folder = os.path.join(arguments.work, f"{shape}-{form}-{n}")
            shutil.rmtree(folder, ignore_errors=True)
            make = [os.path.join(BUILD, "RecordedAnswers"), ROOT, shape, str(n), form, folder]
            subprocess.run(make, check=True, stderr=subprocess.DEVNULL)
            for baseline in (False, True):
                if baseline:
                    subprocess.run([SLUICE, "baseline", "accept"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
                pairs = compare(shape, folder, arguments.runs)
                name = f"{shape} ({scorers})"
                micro, memory = row(name, f"{n:,} in {form.upper()}", n, "yes" if baseline else "no", pairs)
                bar = BARS.get((shape, form, n, baseline))
                if bar and micro > bar:
                    missed.append(f"{name}, {n:,} cases: {micro:.0f} µs, at most {bar}")
                if not baseline and memory > MEMORY.get(n, memory):
                    missed.append(f"{name}, {n:,} cases: {memory:.0f} MB, at most {MEMORY[n]}")
            shutil.rmtree(folder)


def asked(arguments, missed):
    """Prints the rows of live requests. The script sends them with 64 threads and keeps the answers."""
    tools = arguments.tools and os.path.abspath(arguments.tools)
    if not tools or not os.path.exists(os.path.join(tools, "mockd.c")):
        print("\nskipped: `run --live` and `record`, since TOOLS with mockd.c is missing", file=sys.stderr)
        return
    live = sibling("live-requests")
    server, port = os.path.join(arguments.work, "mockd"), live.free_port()
    subprocess.run(["cc", "-O2", "-o", server, os.path.join(tools, "mockd.c")], check=True)
    data, folder, bodies = live.project(tools, arguments.work, REQUESTS, AT_ONCE, port)
    url = f"http://127.0.0.1:{port}/v1/chat/completions"
    child = live.start(server, port, os.path.join(data, f"recorded-{REQUESTS}.jsonl"))
    try:
        for name, command in {"run --live": ["run", "--live"] + REPORTS, "record": ["record", "--scratch", "--all"]}.items():
            pairs = []
            for index in range(arguments.runs + 1):
                pair = run([sys.executable, PLAIN, "live", url, bodies, os.path.join(arguments.work, "out.jsonl")], folder), \
                    run([SLUICE] + command, folder)
                if index > 0:
                    pairs.append(pair)
            micro, _ = row(f"`{name}`, triage", f"{REQUESTS:,} in JSONL", REQUESTS, "no", pairs)
            if micro > BARS.get(name, micro):
                missed.append(f"{name}: {micro:.0f} µs an answer, at most {BARS[name]}")
    finally:
        child.kill()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tools", nargs="?")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--work", default=os.path.join(ROOT, ".build", "user-shapes"))
    parser.add_argument("--only", choices=SHAPES)
    arguments = parser.parse_args()
    arguments.work = os.path.abspath(arguments.work)
    os.makedirs(arguments.work, exist_ok=True)
    missed = []
    print("| suite | cases | baseline | CPU a case, script | CPU a case, sluice | ratio (min to max) | MB, sluice |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    recorded(arguments, missed)
    if not arguments.only:
        asked(arguments, missed)
    for miss in missed:
        print(f"missed: {miss}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
