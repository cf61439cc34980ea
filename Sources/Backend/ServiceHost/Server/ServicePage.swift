/// The inspector page of a simulated service. It reads the control API once and then follows `GET /api/events`. It shows
/// text only, never markup that was received.
package enum ServicePage {
    /// - Parameters:
    ///   - title: Plain text.
    ///   - header: Markup of the counts beside the title.
    ///   - main: Markup of the sections.
    ///   - script: Defines `load`, which reads everything, and `take(name, value)`, which takes one event. It may use
    ///     `shown`, `element`, `put`, `get` and `List`.
    package static func response(title: String, header: String, main: String, script: String) -> ServiceResponse {
        let text = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>\(title)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <style>
            \(style)
            </style>
            </head>
            <body>
            <header>
            <h1>\(title)</h1>
            \(header)
            <span>clock <b id="clock"></b></span>
            <span id="state" role="status" class="quiet">connecting</span>
            </header>
            <main>
            \(main)
            </main>
            <script>
            \(begin)
            \(script)
            \(follow)
            </script>
            </body>
            </html>

            """
        return ServiceResponse(
            status: 200,
            headers: [
                "content-type": "text/html;charset=UTF-8",
                "content-security-policy":
                    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                "x-content-type-options": "nosniff", "cache-control": "no-store",
            ], body: Array(text.utf8))
    }

    private static let style = #"""
        :root {
          color-scheme: light dark;
          --ground: #f4f5f7; --surface: #ffffff; --line: #dcdfe4; --text: #1b1f24; --quiet: #59636e;
          --accent: #1f5fbf; --good: #17703a; --bad: #b3261e;
          --mono: "JetBrains Mono", ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
          --sans: "Inter", system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #101317; --surface: #171b20; --line: #2b323a; --text: #e4e8ed; --quiet: #9ba6b2;
            --accent: #7db2ff; --good: #5fd08a; --bad: #ff8f86;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--text); font: 13px/20px var(--sans); }
        header { display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: baseline; padding: 12px 24px;
                 background: var(--surface); border-bottom: 1px solid var(--line); }
        h1 { margin: 0; font-size: 15px; }
        main { padding: 8px 24px 32px; display: grid; gap: 8px; }
        section { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 8px 16px 12px;
                  overflow-x: auto; }
        h2 { margin: 4px 0 8px; font-size: 15px; }
        table { border-collapse: collapse; width: 100%; }
        caption { text-align: left; color: var(--quiet); padding-bottom: 4px; }
        th { text-align: left; font-weight: 600; color: var(--quiet); }
        th, td { padding: 4px 16px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
        td { font-family: var(--mono); font-size: 12px; overflow-wrap: anywhere; }
        td.number, th.number { text-align: right; }
        .quiet { color: var(--quiet); } .bad { color: var(--bad); } .good { color: var(--good); }
        """#

    private static let begin = #"""
        "use strict";
        const shown = 50;
        const token = new URLSearchParams(location.hash.slice(1)).get("token");
        const element = id => document.getElementById(id);
        const put = (id, text) => { element(id).textContent = text; };
        const request = async (path, options = {}) => {
          const headers = {...options.headers};
          if (token) headers.authorization = "Bearer " + token;
          const answer = await fetch(path, {...options, headers, cache: "no-store"});
          if (answer.ok) return answer;
          throw new Error((await answer.json()).detail || String(answer.status));
        };
        const get = async path => (await request(path)).json();

        /** A table of the newest values; a value with the key of another one takes its place. */
        class List {
          constructor(id, key, cells) {
            this.body = element(id);
            this.key = key;
            this.cells = cells;
            this.rows = new Map();
          }
          clear() {
            this.rows.clear();
            this.body.replaceChildren();
          }
          put(value) {
            const key = this.key(value);
            const row = document.createElement("tr");
            for (const cell of this.cells(value)) {
              const data = document.createElement("td");
              data.textContent = cell === null || cell === undefined ? "" : String(cell);
              if (typeof cell === "number") data.className = "number";
              row.append(data);
            }
            const old = this.rows.get(key);
            if (old) old.replaceWith(row); else this.body.prepend(row);
            this.rows.set(key, row);
            if (this.rows.size > shown) this.remove(this.rows.keys().next().value);
          }
          remove(key) {
            this.rows.get(key)?.remove();
            this.rows.delete(key);
          }
        }
        """#

    private static let follow = #"""
        const parsed = block => {
          const event = {name: "message", data: ""};
          for (const line of block.split("\n")) {
            if (line.startsWith("event: ")) event.name = line.slice(7);
            if (line.startsWith("data: ")) event.data += line.slice(6);
          }
          return event.data === "" ? null : event;
        };
        /** Follows the events until the connection breaks. What comes in while the page reads the state waits. */
        const follow = async () => {
          const answer = await request("/api/events", {headers: {accept: "text/event-stream"}});
          const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
          await load();
          element("state").textContent = "connected";
          element("state").className = "good";
          let rest = "";
          for (;;) {
            const {done, value} = await reader.read();
            if (done) throw new Error("the service closed the connection; connecting again");
            const blocks = (rest + value).split("\n\n");
            rest = blocks.pop();
            for (const event of blocks.map(parsed)) if (event) await take(event.name, JSON.parse(event.data));
          }
        };
        const run = async () => {
          for (let wait = 500;; wait = Math.min(wait * 2, 5000)) {
            try { await follow(); } catch (error) {
              if (element("state").className === "good") wait = 500;
              put("state", error.message);
              element("state").className = "bad";
            }
            await new Promise(resolve => setTimeout(resolve, wait));
          }
        };
        run();
        """#
}
