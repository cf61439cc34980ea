import ServiceHost

/// The page at `/`: decisions with what became of them, people and how they were joined, events as they come.
///
/// It reads the control API once and then follows `GET /api/events`. It shows text only, never markup that was received.
enum InspectorPage {
    static let response: ServiceResponse = {
        var response = ServiceResponse.json(Array(text.utf8))
        response.headers = [
            "content-type": "text/html;charset=UTF-8",
            "content-security-policy":
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "x-content-type-options": "nosniff", "cache-control": "no-store",
        ]
        return response
    }()

    private static let text = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>Decision service</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <style>
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
        </style>
        </head>
        <body>
        <header>
          <h1>Decision service</h1>
          <span>credits <b id="credits">0</b></span>
          <span>repeats dropped <b id="repeats">0</b></span>
          <span>not kept <b id="dropped">0</b></span>
          <span>clock <b id="clock"></b></span>
          <span id="state" role="status" class="quiet">connecting</span>
        </header>
        <main>
          <section><h2>Decisions</h2><table><caption id="decisions-count"></caption>
            <thead><tr><th>time</th><th>point</th><th>decision</th><th>why</th><th>person</th><th>items</th>
            <th class="number">opens</th><th class="number">impressions</th><th class="number">clicks</th>
            <th class="number">dismissals</th></tr></thead><tbody id="decisions"></tbody></table></section>
          <section><h2>People</h2><table><caption id="people-count"></caption>
            <thead><tr><th>id</th><th>data space</th><th>user id</th><th>email</th><th>devices</th><th>joined, and by what</th><th>viewed</th>
            </tr></thead><tbody id="people"></tbody></table></section>
          <section><h2>Events</h2><table><caption id="events-count"></caption>
            <thead><tr><th>captured</th><th>type</th><th>interaction</th><th>device</th><th>decision</th><th>id</th></tr>
            </thead><tbody id="events"></tbody></table></section>
          <section><h2>Diagnostics</h2><table><caption id="diagnostics-count"></caption>
            <thead><tr><th>time</th><th>code</th><th>description</th></tr></thead><tbody id="diagnostics"></tbody></table>
          </section>
        </main>
        <script>
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
        const person = value => value.dataspace + "\n" + value.id;
        const lists = {
          decision: new List("decisions", one => one["personalization-id"], one => [one.time, one.point, one.decision,
            one.source, one.individual, one.items.join(" "), one.opens, one.impressions, one.clicks, one.dismissals]),
          individual: new List("people", person, one => [one.id, one.dataspace, one["user-id"], one.email,
            one["device-ids"].join(" "), one.joins.map(join => `${join.individual} by ${join.by}`).join(", "),
            one.viewed.join(" ")]),
          event: new List("events", one => one.eventId.toLowerCase(), one => [one.dateTime, one.eventType,
            one.interactionName, one.deviceId, one.personalizationId, one.eventId]),
          diagnostic: new List("diagnostics", one => one["request-id"] + "\n" + one.point + "\n" + one.code,
            one => [one.time, one.code, one.description]),
        };
        const counts = {decisions: "decisions-count", individuals: "people-count", events: "events-count",
          diagnostics: "diagnostics-count"};
        const showState = all => {
          put("credits", all.credits);
          put("repeats", all.repeats);
          put("dropped", Object.values(all.dropped).reduce((sum, one) => sum + one, 0));
          put("clock", `${all.clock.now} (${all.clock.mode})`);
          for (const [name, id] of Object.entries(counts)) {
            put(id, all[name] > shown ? `the newest ${shown} of ${all[name]}` : all[name]);
          }
        };
        const load = async () => {
          const health = await get("/health");
          const spaces = health.dataspaces.map(name => get(
            `/api/individuals?limit=${shown}&dataspace=${encodeURIComponent(name)}`));
          const [all, decisions, events, diagnostics, ...people] = await Promise.all([
            get("/api/state"), get(`/api/decisions?limit=${shown}`), get(`/api/events?newest=${shown}`),
            get(`/api/diagnostics?limit=${shown}`), ...spaces]);
          for (const list of Object.values(lists)) list.clear();
          decisions.decisions.forEach(one => lists.decision.put(one));
          people.forEach(space => space.individuals.forEach(one => lists.individual.put(one)));
          events.events.forEach(one => lists.event.put(one));
          diagnostics.diagnostics.forEach(one => lists.diagnostic.put(one));
          showState(all);
        };
        const take = async (name, value) => {
          if (name === "state") showState(value);
          else if (name === "reset") await load();
          else if (name === "individual-joined") lists.individual.remove(person(value));
          else lists[name]?.put(value);
        };
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
        </script>
        </body>
        </html>
        """#
}
