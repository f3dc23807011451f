#!/usr/bin/env python3
"""Times live runs on two exec backends in Python: one starts for each request, the other keeps running.

usage: kept-programs.py [--cases N] [--runs R] [--sluice PROGRAM]

Both programs import only json and answer at once, so the figures show the cost of starting a process and of sending a
request. Both have the default of four processes at once. The runs alternate. The output is the median of the requests per
second of the whole `sluice run`.
"""
import argparse, os, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ONCE = """import json, sys
request = json.load(sys.stdin)
json.dump({"text": request["input"]["message"]}, sys.stdout)
"""
KEPT = """import json, sys
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"text": request["input"]["message"]}), flush=True)
"""


def write(folder, path, text):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def make_project(folder, cases):
    write(folder, "once.py", ONCE)
    write(folder, "kept.py", KEPT)
    write(folder, "sluice.yaml", "".join(
        ["backends:\n"]
        + [f"  {name}: {{type: exec, command: [python3, {name}.py], fingerprint: [{name}.py]{more}}}\n"
           for name, more in [("once", ""), ("kept", ", keep-running: true")]]))
    write(folder, "prompts/echo/v1.yaml", 'messages:\n  - user: "{{message}}"\n')
    write(folder, "prompts/echo/suite.yaml",
          "suite: echo\nprompt: v1.yaml\ndataset: echo\nbackend: once\nscorers:\n"
          "  - exact: text\ngates:\n  - accuracy >= 100%\n")
    write(folder, "datasets/echo/cases.jsonl", "".join(
        f'{{"id":"case-{n}","input":{{"message":"Number {n}"}},"expected":{{"text":"Number {n}"}}}}\n'
        for n in range(cases)))


def seconds(sluice, folder, backend):
    # Use the Python binary itself, not a wrapper script that searches for it at each start.
    path = os.path.dirname(os.path.realpath(sys.executable)) + ":" + os.environ["PATH"]
    start = time.monotonic()
    done = subprocess.run([os.path.abspath(sluice), "run", "echo", "--live", "--backend", backend, "--report", "json"],
                          cwd=folder, env=dict(os.environ, PATH=path),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout)
    return time.monotonic() - start


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=1_000)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--sluice", default=os.path.join(ROOT, ".build", "release", "sluice"))
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        make_project(folder, options.cases)
        pairs = [(seconds(options.sluice, folder, "once"), seconds(options.sluice, folder, "kept"))
                 for _ in range(options.runs)]
    once, kept = (options.cases / statistics.median(times) for times in zip(*pairs))
    ratios = sorted(a / b for a, b in pairs)
    print(f"started for each request: {once:,.0f} requests/s; kept running: {kept:,.0f} requests/s; "
          f"ratio {statistics.median(ratios):.0f} ({ratios[0]:.0f} to {ratios[-1]:.0f})")


if __name__ == "__main__":
    main()
