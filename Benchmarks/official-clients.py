#!/usr/bin/env python3
"""Compares how Sluice and the vendors' official Python clients read the same answers.

usage: official-clients.py [--wire DIR] [--own DIR] [--sluice PROGRAM] [--only API] [--work FOLDER]

1. A server on loopback serves recorded answers: the answers with status 200 in DIR/exchanges.jsonl.
2. `sluice record` sends requests to it, with a suite for each API and shape (whole or streamed). `sluice run` replays the
   recordings.
3. A second server has only the answers in the recordings files. The official clients (openai, anthropic, google-genai and
   ollama, installed for this Python) request the same answers from it.
4. The script compares their texts, refusals, endings, tokens, tool calls and reasoning with Sluice's run logs and
   `sluice show`.

The default of --wire is the environment variable SLUICE_WIRE_DIR. --own adds a folder of the same form. Without any folder,
the script uses the exchanges in Tests/SluiceCoreTests/Fixtures/wire. --work keeps the project in an empty FOLDER.
The exit code is 0 if nothing differs, 1 if something differs, and 2 if Sluice fails. An API without its client is skipped.
"""
import argparse, base64, contextlib, http.server, importlib, importlib.metadata, json, os, pathlib, subprocess, sys
import tempfile, threading, time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
# For each API: the backend's type, the end of its base-url, the client's package, and the content type to send with
# streams that have none.
APIS = {
    "chat": ("openai", "/v1", "openai", "text/event-stream"),
    "responses": ("openai-responses", "/v1", "openai", "text/event-stream"),
    "messages": ("anthropic", "/v1", "anthropic", "text/event-stream"),
    "generateContent": ("gemini", "/v1beta", "google-genai", "text/event-stream"),
    "ollama-native": ("ollama", "", "ollama", "application/x-ndjson"),
}
COUNTS = ["input", "cached-input", "cache-write", "output", "reasoning"]
STREAM = "-stream"


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def api_of(suite):
    return suite.removesuffix(STREAM)


def load(folders, apis):
    """Returns the answers to serve, by suite and name, and the names of the other exchanges, by reason."""
    answers, skipped = {}, {}
    for folder in map(pathlib.Path, folders):
        exchanges = {(line["file"], line["interaction"]): line for line in lines(folder / "exchanges.jsonl")}
        for entry in lines(folder / "INDEX.jsonl"):
            if entry["api"] in APIS and entry["api"] not in apis:
                continue
            response = exchanges[entry["file"], entry["interaction"]]["response"]
            body = response["body"].encode() if "body" in response else base64.b64decode(response["body_base64"])
            name = f"{entry['file'].removesuffix('.yaml')}.{entry['interaction']}"
            key = entry["api"] + (STREAM if entry["stream"] else ""), name
            if reason := unusable(entry, body):
                skipped.setdefault(reason, []).append(name)
            elif key in answers:
                sys.exit(f"error: two folders have an exchange {name}")
            else:
                types = (response.get("headers") or {}).get("content-type") or [None]
                # The chunks have equal sizes, so they may end inside a character.
                size = len(body) // 7 + 1
                pieces = [body[start:start + size] for start in range(0, len(body), size)]
                answers[key] = {"type": types[0], "pieces": pieces}
    return answers, skipped


def unusable(entry, body):
    """Returns the reason why an exchange is not compared, or None if it is compared."""
    if entry["api"] not in APIS:
        return f"the API {entry['api']}"
    if entry["status"] != 200 or "error" in entry["expected"]:
        return f"an error with status {entry['status']}"
    if entry["api"] == "ollama-native" and b'"message"' not in body:
        return "an answer of /api/generate, not of /api/chat"
    if entry["api"] == "responses" and entry["expected"].get("finish_reason") in ("queued", "in_progress"):
        return "a response that is not ready"
    if entry["api"] == "generateContent" and body.startswith(b"["):
        return "a stream without alt=sse, which the client always requests"


class Server(http.server.ThreadingHTTPServer):
    """Answers POST /SUITE/… with the answer whose name is a text in the request."""
    daemon_threads = True
    request_queue_size = 128
    handle_error = lambda *_: None  # A client may close a connection early; that is not an error.


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    log_message = lambda *_: None

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        suite = self.path.split("/")[1]
        answers = self.server.answers
        answer = next((answers[key] for key in answers if key[0] == suite and f'"{key[1]}"' in body), None)
        streams = "streamGenerateContent" in self.path or json.loads(body).get("stream", api_of(suite) == "ollama-native")
        status = 200
        if answer is None or streams != suite.endswith(STREAM):
            fault = {"error": {"message": "the request names no answer, or has the wrong shape"}}
            status, answer = 400, {"type": "application/json", "pieces": [json.dumps(fault).encode()]}
        self.send_response(status)
        self.send_header("Content-Type", answer["type"] or (APIS[api_of(suite)][3] if streams else "application/json"))
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in answer["pieces"]:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            time.sleep(0.002)  # So that the pieces arrive one by one.
        self.wfile.write(b"0\r\n\r\n")


