#!/usr/bin/env python3
"""The script that a team might write instead of using a harness, for each shape of Benchmarks/user-shapes.py.

usage: plain-shapes.py SHAPE FOLDER OUT            scores recorded answers; FOLDER has cases.jsonl and answers.jsonl
       plain-shapes.py live URL BODIES OUT         sends requests to a server, 64 at once, and keeps the answers

Scores the same properties as the suite of that shape. Writes a line for each case to OUT, and prints the number of cases that
pass. Uses only the standard library.
"""
import concurrent.futures, http.client, itertools, json, re, sys, threading, urllib.parse

FUNCTION_WORDS = set("a an the to of for in on at by with and from into about up out over is be it this that my your our their "
                     "his her its some any".split())
LABELS = ["fan", "super_fan", "business", "spam", "urgent"]
patterns = {}


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def pattern(text):
    if text not in patterns:
        # PCRE2 has \x{…} for a character, and allows an option such as (?i) in the middle of a pattern.
        python = re.sub(r"\\x\{([0-9A-Fa-f]+)\}", lambda match: chr(int(match[1], 16)), text)
        patterns[text] = re.compile(re.sub(r"(?<=.)\(\?i\)(.*)", r"(?i:\1)", python))
    return patterns[text]


def occurs(words, text):
    return pattern(r"(?i)(?<!\w)" + re.escape(words) + r"(?!\w)").search(text) is not None


def clarity(expected, _, text):
    answer = parsed(text)
    if not isinstance(answer, dict) or set(answer) != {"clarityIssues", "suggestedRevision"}:
        return False
    issues = answer["clarityIssues"]
    if issues is not None and not (isinstance(issues, list) and all(isinstance(issue, str) for issue in issues)):
        return False
    if not isinstance(answer["suggestedRevision"], (str, type(None))):
        return False
    if bool(issues) != expected["flagged"]:
        return False
    for wanted in expected.get("issues") or []:
        wordings = [wanted] if isinstance(wanted, str) else wanted["any-of"]
        if not any(occurs(wording, issue) for wording in wordings for issue in issues or []):
            return False
    return True


def singular(word):
    if len(word) > 3 and word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if len(word) > 2 and word.endswith("s") and not word.endswith(("us", "ss")):
        return word[:-1]
    return word


def content(text):
    words = re.findall(r"[^\W_]+", text.lower())
    return {singular(word) for word in [word for word in words if word not in FUNCTION_WORDS] or words}


def similarity(left, right):
    return 1.0 if not left and not right else 2 * len(left & right) / (len(left) + len(right))


def action_items(expected, _, text):
    answer = parsed(text)
    if not isinstance(answer, dict) or set(answer) != {"actionItems"} or not isinstance(answer["actionItems"], list):
        return False
    found = answer["actionItems"]
    for item in found:
        if not isinstance(item, dict) or set(item) != {"description", "assignedTo", "dueDate"}:
            return False
        if not isinstance(item["description"], str) or not isinstance(item["assignedTo"], (str, type(None))):
            return False
        day = item["dueDate"]
        if day is not None and not (isinstance(day, str) and pattern(r"\d{4}-\d{2}-\d{2}").fullmatch(day)):
            return False
    wanted = expected["items"]
    if len(wanted) != len(found):
        return False
    weights = [[similarity(content(left["description"]), content(right["description"])) for right in found] for left in wanted]

    def total(order):
        return sum(weights[row][column] for row, column in enumerate(order) if weights[row][column] >= 0.5)
    best = max(itertools.permutations(range(len(found))), key=total)
    for row, column in enumerate(best):
        if weights[row][column] < 0.5:
            return False
        if any(wanted[row][name] != found[column][name] for name in ("assignedTo", "dueDate") if name in wanted[row]):
            return False
    return True


def category(expected, _, text):
    answer = parsed(text)
    return isinstance(answer, dict) and set(answer) == {"category"} and answer["category"] == expected["category"]


def holds(kind, value, text):
    if kind.startswith("not-"):
        return not holds(kind[4:], value, text)
    if kind == "regex":
        return pattern(value).search(text) is not None
    if kind == "word-count":
        return value.get("min", 0) <= len(text.split()) <= value.get("max", sys.maxsize)
    if "icontains" in kind:
        text, value = text.lower(), value.lower() if isinstance(value, str) else [part.lower() for part in value]
    if kind.endswith("-any"):
        return any(part in text for part in value)
    if kind.endswith("-all"):
        return all(part in text for part in value)
    return value in text


def assertions(_, case, text):
    own = [next(iter(assertion.items())) for assertion in case.get("assert", [])]
    return all([holds(kind, value, text) for kind, value in [("word-count", {"max": 90})] + own])


def score(shape, folder, out):
    judge = {"clarity": clarity, "action-items": action_items, "category": category, "assertions": assertions}[shape]
    answers = {line["id"]: line["content"] for line in lines(f"{folder}/answers.jsonl")}
    passed = 0
    with open(out, "w", encoding="utf-8") as file:
        for case in lines(f"{folder}/cases.jsonl"):
            text = answers[case["id"]]
            right = bool(text.strip()) and judge(case.get("expected", {}), case, text)
            passed += right
            file.write(json.dumps({"id": case["id"], "output": text, "passed": right}) + "\n")
    print(passed)


def live(url, bodies, out):
    place, own = urllib.parse.urlsplit(url), threading.local()

    def ask(body):
        if not hasattr(own, "connection"):
            own.connection = http.client.HTTPConnection(place.hostname, place.port)
        own.connection.request("POST", place.path, body, {"content-type": "application/json"})
        return json.loads(own.connection.getresponse().read())["choices"][0]["message"]["content"]
    with open(bodies, "rb") as file:
        requests = file.read().splitlines()
    with concurrent.futures.ThreadPoolExecutor(64) as pool, open(out, "w", encoding="utf-8") as file:
        for text in pool.map(ask, requests):
            file.write(json.dumps({"output": text}) + "\n")
    print(len(requests))


if __name__ == "__main__":
    live(*sys.argv[2:]) if sys.argv[1] == "live" else score(*sys.argv[1:])
