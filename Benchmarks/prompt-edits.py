#!/usr/bin/env python3
"""Counts how many of twenty edits of a prompt the gates catch, and writes docs/prompt-edits.md.

Ten edits do harm (`harmful-…`), ten keep the meaning (`harmless-…`). A language model answered each of them on the same 120
cases of clarity or of tone, in one round with v2, which is the baseline. The answers are in Benchmarks/PromptEdits/answers.jsonl
and in the recordings of lm-round-2. Everything is judged in a scratch copy of the project, with the suites' own gates.
"""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EDITS = ROOT / "Benchmarks" / "PromptEdits"
SLUICE = ROOT / ".build" / "release" / "sluice"
SUITES = {"clarity": "clarity", "tone": "tone"}
FLAGGED, CLEAN = 40, 80
VERDICTS = {0: "pass", 1: "**fail**", 2: "inconclusive"}


def chosen(text):
    """The 40 flagged and 80 clean cases with the lowest SHA-256 of their ids, hard cases aside, in the order of the file."""
    blocks = [re.sub(r"(?m)^#.*\n", "", block) for block in re.split(r"(?m)^(?=- id: )", text)[1:]]
    cases = [
        (re.match(r"- id: (\S+)", block).group(1), "flagged: true" in block, block)
        for block in blocks
        if "\n  split: hard" not in block
    ]
    ids = set()
    for flagged, count in ((True, FLAGGED), (False, CLEAN)):
        group = sorted((hashlib.sha256(c[0].encode()).hexdigest(), c[0]) for c in cases if c[1] == flagged)
        ids.update(identifier for _, identifier in group[:count])
    return "".join(block for identifier, _, block in cases if identifier in ids)


def project(folder):
    """Makes the scratch project: 120 cases a suite, v2, the edits, and the recordings of round 2."""
    settings = (ROOT / "sluice.yaml").read_text()
    (folder / "sluice.yaml").write_text(settings.split("mixes:")[0])
    shutil.copytree(ROOT / "prices", folder / "prices")
    for suite in SUITES:
        prompts, dataset = folder / "prompts" / suite, folder / "datasets" / suite
        prompts.mkdir(parents=True)
        (dataset / "recordings").mkdir(parents=True)
        for file in (ROOT / "prompts" / suite).glob("*.schema.json"):
            shutil.copy(file, prompts)
        shutil.copy(ROOT / "prompts" / suite / "v2.yaml", prompts)
        settings = (ROOT / "prompts" / suite / "suite.yaml").read_text()
        (prompts / "suite.yaml").write_text(re.sub(r"(?m)^backend: .*", "backend: lm-round-2", settings))
        for file in sorted((EDITS / suite).glob("*.yaml")):
            shutil.copy(file, prompts)
        text = (ROOT / "datasets" / suite / "cases.yaml").read_text()
        (dataset / "cases.yaml").write_text(chosen(text))
        shutil.copy(ROOT / "datasets" / suite / "recordings" / "lm-round-2.jsonl", dataset / "recordings")


def sluice(folder, *arguments):
    return subprocess.run([SLUICE, *arguments], cwd=folder, capture_output=True, text=True)


def must(result):
    if result.returncode != 0:
        sys.exit(result.stdout + result.stderr)


def share(metrics, name):
    value = metrics[name]["value"]
    return f"{value * 100:.1f}%"


def rows(folder, suite):
    for file in sorted((EDITS / suite).glob("*.yaml")):
        result = sluice(folder, "run", suite, "--prompt", f"prompts/{suite}/{file.name}")
        report = json.loads((folder / "reports" / "latest" / "report.json").read_text())
        column = report["suites"][0]["columns"][-1]
        metrics = {metric["name"]: metric for metric in column["metrics"]}
        missed = [gate["condition"] for gate in column["gates"] if gate["verdict"] == "fail"]
        note = file.read_text().split("\n", 1)[0].removeprefix("# ")
        yield {
            "edit": file.stem, "note": note, "code": result.returncode, "failed": missed,
            "accuracy": share(metrics, "accuracy"), "false": share(metrics, "flags.false-positive-rate"),
        }


def table(suite, found):
    lines = [f"### {suite}", "", "| edit | accuracy | false positives | verdict | gates that fail |", "| --- | --- | --- | --- | --- |"]
    for row in found:
        gates = ", ".join(f"`{gate}`" for gate in row["failed"]) or "none"
        verdict = VERDICTS.get(row["code"], f"exit {row['code']}")
        lines.append(f"| {row['edit']} | {row['accuracy']} | {row['false']} | {verdict} | {gates} |")
    lines.append("")
    lines += [f"- `{row['edit']}`: {row['note']}" for row in found]
    return lines + [""]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        project(folder)
        must(sluice(folder, "batch", "import", str(EDITS / "answers.jsonl"), "--backend", "lm-round-2",
                    "--answered-by", "a large language model, through files", "--date", "2026-11-24"))
        must(sluice(folder, "recordings", "accept"))
        lines, harmful, harmless = [], [], []
        for suite in SUITES:
            sluice(folder, "run", suite)
            must(sluice(folder, "baseline", "accept", suite))
            found = list(rows(folder, suite))
            lines += table(suite, found)
            harmful += [row for row in found if row["edit"].startswith("harmful")]
            harmless += [row for row in found if row["edit"].startswith("harmless")]
    caught = sum(row["code"] == 1 for row in harmful)
    alarms = sum(row["code"] == 1 for row in harmless)
    print(f"{caught} of {len(harmful)} harmful edits fail, {alarms} of {len(harmless)} harmless ones")
    print("\n".join(lines))


main()
