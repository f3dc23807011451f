#!/usr/bin/env python3
"""Times live requests with the API of each vendor, and compares them with chat completions for the same text.

usage: vendor-requests.py [--rounds R] [--requests N] [--deltas D] [--only API] [--work FOLDER]

A server on loopback answers in the form of each API, whole and streamed, after 50 ms. All answers have the same text of
1,000 bytes (in D deltas if streamed) and the same token counts. `LiveRequests` sends N requests to each API, 64 at once.

"As sent" bodies have the format of the vendors, so their sizes differ. "Padded" bodies have additional spaces, which
readers ignore: at the end of a whole body and after each event of a stream. All padded bodies have the same size.

First, `sluice run --live` requests a few answers of each kind, to check that text and counts are read correctly. A ratio
is the median over R rounds of a backend's figure divided by that of `openai` in the same round. CPU is user + system time
from the first request to the last judged answer. Prints a table. The exit code is 1 if a ratio is above 1.1.
"""
import argparse, asyncio, json, multiprocessing, os, pathlib, random, shutil, socket, statistics, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build" / "release"
LATENCY, IN_FLIGHT, BAR = 0.05, 64, 1.1
# For each API: the backend's type, and the end of its base-url.
APIS = {"chat": ("openai", "/v1"), "responses": ("openai-responses", "/v1"), "messages": ("anthropic", "/v1"),
        "content": ("gemini", "/v1beta"), "ollama": ("ollama", "")}
SHAPES, SIZES = ["whole", "streamed"], ["as sent", "padded"]
SENTENCE = 'The meeting moved to "Friday" – please bring the signed forms.\nNo reply is needed. '
TEXT = (SENTENCE * 20).encode()[:1000].decode(errors="ignore")
COUNTS = {"input": 57, "output": 250}
MODEL, STAMP, DAY = "model-1-2026-11-01", 1795000000, "2026-11-25T10:00:00.123456789Z"


# The answers, in the format of each vendor. OpenAI and Gemini indent complete bodies.

def chat(pieces):
    usage = {"prompt_tokens": 57, "completion_tokens": 250, "total_tokens": 307,
             "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
             "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0, "accepted_prediction_tokens": 0,
                                           "rejected_prediction_tokens": 0}}
    head = {"id": "chatcmpl-D0xlcDvxBE8sfHG0Q8B84MZtlYbab", "object": "chat.completion", "created": STAMP, "model": MODEL}
    tail = {"service_tier": "default", "system_fingerprint": "fp_f97eff32c5"}
    if not pieces:
        message = {"role": "assistant", "content": TEXT, "refusal": None, "annotations": []}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return indented({**head, "choices": [choice], "usage": usage, **tail})
    head["object"] = "chat.completion.chunk"
    def chunk(delta, word=None):
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": word}
        return event({**head, **tail, "choices": [choice], "usage": None})
    return [chunk({"role": "assistant", "content": "", "refusal": None}), *(chunk({"content": piece}) for piece in pieces),
            chunk({}, "stop"), event({**head, **tail, "choices": [], "usage": usage}), "data: [DONE]\n\n"]


