"""Neovim without a screen, with the lines for it on docs/schema/README.md: what somebody gets who writes a payload in it."""

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from language_server import SECONDS, Failure

# What the lines of the page stand on. Neovim 0.7 has no vim.lsp.start; the rest tells when the server has checked a buffer,
# and which text is shown in a window above others.
BEFORE = """
if not vim.lsp.start then
  local client
  vim.lsp.start = function(config)
    config.on_init = function(server)
      server.notify("workspace/didChangeConfiguration", { settings = config.settings })
    end
    client = client or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, client)
  end
end

vim.api.nvim_create_autocmd("DiagnosticChanged", {
  callback = function(change) vim.api.nvim_buf_set_var(change.buf, "is_checked", true) end,
})

function Shown()
  local lines = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      local buffer = vim.api.nvim_win_get_buf(window)
      vim.list_extend(lines, vim.api.nvim_buf_get_lines(buffer, 0, -1, false))
    end
  end
  return table.concat(lines, " ")
end

function Problems()
  return vim.tbl_map(function(problem)
    return { problem.message, problem.col, problem.end_col }
  end, vim.diagnostic.get(0))
end
"""


def version():
    """The version of the nvim in PATH, such as (0, 7, 2); None if there is none that can be driven from outside."""
    if not shutil.which("nvim"):
        return None
    done = subprocess.run(["nvim", "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    found = re.match(r"NVIM v(\d+)\.(\d+)\.(\d+)", done.stdout)
    numbers = tuple(map(int, found.groups())) if found else (0,)
    return numbers if numbers >= (0, 7) else None


class Neovim:
    """One editor, in a folder with payloads. It has the methods of LanguageServer that a check calls."""

    def __init__(self, folder, schemas, servers, lines):
        """Starts it with the folder of the schemas, that of language servers, and its configuration."""
        self.folder, self.count, self.socket = folder, 0, folder / "socket"
        for name in ("home", "docs", "payloads"):
            (folder / name).mkdir()
        (folder / "docs/schema").symlink_to(schemas)
        (folder / "init.lua").write_text(BEFORE + lines)
        places = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"]
        self.environment = {
            **dict.fromkeys(places, str(folder / "home")), "PATH": f"{servers}:{os.environ['PATH']}", "LANG": "C.UTF-8",
        }  # fmt: skip
        self.log = open(folder / "log", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            ["nvim", "--headless", "-n", "-u", "init.lua", "--listen", self.socket], cwd=folder, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)  # fmt: skip

    def wait(self, fault, condition):
        """Waits until a condition holds, and returns its value."""
        end = time.monotonic() + SECONDS
        while not (value := condition()):
            if time.monotonic() > end or self.process.poll() is not None:
                raise Failure(f"Neovim: {fault}: {Path(self.log.name).read_text()[-2000:]}")
            time.sleep(0.02)
        return value

    def call(self, option, text):
        try:
            done = subprocess.run(
                ["nvim", "--server", self.socket, option, text], cwd=self.folder, env=self.environment, timeout=SECONDS,
                stdin=subprocess.DEVNULL, capture_output=True, text=True)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Failure(f"Neovim does not answer within {SECONDS} s") from None
        if done.returncode != 0:
            raise Failure(f"Neovim: {text}: {done.stderr}")

    def type(self, keys):
        self.call("--remote-send", keys)

    def value(self, expression):
        # By way of a file: 0.7 prints the value on stderr, and shortens it.
        self.call("--remote-expr", f"writefile([json_encode({expression})], 'value')")
        return json.loads((self.folder / "value").read_text())

    def open(self, text, ending="json"):
        """Opens a new file of the folder payloads, and waits until the server has checked it."""
        self.wait("it does not start", self.socket.exists)
        self.count += 1
        name = f"payloads/{self.count}.{ending}"
        (self.folder / name).write_text(text + "\n")
        self.type(f"<C-\\><C-n>:edit {name}<CR>")
        self.wait(
            f"the server does not check {text}",
            lambda: self.value(f"[expand('%'), get(b:, 'is_checked', v:false)] == ['{name}', v:true]"))  # fmt: skip

    def at(self, marked, keys):
        """Opens a text of one line, goes to the character after |, and types."""
        place = marked.index("|")
        self.open(marked.replace("|", "", 1))
        self.type(f":call cursor(1, {place + 1})<CR>{keys}")

    def hover(self, marked):
        self.at(marked, ":lua vim.lsp.buf.hover()<CR>")
        shown = self.wait(f"nothing is shown about {marked}", lambda: self.value("luaeval('Shown()')"))
        self.type(":only<CR>")
        return " ".join(shown.replace("\\", "").split())

    def completions(self, marked):
        """The labels, each with its documentation."""
        self.at(marked, "i<C-x><C-o>")
        items = self.wait(f"nothing is offered in {marked}", lambda: self.value("complete_info(['items']).items"))
        return {item["abbr"] or item["word"]: item["info"] for item in items}

    def problems(self, text, ending="json"):
        """The messages about a text, each with the text it marks."""
        self.open(text, ending)
        return [(message, text[start:end]) for message, start, end in self.value("luaeval('Problems()')")]

    def close(self):
        try:
            self.type("<C-\\><C-n>:qall!<CR>")  # ends the language server too
            self.process.wait(SECONDS)
        except (Failure, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.log.close()
