"""A mail server and a webhook on loopback that receive what a test's server sends."""

import asyncio
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Post:
    """Receives mail and webhooks; may be set to refuse."""

    def __init__(self) -> None:
        self.mails: list[str] = []
        self.hooks: list[dict[str, Any]] = []
        self.refuse = 0
        self.talks = threading.Event()  # says nothing until it is set
        self.talks.set()
        self.gone = 0  # requests for a person who is gone
        post = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.path == "/gone":
                    post.gone += 1
                    self.send_response(410)
                elif post.refuse:
                    post.refuse -= 1
                    self.send_response(500)
                else:
                    # What is encrypted begins with chance, now and then with a brace.
                    encrypted = "content-encoding" in self.headers
                    post.hooks.append({"raw": body} if encrypted else json.loads(body))
                    self.send_response(204)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self.web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.web.daemon_threads = True
        threading.Thread(target=self.web.serve_forever, args=(0.01,), daemon=True).start()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        serving = asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.smtp = asyncio.run_coroutine_threadsafe(serving, self.loop).result(600)

    @property
    def hook_url(self) -> str:
        return f"http://127.0.0.1:{self.web.server_port}/hook"

    @property
    def smtp_url(self) -> str:
        return f"smtp://127.0.0.1:{self.smtp.sockets[0].getsockname()[1]}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.to_thread(self.talks.wait, 600)
        writer.write(b"220 here\r\n")
        while line := (await reader.readline()).decode().strip():
            verb = line.split()[0].upper()
            if verb == "DATA":
                if self.refuse:
                    self.refuse -= 1
                    writer.write(b"451 later\r\n")
                    continue
                writer.write(b"354 go\r\n")
                text = (await reader.readuntil(b"\r\n.\r\n")).decode()
                self.mails.append(text)
            writer.write(b"221 bye\r\n" if verb == "QUIT" else b"250 ok\r\n")
        writer.close()

    def close(self) -> None:
        self.web.shutdown()
        self.web.server_close()
        self.loop.call_soon_threadsafe(self.smtp.close)
        time.sleep(0.05)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(600)
        self.loop.close()
