#!/usr/bin/env python3
"""Compares the confusion matrices and metrics of `sluice run` with scikit-learn's on real texts.

usage: labelled-texts.py DATA [--work FOLDER]

DATA has clinc150.jsonl and banking77.csv. The interpreter needs scikit-learn. Exit codes: 0 if all figures are equal,
1 if any differs, 2 if nothing could be compared.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOLERANCE = 1e-9


def stop(message):
    print(f"labelled-texts: {message}", file=sys.stderr)
    sys.exit(2)


def read_lines(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def given(result, labels, open_answer):
    """Returns the label of an answer, or the reason why it has none."""
    answer = json.loads(result["text"])["label"]
    if answer in labels:
        return answer
    return "(abstained)" if answer == open_answer else "(invalid)"


def compare(suite, work):
    import sklearn.metrics as metrics

    column = suite["columns"][0]
    matrix = column["confusions"][0]
    labels = matrix["labels"]
    name = suite["name"]
    cases = {
        case["id"]: case["expected"]["label"]
        for case in read_lines(f"{work}/datasets/{name}/cases.jsonl")
    }
    open_answer = "unsure" if "abstained" in matrix else None
    expected = [cases[result["case"]] for result in column["results"]]
    predicted = [given(result, set(labels), open_answer) for result in column["results"]]

    columns = labels + ["(invalid)"] + (["(abstained)"] if open_answer else [])
    theirs = metrics.confusion_matrix(expected, predicted, labels=columns)[: len(labels)]
    ours = [
        row + [matrix["invalid"][place]] + ([matrix["abstained"][place]] if open_answer else [])
        for place, row in enumerate(matrix["counts"])
    ]
    cells = [(mine, int(yours)) for row, other in zip(ours, theirs) for mine, yours in zip(row, other)]
    wrong_cells = sum(mine != yours for mine, yours in cells)

    def average(kind):
        return metrics.f1_score(expected, predicted, labels=labels, average=kind, zero_division=0)

    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        expected, predicted, labels=labels, zero_division=0
    )
    wanted = {
        "accuracy": metrics.accuracy_score(expected, predicted),
        "classification.precision": precision.mean(),
        "classification.recall": recall.mean(),
        "classification.f1": average("macro"),
        "classification.micro-f1": average("micro"),
        "classification.weighted-f1": average("weighted"),
        "classification.balanced-accuracy": metrics.balanced_accuracy_score(expected, predicted),
        "classification.mcc": metrics.matthews_corrcoef(expected, predicted),
        "classification.kappa": metrics.cohen_kappa_score(expected, predicted),
        "classification.invalid-label-rate": predicted.count("(invalid)") / len(predicted),
    }
    if open_answer:
        wanted["classification.abstention-rate"] = predicted.count("(abstained)") / len(predicted)
    for place, label in enumerate(labels):
        wanted[f"classification.precision[class={label}]"] = precision[place]
        wanted[f"classification.recall[class={label}]"] = recall[place]
        wanted[f"classification.f1[class={label}]"] = f1[place]
    found = {metric["name"]: metric["value"] for metric in column["metrics"]}
    wrong = [
        (metric, found.get(metric), value)
        for metric, value in wanted.items()
        # A label that was never predicted has no precision, but scikit-learn reports 0.
        if abs((found.get(metric) or 0) - value) > TOLERANCE
    ]
    print(
        f"{name}: {len(expected)} cases, {len(labels)} labels; "
        f"{len(cells) - wrong_cells} of {len(cells)} cells and "
        f"{len(wanted) - len(wrong)} of {len(wanted)} metrics are equal"
    )
    for metric in list(wanted)[:11]:
        if not metric.count("["):
            print(f"  {metric} {wanted[metric]:.4f}")
    for metric, mine, yours in wrong[:10]:
        print(f"  differs: {metric} is {mine}, but {yours} in scikit-learn")
    return wrong_cells == 0 and not wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--work")
    parser.add_argument("--build", default=f"{ROOT}/.build/release")
    arguments = parser.parse_args()
    for name in ("clinc150.jsonl", "banking77.csv"):
        if not os.path.exists(f"{arguments.data}/{name}"):
            stop(f"{name} is not in {arguments.data}, so nothing was compared")
    try:
        import sklearn
    except ImportError:
        stop("this interpreter has no scikit-learn, so nothing was compared")
    warnings.filterwarnings("ignore")
    work = arguments.work or tempfile.mkdtemp()
    make = subprocess.run([f"{arguments.build}/LabelledTexts", arguments.data, work])
    if make.returncode != 0:
        stop("the project could not be made")
    run = subprocess.run(
        [f"{arguments.build}/sluice", "run"], cwd=work, capture_output=True, text=True
    )
    if run.returncode not in (0, 1, 2):
        stop(f"sluice run failed:\n{run.stdout}{run.stderr}")
    with open(f"{work}/reports/latest/report.json", encoding="utf-8") as file:
        report = json.load(file)
    print(f"compared with scikit-learn {sklearn.__version__}")
    same = [compare(suite, work) for suite in report["suites"]]
    sys.exit(0 if same and all(same) else 1)


if __name__ == "__main__":
    main()