@contextlib.contextmanager
def serving(answers):
    with Server(("127.0.0.1", 0), Handler) as server:
        server.answers = answers
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


# The readings of Sluice

def write(path, *values):
    """Writes JSON values, one on each line. This also works for YAML files, since JSON is YAML."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")


def write_cases(folder, suite, answers):
    cases = ({"id": name, "input": {"question": name}} for each, name in answers if each == suite)
    write(folder / "datasets" / suite / "cases.jsonl", *cases)


def make_project(folder, address, answers):
    """Makes a project with a suite for each API and shape, and a case for each answer."""
    backends = {}
    for suite in {suite for suite, _ in answers}:
        kind, path, *_ = APIS[api_of(suite)]
        backends[suite] = {"type": kind, "base-url": f"{address}/{suite}{path}", "model": "model-1", "retries": 0}
        if suite.endswith(STREAM):
            backends[suite]["stream"] = {"fallback": False}
        if kind == "ollama":
            backends[suite]["context-length"] = 8192
        files = folder / "prompts" / suite
        write(files / "v1.yaml", {"messages": [{"user": "{{question}}"}], "parameters": {"max-tokens": 4000}})
        write(files / "suite.yaml", {"suite": suite, "prompt": "v1.yaml", "dataset": suite, "backend": suite})
        write_cases(folder, suite, answers)
    write(folder / "sluice.yaml", {"backends": backends})


def sluice(program, folder, *arguments, codes=(0,)):
    """Runs Sluice. Exits if the exit code is not one of the expected codes."""
    environment = {name: value for name, value in os.environ.items() if name != "CI"} | {"SLUICE_PROGRESS": "off"}
    done = subprocess.run([os.path.abspath(program), *arguments], cwd=folder, env=environment,
                          capture_output=True, text=True)
    if done.returncode not in codes:
        print("error: sluice", *arguments, f"ended with {done.returncode}:", done.stdout, done.stderr, file=sys.stderr)
        sys.exit(2)
    return done.stdout + (done.stderr if done.returncode else "")


def record(program, folder, answers):
    """Returns the answers that Sluice recorded, and removes all other cases from the project."""
    output = sluice(program, folder, "record", codes=(0, 3))
    sluice(program, folder, "recordings", "accept")
    found = recorded(folder)
    if len(found) < len(answers):
        print(output)
    for suite in {suite for suite, _ in answers}:
        write_cases(folder, suite, found)
    return found


def recorded(folder):
    """Returns the answers in the recordings files, by suite and case."""
    found = {}
    for path in sorted(folder.glob("datasets/*/recordings/*.jsonl")):
        parts = {line["part"]: line["value"] for line in lines(path) if "part" in line}
        for line in lines(path):
            if "part" in line:
                continue
            response = line["response"]
            headers = {**parts[line["source"]].get("headers", {}), **response.get("headers", {})}
            if "events" in response:
                pieces = [base64.b64decode(rest[0]) if rest else text.encode() for _, text, *rest in response["events"]]
            else:
                text = response.get("body-text") or json.dumps(response.get("body"))
                pieces = [base64.b64decode(response["body-base64"]) if "body-base64" in response else text.encode()]
            key = path.parent.parent.name, line["hints"]["case"]
            found[key] = {"type": headers.get("content-type"), "pieces": pieces}
    return found


def replay(program, folder, found):
    """Returns Sluice's readings of the recordings, by suite and case, from its run logs and `sluice show`."""
    sluice(program, folder, "run", *{suite for suite, _ in found}, codes=(0, 1, 2, 3))
    trials = {}
    for path in folder.glob("reports/runs/*.jsonl"):
        header, *rest = lines(path)
        trials |= {(header["suite"], line["case"]): line for line in rest if line["kind"] == "trial"}
    def show(key):
        return sluice(program, folder, "show", key[1], "--suite", key[0], "--output", "json")

    # Run logs contain neither tool calls nor reasoning.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for key, text in zip(trials, pool.map(show, trials)):
            trials[key] = json.loads(text)["suites"][0]["columns"][0]["answers"][0] | trials[key]
    has_thoughts = any("reasoning" in trial for trial in trials.values())
    return {key: reading_of_trial(trial, has_thoughts) for key, trial in trials.items()}