def responses(pieces):
    def response(status, output, usage):
        return {"id": "resp_0d2bb1f9a07c98c6006985dec235dc819ab451fb14ee7c8feb", "object": "response", "created_at": STAMP,
                "status": status, "background": False, "completed_at": STAMP + 1 if usage else None, "error": None,
                "frequency_penalty": 0.0, "incomplete_details": None, "instructions": None, "max_output_tokens": None,
                "max_tool_calls": None, "model": MODEL, "output": output, "parallel_tool_calls": True,
                "presence_penalty": 0.0, "previous_response_id": None, "prompt_cache_key": None,
                "prompt_cache_retention": None, "reasoning": {"effort": "medium", "summary": None},
                "safety_identifier": None, "service_tier": "default", "store": False, "temperature": 1.0,
                "text": {"format": {"type": "text"}, "verbosity": "medium"}, "tool_choice": "auto", "tools": [],
                "top_logprobs": 0, "top_p": 0.98, "truncation": "disabled", "usage": usage, "user": None, "metadata": {}}
    usage = {"input_tokens": 57, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 250,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 307}
    name = "msg_0d2bb1f9a07c98c6006985dec914cc819a96a2fed8dbf74777"
    part = {"type": "output_text", "annotations": [], "logprobs": [], "text": TEXT}
    item = {"id": name, "type": "message", "status": "completed", "content": [part], "role": "assistant"}
    if not pieces:
        return indented(response("completed", [item], usage))
    place = {"item_id": name, "output_index": 0}
    started = response("in_progress", [], None)
    events = [("created", {"response": started}), ("in_progress", {"response": started}),
              ("output_item.added", {"item": {**item, "status": "in_progress", "content": []}, "output_index": 0}),
              ("content_part.added", {"content_index": 0, **place, "part": {**part, "text": ""}}),
              *(("output_text.delta", {"content_index": 0, "delta": piece, **place, "logprobs": []}) for piece in pieces),
              ("output_text.done", {"content_index": 0, **place, "logprobs": [], "text": TEXT}),
              ("content_part.done", {"content_index": 0, **place, "part": part}),
              ("output_item.done", {"item": item, "output_index": 0}),
              ("completed", {"response": response("completed", [item], usage)})]
    return [event({"type": f"response.{name}", **value, "sequence_number": number}, f"response.{name}")
            for number, (name, value) in enumerate(events)]


