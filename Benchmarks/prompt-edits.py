#!/usr/bin/env python3
"""Counts how many of twenty edits of a prompt the gates catch, and writes docs/prompt-edits.md.

Ten edits are harmful (`harmful-…`), and ten keep the meaning (`harmless-…`). A language model answered the same 120 cases of
clarity or tone with each edited prompt, and in the same round with v2, which is the baseline. The answers are in
Benchmarks/PromptEdits/answers.jsonl and in the recordings of lm-round-2. The script runs the suites in a scratch copy of the
project, with gates for 120 cases.
"""

import hashlib
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
EDITS = ROOT / "Benchmarks" / "PromptEdits"
SLUICE = ROOT / ".build" / "release" / "sluice"
SUITES = ["clarity", "tone"]
FLAGGED, CLEAN = 40, 80
# The gates of the suites, with the margins that `sluice plan` finds for 120 cases and 80 clean ones.
GATES = [
    "accuracy >= 95%",
    "false-positive-rate <= 5%",
    "no regression in accuracy beyond 6 points",
    "no regression in false-positive-rate beyond 8 points",
]
REASONS = {
    "harmful-border-rules-dropped": "The model warns of terse, sensitive and jargon-heavy messages without an instruction to do so.",
    "harmful-conversation-dropped": "Unlike in `clarity`, the model needs only the message in nearly all of these cases, and not the conversation.",
    "harmful-inputs-cut": "This prompt no longer has the recipient's role, but the messages reveal it. The model still warns in 6 of the 7 cases\n"
    "  with jargon that the recipient does not know. It warns in none of the 8 cases with jargon between peers.",
}
VERDICTS = {0: "pass", 1: "**fail**", 2: "inconclusive"}


def chosen(text):
    """Returns the 40 flagged and 80 clean cases with the lowest SHA-256 of their ids, without hard cases, in the file's order."""
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
    """Makes the scratch project: 120 cases for each suite, v2, the edits, and the recordings of round 2."""
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
        settings = re.sub(r"(?m)^backend: .*", "backend: lm-round-2", settings)
        settings = re.sub(r"(?ms)^gates:.*?(?=^goals:)", "gates:\n" + "".join(f"  - {gate}\n" for gate in GATES), settings)
        (prompts / "suite.yaml").write_text(settings)
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
    # Round halves up, as Sluice does.
    return f"{math.floor(value * 1000 + 0.5) / 10:.1f}%"


def rows(folder, suite):
    for file in sorted((EDITS / suite).glob("*.yaml")):
        result = sluice(folder, "run", suite, "--prompt", f"prompts/{suite}/{file.name}")
        report = json.loads((folder / "reports" / "latest" / "report.json").read_text())
        column = report["suites"][0]["columns"][-1]
        metrics = {metric["name"]: metric for metric in column["metrics"]}
        missed = [gate["condition"] for gate in column["gates"] if gate["verdict"] == "fail"]
        note = file.read_text().split("\n", 1)[0].removeprefix("# ")
        broken = [trial["case"] for trial in column["results"] if trial["outcome"] != "passed"]
        yield {
            "broken": broken,
            "edit": file.stem, "note": note, "code": result.returncode, "failed": missed,
            "accuracy": share(metrics, "accuracy"), "false": share(metrics, "flags.false-positive-rate"),
        }


def failing(gates):
    """Returns the gates that an edit fails, as the end of its line."""
    if not gates:
        return ""
    if len(gates) == len(GATES):
        return " All four gates fail."
    return " Fails:\n" + ",\n".join(f"  `{gate}`" for gate in gates) + "."