def reading_of_trial(trial, has_thoughts):
    if trial["outcome"] == "lost":
        return {"error": trial.get("reason", "lost")}
    usage = trial.get("usage") or {}
    calls = [call(each["name"], each["text"]) for each in trial.get("tool-calls", [])]
    return reading(trial.get("text"), trial.get("finish-reason"), map(usage.get, COUNTS), calls, trial.get("refusal"),
                   [trial.get("reasoning")] if has_thoughts else None)


# The readings of the clients

def reading(text, word, counts, calls, refusal="", thoughts=()):
    """Returns the reading of an answer in a form that can be compared. Thoughts are None if they are unknown."""
    # The clients put different white space between the parts of the reasoning.
    thoughts = None if thoughts is None else "".join("".join(filter(None, thoughts)).split())
    return {"text": text or "", "refusal": refusal or "", "ending": word or "", **dict(zip(COUNTS, counts)),
            "calls": calls, "thoughts": thoughts}


def call(name, arguments):
    """Returns a tool call, with its arguments as JSON if they are JSON."""
    if isinstance(arguments, str):
        with contextlib.suppress(ValueError):
            arguments = json.loads(arguments or "{}")
    return [name, arguments or {}]


def at(value, *names):
    """Returns a nested member of an object or a dictionary, or None if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
    return value


def first(*values):
    return next((value for value in values if value is not None), None)


def chat(base, question, stream):
    import openai
    ask = openai.OpenAI(base_url=f"{base}/v1", api_key="none", max_retries=0).chat.completions.create
    answer = ask(model="model-1", messages=[{"role": "user", "content": question}], stream=stream)
    usage, word, calls, parts = None, None, [], {"text": [], "refusal": [], "thoughts": []}
    for piece in answer if stream else [answer]:
        usage = first(at(piece, "usage"), at(piece, "x_groq", "usage"), usage)
        for choice in piece.choices or []:
            if not at(choice, "index"):
                word = choice.finish_reason or word
                take(at(choice, "delta" if stream else "message"), parts, calls)
    calls = [call(each["name"], each["arguments"]) for each in calls]
    return reading("".join(parts["text"]), word, chat_counts(usage), calls, "".join(parts["refusal"]), parts["thoughts"])


def take(message, parts, calls):
    """Adds the message of a chat completion, or a piece of a message, to the parts and calls so far."""
    content = at(message, "content")
    for part in content if isinstance(content, list) else [{"type": "text", "text": content}]:
        parts["thoughts"] += [at(thought, "text") for thought in at(part, "thinking") or []]
        parts["text"].append(at(part, "text") or "" if at(part, "type") in ("text", "output_text", None) else "")
    parts["refusal"].append(at(message, "refusal") or "")
    thought = first(at(message, "reasoning_content"), at(message, "reasoning"))
    details = [at(detail, "text") for detail in at(message, "reasoning_details") or []]
    parts["thoughts"] += details if thought is None else [thought]
    for each in [*(at(message, "tool_calls") or []), {"function": at(message, "function_call")}]:
        index, name, arguments = (at(each, *path) for path in [("index",), ("function", "name"), ("function", "arguments")])
        known = next((one for one in calls if index is not None and one["index"] == index), None)
        if known:
            known.update(name=known["name"] or name, arguments=known["arguments"] + (arguments or ""))
        elif name or arguments:  # Snowflake sends an empty call with each answer.
            calls.append({"index": index, "name": name, "arguments": arguments or ""})


def chat_counts(usage):
    prompt, completion, total = (at(usage, f"{name}_tokens") for name in ["prompt", "completion", "total"])
    cached = first(at(usage, "prompt_tokens_details", "cached_tokens"), at(usage, "prompt_cache_hit_tokens"),
                   at(usage, "cached_tokens"), at(usage, "num_cached_tokens"), at(usage, "cache_read_input_tokens"))
    written = first(at(usage, "prompt_tokens_details", "cache_write_tokens"), at(usage, "cache_creation_input_tokens"))
    reasoning = first(at(usage, "completion_tokens_details", "reasoning_tokens"), at(usage, "reasoning_tokens"))
    if reasoning and None not in (prompt, completion) and total == prompt + completion + reasoning:
        completion += reasoning  # xAI's count of the completion does not include reasoning.
    return prompt, cached, written, completion, reasoning


def responses(base, question, stream):
    import openai
    client = openai.OpenAI(base_url=f"{base}/v1", api_key="none", max_retries=0)
    answer = client.responses.create(model="model-1", input=question, stream=stream)
    done = []
    if stream:
        events, ends = list(answer), [f"response.{word}" for word in ["completed", "incomplete", "failed"]]
        answer = [event.response for event in events if event.type in ends][-1]
        done = [event.item for event in events if event.type == "response.output_item.done"]
    items = answer.output or done  # Some servers leave the output of the last event empty.
    refusals = [at(part, "refusal") or "" for item in items if item.type == "message" for part in item.content or []]
    thoughts = [at(part, "text") for item in items if item.type == "reasoning"
                for part in [*(at(item, "summary") or []), *(at(item, "content") or [])]]
    usage, details = answer.usage, at(answer.usage, "input_tokens_details")
    counts = [at(usage, "input_tokens"), at(details, "cached_tokens"), at(details, "cache_write_tokens"),
              at(usage, "output_tokens"), at(usage, "output_tokens_details", "reasoning_tokens")]
    calls = [call(item.name, item.arguments) for item in items if item.type == "function_call"]
    word = at(answer, "incomplete_details", "reason") or answer.status
    return reading(answer.output_text, word, counts, calls, "".join(refusals), thoughts)


def messages(base, question, stream):
    import anthropic
    client = anthropic.Anthropic(base_url=base, api_key="none", max_retries=0).messages
    asked = {"model": "model-1", "max_tokens": 4000, "messages": [{"role": "user", "content": question}]}
    with client.stream(**asked) if stream else contextlib.nullcontext() as events:
        answer = events.get_final_message() if stream else client.create(**asked)
    blocks, usage = answer.content, answer.usage
    sent, read, written = (at(usage, f"{name}input_tokens") for name in ["", "cache_read_", "cache_creation_"])
    counts = [None if sent is None else sent + (read or 0) + (written or 0), read, written, at(usage, "output_tokens"),
              at(usage, "output_tokens_details", "thinking_tokens")]
    # Drop the text that came before a content filter. The filter's reason is not text of the model, either.
    refused = answer.stop_reason == "refusal"
    reason = first(at(answer, "stop_details", "explanation"), at(answer, "stop_details", "category"), "")
    text = "".join(block.text for block in blocks if block.type == "text" and not refused)
    return reading(text, answer.stop_reason, counts,
                   [call(block.name, block.input) for block in blocks if block.type == "tool_use"],
                   reason if refused else "", thoughts=[block.thinking for block in blocks if block.type == "thinking"])


def generate_content(base, question, stream):
    from google import genai
    client = genai.Client(api_key="none", http_options={"base_url": base, "api_version": "v1beta"})
    ask = client.models.generate_content_stream if stream else client.models.generate_content
    answer = ask(model="model-1", contents=question)
    usage, word, parts, blocked = None, None, [], None
    for piece in answer if stream else [answer]:
        candidate, usage = (piece.candidates or [None])[0], piece.usage_metadata or usage
        word = first(at(candidate, "finish_reason"), at(piece, "prompt_feedback", "block_reason"), word)
        blocked = first(at(piece, "prompt_feedback", "block_reason", "value"), blocked)
        parts += at(candidate, "content", "parts") or []
    prompt, tools = at(usage, "prompt_token_count"), at(usage, "tool_use_prompt_token_count")
    output, thought = at(usage, "candidates_token_count"), at(usage, "thoughts_token_count")
    # Gemini leaves out a count of 0. If the total equals the other counts, this one is 0, and otherwise unknown.
    if output is None and prompt is not None and at(usage, "total_token_count") == prompt + (tools or 0) + (thought or 0):
        output = 0
    counts = [None if prompt is None else prompt + (tools or 0), at(usage, "cached_content_token_count"), None,
              None if output is None else output + (thought or 0), thought]
    return reading("".join(part.text or "" for part in parts if not part.thought), at(word, "value"), counts,
                   [call(part.function_call.name, part.function_call.args) for part in parts if part.function_call],
                   f"the prompt was blocked ({blocked})" if blocked and not parts else "",
                   thoughts=[part.text for part in parts if part.thought])


def ollama_native(base, question, stream):
    import ollama
    answer = ollama.Client(host=base).chat("model-1", messages=[{"role": "user", "content": question}], stream=stream)
    pieces = list(answer) if stream else [answer]
    calls = [each.function for piece in pieces for each in piece.message.tool_calls or []]
    return reading("".join(piece.message.content or "" for piece in pieces), pieces[-1].done_reason,
                   [pieces[-1].prompt_eval_count, None, None, pieces[-1].eval_count, None],
                   [call(each.name, dict(each.arguments)) for each in calls],
                   thoughts=[piece.message.thinking for piece in pieces])


def ask_clients(address, answers):
    """Returns the readings of the clients, by suite and case."""
    clients = dict(zip(APIS, [chat, responses, messages, generate_content, ollama_native]))
    def ask(key):
        try:
            return clients[api_of(key[0])](f"{address}/{key[0]}", key[1], key[0].endswith(STREAM))
        except Exception as error:  # An exception of a client is its reading.
            return {"error": f"{type(error).__name__}: {error}"}
    with ThreadPoolExecutor(4) as pool:
        return dict(zip(answers, pool.map(ask, answers)))


def differences(ours, theirs):
    """Returns the differences, each as a phrase. If neither side has an answer, there are none."""
    faults = [f"{name} has no answer: {each['error']}" for name, each in [("Sluice", ours), ("the client", theirs)]
              if "error" in each]
    if faults:
        return faults if len(faults) == 1 else []
    return [f"{key}: Sluice {short(ours[key])}, client {short(theirs[key])}" for key in theirs
            if ours[key] != theirs[key] and (key, ours[key]) != ("thoughts", None)]


def short(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:80]} … {text[-30:]} ({len(text)} characters)"


def report(suite, pairs):
    """Prints the number of compared readings and the differences. Returns the number of readings that differ."""
    found = {case: differences(ours, theirs) for case, ours, theirs in pairs}
    lost = sum("error" in ours and "error" in theirs for _, ours, theirs in pairs)
    silent = sum(bool(theirs.get("thoughts")) and ours.get("thoughts") is None for _, ours, theirs in pairs)
    differing = sum(map(bool, found.values()))
    shape = "streamed" if suite.endswith(STREAM) else "whole"
    print(f"{api_of(suite):15} {shape:8} {len(pairs):4} compared, {differing} differ"
          + (f"; {lost} without an answer on both sides" if lost else "")
          + (f"; reasoning texts of {silent} not compared, since Sluice shows none" if silent else ""))
    for case, phrases in found.items():
        print("".join(f"  {case}: {phrase}\n" for phrase in phrases), end="")
    return differing


def available(only):
    """Returns the APIs whose client is installed, and prints the clients' versions."""
    found = []
    for api in only or APIS:
        package = APIS[api][2]
        try:
            importlib.import_module(package.replace("-", "."))  # Import it here, since simultaneous imports in threads interfere.
            print(f"{api:15} client {package} {importlib.metadata.version(package)}")
            found.append(api)
        except ImportError:
            print(f"{api:15} skipped: {package} is not installed; run `{sys.executable} -m pip install {package}`")
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wire", default=os.environ.get("SLUICE_WIRE_DIR") or None)
    options.add_argument("--own")
    options.add_argument("--sluice", default=ROOT / ".build" / "release" / "sluice")
    options.add_argument("--only", action="append", choices=APIS)
    options.add_argument("--work")
    options = options.parse_args()
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1"
    apis = available(options.only)
    if not apis:
        return print("skipped: no client is installed")
    folders = [each for each in (options.wire, options.own) if each] or [ROOT / "Tests/SluiceCoreTests/Fixtures/wire"]
    answers, skipped = load(folders, apis)
    for reason, names in sorted(skipped.items()):
        print(f"skipped {len(names)}, {reason}: {', '.join(names)}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.work or temporary).resolve()
        with serving(answers) as address:
            make_project(folder, address, answers)
            found = record(options.sluice, folder, answers)
        ours = replay(options.sluice, folder, found)
    with serving(found) as address:
        theirs = ask_clients(address, found)
    differing = 0
    for suite in sorted({suite for suite, _ in found}):
        keys = [key for key in sorted(found) if key[0] == suite]
        differing += report(suite, [(key[1], ours[key], theirs[key]) for key in keys])
    refused = sorted(answers.keys() - found.keys())
    print("".join(f"  {case}: Sluice recorded no answer ({suite})\n" for suite, case in refused), end="")
    others = sum(map(len, skipped.values()))
    print(f"{len(found)} answers compared, {differing} differ; {len(refused)} not recorded; {others} skipped")
    sys.exit(1 if differing or refused else 0)


if __name__ == "__main__":
    main()
