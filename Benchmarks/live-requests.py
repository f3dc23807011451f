#!/usr/bin/env python3
"""Times live requests to a server with a fixed latency, and compares them with a bare program over libcurl.

usage: live-requests.py TOOLS [--runs R] [--work FOLDER] [--python PYTHON]

TOOLS contains mockd.c (the server), make_dataset.py (makes cases and answers), plain.py (the script) and prompt.txt. `LiveRequests`
renders, sends, scores and logs; `sluice run --live` also writes all reports. The bare program posts the same bodies and keeps the
answers. PYTHON is an interpreter with the packages openai and aiohttp, for the script that uses the official client. Without PYTHON, the
script does not run, and the table says "not measured". The figures are user + system time, wall-clock time and the maximum resident set.
Prints a table. The exit code is 1 if a limit is missed.
"""
import argparse, json, os, resource, shutil, socket, statistics, subprocess, sys, time, urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, ".build", "release")
LATENCY = 50
# Requests, the number in flight, the limit on the time as a multiple of the bare program's, and the limit on MB.
LOADS = [(2_000, 64, 1.05, None), (20_000, 1_000, 1.05, 100)]
# The limit on CPU per request, as a multiple of the official Python client's.
CPU_BAR = 0.1


def run(command, folder, environment=None):
    """Runs a command and returns its CPU seconds, wall-clock seconds and peak MB."""
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        try:
            os.execve(command[0], command, dict(os.environ, **(environment or {})))
        finally:
            os._exit(127)
    start = time.monotonic()
    _, status, usage = os.wait4(pid, 0)
    clock = time.monotonic() - start
    if status != 0:
        sys.exit(f"{' '.join(command)} in {folder}: exit {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, clock, usage.ru_maxrss / 1024


def project(tools, work, n, in_flight, port):
    """Makes a project with n cases, and a file with the bodies that it sends."""
    data, folder = os.path.join(work, "data"), os.path.join(work, f"live-{n}")
    if not os.path.exists(os.path.join(data, f"truth-{n}.json")):
        make = [sys.executable, os.path.join(tools, "make_dataset.py"), str(n), data, "--yaml-max", "0"]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("prompts/triage", "datasets/triage"):
        os.makedirs(os.path.join(folder, name))
    system = open(os.path.join(tools, "prompt.txt"), encoding="utf-8").read()

    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    backend = {"type": "openai", "model": "mock-1", "base-url": f"http://127.0.0.1:{port}/v1", "max-in-flight": in_flight}
    write("sluice.yaml", json.dumps({"backends": {"mock": backend}}))
    messages = [{"system": system}, {"user": "{{text}}"}]
    write("prompts/triage/v1.yaml", json.dumps({"messages": messages, "parameters": {"temperature": 0}}))
    labels = ["fan", "super_fan", "business", "spam", "urgent"]
    scorers = [{"classification": {"path": "category", "expected": "category", "labels": labels}},
               {"regex": '"confidence":\\s*(?:0\\.\\d+|1\\.0)\\b'}]
    write("prompts/triage/suite.yaml", json.dumps({
        "suite": "triage", "prompt": "v1.yaml", "dataset": "triage", "backend": "mock", "scorers": scorers,
        "gates": ["classification.pass-rate >= 85%", "regex.pass-rate >= 95%"]}))
    bodies = os.path.join(work, f"bodies-{n}.jsonl")
    with open(os.path.join(data, f"cases-{n}.jsonl"), encoding="utf-8") as cases, \
            open(os.path.join(folder, "datasets/triage/cases.jsonl"), "w", encoding="utf-8") as out, open(bodies, "w") as file:
        for line in cases:
            case = json.loads(line)
            entry = {"id": case["id"], "input": {"text": case["text"]}, "expected": {"category": case["expected"]}}
            out.write(json.dumps(entry, ensure_ascii=False) + "\n")
            body = {"model": "mock-1", "temperature": 0, "messages": [
                {"role": "system", "content": system}, {"role": "user", "content": case["text"]}]}
            file.write(json.dumps(body, ensure_ascii=False) + "\n")
    return data, folder, bodies


def requests(folder):
    """Returns the CPU seconds and wall-clock seconds of a suite's requests."""
    said = subprocess.run([os.path.join(BUILD, "LiveRequests"), folder], check=True, capture_output=True, text=True)
    clock, cpu, _, lost = said.stdout.split()
    if lost != "0":
        sys.exit(f"{lost} requests had no answer")
    return float(cpu), float(clock)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(server, port, recorded):
    child = subprocess.Popen([server, "--port", str(port), "--recorded", recorded, "--latency-ms", str(LATENCY)],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(500):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/stats").read()
            return child
        except OSError:
            time.sleep(0.01)
    sys.exit("the server does not answer")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tools")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--work", default=os.path.join(ROOT, ".build", "live-requests"))
    parser.add_argument("--python")
    arguments = parser.parse_args()
    tools, work = os.path.abspath(arguments.tools), os.path.abspath(arguments.work)
    if not os.path.exists(os.path.join(tools, "mockd.c")):
        print(f"skipped: mockd.c is not in {arguments.tools}, so there is no server")
        return 0
    os.makedirs(work, exist_ok=True)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8_192, hard), hard))
    server, bare = os.path.join(work, "mockd"), os.path.join(work, "bare-requests")
    subprocess.run(["cc", "-O2", "-o", server, os.path.join(tools, "mockd.c")], check=True)
    source = os.path.join(ROOT, "Benchmarks", "bare-requests.c")
    subprocess.run(["cc", "-O2", "-o", bare, source, "-lcurl"], check=True)
    missed = []
    print("| requests | at once | ideal | bare, time | requests, time | ratio (min to max) | `sluice run --live` as a whole "
          "| CPU a request: bare | requests | whole | client | MB, whole |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for n, in_flight, bar, memory in LOADS:
        port = free_port()
        data, folder, bodies = project(tools, work, n, in_flight, port)
        url = f"http://127.0.0.1:{port}/v1/chat/completions"
        child = start(server, port, os.path.join(data, f"recorded-{n}.jsonl"))
        try:
            runs = []
            for index in range(arguments.runs + 1):
                pair = (run([bare, url, bodies, str(in_flight)], work), requests(folder),
                        run([os.path.join(BUILD, "sluice"), "run", "--live"], folder, {"CI": ""}))
                if index > 0:
                    runs.append(pair)
            client = None
            if arguments.python and n == LOADS[0][0]:
                script = [arguments.python, os.path.join(tools, "plain.py"), str(n), "openai", data, os.path.join(work, "out")]
                values = {"BASE_URL": f"http://127.0.0.1:{port}/v1", "CONC": str(in_flight)}
                client = statistics.median(run(script, work, values)[0] for _ in range(3)) / n
        finally:
            child.kill()
        ratios = [ours[1] / theirs[1] for theirs, ours, _ in runs]
        median = lambda side, figure: statistics.median(pair[side][figure] for pair in runs)
        ratio = statistics.median(ratios)
        micro = lambda seconds: f"{seconds * 1e6:.0f} us"
        print(f"| {n:,} | {in_flight:,} | {n * LATENCY / 1_000 / in_flight:.3f} s | {median(0, 1):.3f} s | {median(1, 1):.3f} s "
              f"| {ratio:.3f} ({min(ratios):.3f} to {max(ratios):.3f}) | {median(2, 1):.3f} s | {micro(median(0, 0) / n)} "
              f"| {micro(median(1, 0) / n)} | {micro(median(2, 0) / n)} | {micro(client) if client else 'not measured'} "
              f"| {median(2, 2):.0f} |")
        if ratio > bar:
            missed.append(f"{n:,} requests, {in_flight:,} at once: {ratio:.3f} times the bare program's time, at most {bar}")
        if memory and median(2, 2) > memory:
            missed.append(f"{n:,} requests, {in_flight:,} at once: {median(2, 2):.0f} MB, at most {memory}")
        if client and median(2, 0) / n > CPU_BAR * client:
            missed.append(f"{n:,} requests: {median(2, 0) / n / client:.2f} times the client's CPU a request, at most {CPU_BAR}")
    for miss in missed:
        print(f"missed: {miss}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
