"""A model's endpoint on loopback that speaks the protocol, and may hang, repeat itself or babble."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HANG = object()


class FakeEndpoint(ThreadingHTTPServer):
    """Answers with `replies` one after another, then with `answer(body)`.

    A reply is a text, the bytes of a whole body, a message object, the number of an error, or `HANG`.
    """

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.heard = []  # path, key, body
        self.replies = []
        self.answer = lambda body: ""
        self.usage = None
        self.released = threading.Event()
        self.lock = threading.Lock()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"

    def next_reply(self, path, key, body):
        with self.lock:
            self.heard.append((path, key, body))
            if self.replies:
                return self.replies.pop(0)
        return self.answer(body)


class Handler(BaseHTTPRequestHandler):
    server: FakeEndpoint

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = self.server.next_reply(self.path, self.headers.get("Authorization"), body)
        if said is HANG:
            self.server.released.wait()
            return
        if isinstance(said, int):
            self.send_error(said)
            return
        if not isinstance(said, bytes):
            message = said if isinstance(said, dict) else {"role": "assistant", "content": said}
            whole = {"choices": [{"index": 0, "message": message}], "usage": self.server.usage}
            said = json.dumps(whole).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *args):
        pass


@contextmanager
def running_endpoint() -> Iterator[FakeEndpoint]:
    with FakeEndpoint() as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield made
        finally:
            made.released.set()
            made.shutdown()
            thread.join()


def turn(*orders, why="because", diary=""):
    """A turn as a model writes it, with some text around it."""
    whole = {"why": why, "orders": list(orders), "diary": diary}
    return f"I think.\n```json\n{json.dumps(whole)}\n```"


def last_user_text(body):
    return body["messages"][-1]["content"]