def table(suite, found):
    """Returns the section of a suite: a table with figures and verdicts, and a description of each edit below it."""
    lines = [f"## {suite}", "", "| edit | accuracy | false positives | verdict | failed cases |", "| --- | --- | --- | --- | --- |"]
    for row in found:
        verdict = VERDICTS.get(row["code"], f"exit {row['code']}")
        lines.append(f"| {row['edit']} | {row['accuracy']} | {row['false']} | {verdict} | {len(row['broken'])} of 120 |")
    lines.append("")
    for row in found:
        text, _, gates = f"- **{row['edit']}**: {row['note']}{failing(row['failed'])}".partition("\n")
        lines.append(textwrap.fill(text, 118, subsequent_indent="  ", break_on_hyphens=False))
        lines += [gates] if gates else []
    return lines + [""]


def missed(rows):
    """Yields lines that explain why harmful edits pass: the cases that each edit breaks, and the reason."""
    for suite, row in rows:
        count = len(row["broken"])
        which = f"breaks {count} of 120 cases ({', '.join(row['broken'])})" if count else "breaks none of the 120 cases"
        yield f"- `{suite}`, `{row['edit']}` {which}."
        if row["edit"] in REASONS:
            yield f"  {REASONS[row['edit']]}"


def page(caught, harmful, alarms, harmless, inconclusive, misses, tables):
    """Returns the page docs/prompt-edits.md."""
    gates = "\n".join(f"- `{gate}`" for gate in GATES)
    return f"""# Which prompt edits the gates catch

**The gates fail {caught} of {harmful} harmful edits and {alarms} of {harmless} harmless ones.** {inconclusive}

A harmful edit drops or inverts something that the prompt needs. A harmless edit says the same in another way.
Five edits of each kind were made for `clarity` and for `tone`, before any answer existed. A
[large language model](../datasets/README.md) answered 120 cases of each suite with each edited prompt. In the same
round, it answered these cases with the prompt v2, which is the baseline. Of the 120 cases, 40 must be flagged, and 80
are clean. Hard cases are excluded. Of the others, those whose ids have the lowest SHA-256 were chosen, to avoid a
choice by hand.

The gates are like those of the suites. `sluice plan` computed the margins: each is the smallest with which an equally
good prompt passes in 80% of comparisons. By assumption, 5% of the cases change between right and wrong by chance.
Accuracy counts all 120 cases, and the false-positive rate counts the 80 clean cases:

{gates}

`Benchmarks/prompt-edits.py` makes this page from `Benchmarks/PromptEdits` and the answers of the model's second
[round](../datasets/README.md#recordings) (backend `lm-round-2`).

## Harmful edits that pass

The lists below the tables say what each edit changes.

{chr(10).join(misses)}

With this model and these cases, each of these edits changes next to nothing. A gate cannot see a loss that the
answers do not show. A weaker model could show the loss, and so could cases that depend on the dropped rule.

{chr(10).join(tables)}""".rstrip() + "\n"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        project(folder)
        must(sluice(folder, "batch", "import", str(EDITS / "answers.jsonl"), "--backend", "lm-round-2",
                    "--answered-by", "a large language model, through files", "--date", "2026-11-24"))
        must(sluice(folder, "recordings", "accept"))
        tables, harmful, harmless = [], [], []
        for suite in SUITES:
            sluice(folder, "run", suite)
            must(sluice(folder, "baseline", "accept", suite))
            found = list(rows(folder, suite))
            tables += table(suite, found)
            harmful += [(suite, row) for row in found if row["edit"].startswith("harmful")]
            harmless += [(suite, row) for row in found if row["edit"].startswith("harmless")]
    caught = [row for _, row in harmful if row["code"] == 1]
    alarms = [row for _, row in harmless if row["code"] == 1]
    undecided = sum(row["code"] == 2 for _, row in harmful + harmless)
    inconclusive = f"{undecided} of the {len(harmful) + len(harmless)} end inconclusive." if undecided else "None ends inconclusive."
    misses = list(missed((suite, row) for suite, row in harmful if row["code"] != 1))
    text = page(len(caught), len(harmful), len(alarms), len(harmless), inconclusive, misses, tables)
    (ROOT / "docs" / "prompt-edits.md").write_text(text)
    print(text.split("\n")[2])


main()