def messages(pieces):
    usage = {"input_tokens": 57, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
             "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0}, "output_tokens": 250,
             "service_tier": "standard"}
    message = {"model": MODEL, "id": "msg_015jjU4Q5dqhSc9vyfCdoujx", "type": "message", "role": "assistant",
               "content": [{"type": "text", "text": TEXT}], "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}
    if not pieces:
        return compact(message)
    start = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    last = {name: usage[name] for name in usage if name.endswith("_tokens")}
    events = [{"type": "message_start", "message": start},
              {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}, {"type": "ping"},
              *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
                for piece in pieces),
              {"type": "content_block_stop", "index": 0},
              {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": last},
              {"type": "message_stop"}]
    return [event(value, value["type"]) for value in events]


def content(pieces):
    def answer(text, word=None, count=None):
        candidate = {"content": {"parts": [{"text": text}], "role": "model"}, "finishReason": word, "index": 0}
        usage = {"promptTokenCount": 57, "candidatesTokenCount": count, "totalTokenCount": 57 + (count or 0),
                 "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 57}]}
        known = lambda value: {name: each for name, each in value.items() if each is not None}
        return {"candidates": [known(candidate)], "usageMetadata": known(usage), "modelVersion": MODEL,
                "responseId": "aVZGaa2FBuSVkdUP3KWOoQo"}
    if not pieces:
        return indented(answer(TEXT, "STOP", 250))
    # Each event has the token counts so far, and the last one also has the finish reason.
    counts = [250 * (place + 1) // len(pieces) for place in range(len(pieces))]
    return [event(answer(piece, "STOP" if count == 250 else None, count)) for piece, count in zip(pieces, counts)]


def ollama(pieces):
    def line(text, **more):
        return {"model": MODEL, "created_at": DAY, "message": {"role": "assistant", "content": text}, **more}
    times = {"total_duration": 1880837250, "load_duration": 8500000, "prompt_eval_count": 57,
             "prompt_eval_duration": 33781000, "eval_count": 250, "eval_duration": 1844565000}
    last = {"done": True, "done_reason": "stop", **times}
    if not pieces:
        return compact(line(TEXT, **last))
    return [compact(value)[0] + "\n" for value in [*(line(piece, done=False) for piece in pieces), line("", **last)]]


def compact(value):
    return [json.dumps(value, ensure_ascii=False, separators=(",", ":"))]


def indented(value):
    return [json.dumps(value, ensure_ascii=False, indent=2) + "\n"]


def event(value, name=None):
    return (f"event: {name}\n" if name else "") + f"data: {compact(value)[0]}\n\n"


def answers(apis, deltas):
    """Returns the bodies by API, shape and size, each as a list of pieces of bytes."""
    ends = [len(TEXT) * place // deltas for place in range(deltas + 1)]
    pieces = [TEXT[start:end] for start, end in zip(ends, ends[1:])]
    forms = dict(zip(APIS, [chat, responses, messages, content, ollama]))
    found = {}
    for shape in SHAPES:
        bodies = {api: [piece.encode() for piece in forms[api](pieces if shape == "streamed" else [])] for api in apis}
        longest = max(sum(map(len, body)) for body in bodies.values())
        for api, body in bodies.items():
            found[api, shape, "as sent"], found[api, shape, "padded"] = body, padded(body, longest)
    return found


def padded(body, size):
    """Returns a body that is padded to a size, with spaces spread evenly over the ends of its events."""
    missing, count = size - sum(map(len, body)), len(body)
    def piece(place, piece):
        spaces = b" " * (missing * (place + 1) // count - missing * place // count)
        end = len(piece.rstrip(b"\n"))
        return piece[:end] + spaces + piece[end:]
    return [piece(place, each) for place, each in enumerate(body)]


# The server

def serve(listener, replies):
    class Connection(asyncio.Protocol):
        """Answers each request. The first part of the path selects the reply."""
        def connection_made(self, transport):
            self.transport, self.waiting = transport, b""

        def data_received(self, data):
            self.waiting += data
            while (end := self.waiting.find(b"\r\n\r\n")) >= 0:
                head = self.waiting[:end]
                length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
                end += 4 + int(length or 0)
                if len(self.waiting) < end:
                    return
                self.waiting = self.waiting[end:]
                reply = replies[head.split(b"/", 2)[1].decode()]
                asyncio.get_running_loop().call_later(LATENCY, self.transport.write, reply)

    async def forever():
        server = await asyncio.get_running_loop().create_server(Connection, sock=listener, backlog=1024)
        await server.serve_forever()

    asyncio.run(forever())


def name_of(kind):
    return "-".join(kind).replace(" ", "-")


def reply(kind, body):
    streamed = kind[1] == "streamed"
    type = "application/json" if not streamed else "application/x-ndjson" if kind[0] == "ollama" else "text/event-stream"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {type}\r\n"
    if not streamed:
        return f"{head}Content-Length: {sum(map(len, body))}\r\n\r\n".encode() + b"".join(body)
    chunks = (b"%x\r\n%s\r\n" % (len(piece), piece) for piece in body)
    return f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + b"".join(chunks) + b"0\r\n\r\n"


# The client

def project(folder, kind, port, cases):
    """Makes a project with a suite that requests answers of a kind."""
    api, shape, _ = kind
    type, path = APIS[api]
    backend = {"type": type, "base-url": f"http://127.0.0.1:{port}/{name_of(kind)}{path}", "model": "model-1",
               "max-in-flight": IN_FLIGHT, **({"context-length": 8192} if type == "ollama" else {})}
    if shape == "streamed":
        backend["stream"] = True
    def write(name, *values):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    write("sluice.yaml", {"backends": {"server": backend}})
    messages = [{"system": "You answer messages of customers in plain words."}, {"user": "{{question}}"}]
    write("prompts/ask/v1.yaml", {"messages": messages, "parameters": {"max-tokens": 1000}})
    write("prompts/ask/suite.yaml", {"suite": "ask", "prompt": "v1.yaml", "dataset": "ask", "backend": "server",
                                     "scorers": [{"contains": "signed forms"}], "gates": ["contains.pass-rate >= 95%"]})
    write("datasets/ask/cases.jsonl", *({"id": f"C{number}", "input": {"question": f"Question {number}?"}}
                                        for number in range(cases)))
    return folder


def check(folder):
    """Exits unless Sluice reads the text and the counts of each answer."""
    environment = {name: value for name, value in os.environ.items() if name != "CI"} | {"SLUICE_PROGRESS": "off"}
    done = subprocess.run([BUILD / "sluice", "run", "--live"], cwd=folder, env=environment, capture_output=True, text=True)
    logs = [json.loads(line) for path in folder.glob("reports/runs/*.jsonl")
            for line in path.read_text(encoding="utf-8").split("\n") if line]
    trials = [line for line in logs if line["kind"] == "trial"]
    if not trials or any(trial.get("text") != TEXT or not COUNTS.items() <= trial["usage"].items() for trial in trials):
        sys.exit(f"error: {folder.name}: Sluice does not read the answers as sent\n{done.stdout}{done.stderr}")


def requests(folder):
    """Returns the CPU seconds and wall-clock seconds of a suite's requests."""
    done = subprocess.run([BUILD / "LiveRequests", folder], check=True, capture_output=True, text=True)
    clock, cpu, _, lost = done.stdout.split()
    if lost != "0":
        sys.exit(f"error: {folder.name}: {lost} requests had no answer")
    return {"cpu": float(cpu), "clock": float(clock)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--deltas", type=int, default=50)
    parser.add_argument("--only", action="append", choices=list(APIS)[1:])
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / ".build" / "vendor-requests")
    options = parser.parse_args()
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1"
    bodies = answers(["chat", *(options.only or list(APIS)[1:])], options.deltas)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        replies = {name_of(kind): reply(kind, body) for kind, body in bodies.items()}
        server = multiprocessing.Process(target=serve, args=(listener, replies), daemon=True)
        server.start()
        port = listener.getsockname()[1]
        for kind in bodies:
            check(project(options.work / "checked" / name_of(kind), kind, port, 4))
        folders = {kind: project(options.work / name_of(kind), kind, port, options.requests) for kind in bodies}
        rounds = []
        for _ in range(options.rounds):
            kinds = list(folders)
            random.shuffle(kinds)  # So that no kind always follows the same other kind.
            rounds.append({kind: requests(folders[kind]) for kind in kinds})
        server.kill()
    return table(bodies, rounds, options.requests)


def table(bodies, rounds, count):
    """Prints the figures and returns the exit code."""
    def ratios(kind, figure):
        return [each[kind][figure] / each["chat", *kind[1:]][figure] for each in rounds]
    def shown(values):
        return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"
    missed = []
    print("| answers | backend | bytes | CPU an answer | ratio (min to max) | per byte | clock, ratio (min to max) |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kind in sorted(bodies, key=lambda kind: (SHAPES.index(kind[1]), SIZES.index(kind[2]), list(APIS).index(kind[0]))):
        size, usual = (sum(map(len, bodies[each, *kind[1:]])) for each in [kind[0], "chat"])
        cpu = statistics.median(each[kind]["cpu"] for each in rounds) / count
        by_figure = {figure: ratios(kind, figure) for figure in ["cpu", "clock"]}
        per_byte = statistics.median(by_figure["cpu"]) * usual / size
        print(f"| {kind[1]}, {kind[2]} | `{APIS[kind[0]][0]}` | {size:,} | {cpu * 1e6:.0f} us | {shown(by_figure['cpu'])} "
              f"| {per_byte:.2f} | {shown(by_figure['clock'])} |")
        missed += [f"{', '.join(kind)}: {statistics.median(values):.2f} times the {figure} of `openai`, at most {BAR}"
                   for figure, values in by_figure.items() if statistics.median(values) > BAR]
    for miss in missed:
        print(f"missed: {miss}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
