/// The page at `/`: decisions with what became of them, people and how they were joined, events as they come.
///
/// It reads the control API each second and shows text only, never markup that was received.
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
            <thead><tr><th>id</th><th>user id</th><th>email</th><th>devices</th><th>joined, and by what</th><th>viewed</th>
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
        const get = async path => {
          const answer = await fetch(path, token ? {headers: {authorization: "Bearer " + token}} : {});
          const json = await answer.json();
          if (!answer.ok) throw new Error(json.detail || String(answer.status));
          return json;
        };
        const rows = (id, values, cells) => {
          document.getElementById(id).replaceChildren(...values.map(value => {
            const row = document.createElement("tr");
            for (const cell of cells(value)) {
              const data = document.createElement("td");
              data.textContent = cell === null || cell === undefined ? "" : String(cell);
              if (typeof cell === "number") data.className = "number";
              row.append(data);
            }
            return row;
          }));
        };
        const put = (id, text) => { document.getElementById(id).textContent = text; };
        const count = (id, part, total) => put(id, part < total ? `the newest ${part} of ${total}` : `${total}`);
        const refresh = async () => {
          const state = document.getElementById("state");
          try {
            const [all, decisions, people, events, diagnostics] = await Promise.all([
              get("/api/state"), get(`/api/decisions?limit=${shown}`), get(`/api/individuals?limit=${shown}`),
              get(`/api/events?newest=${shown}`), get(`/api/diagnostics?limit=${shown}`)]);
            put("credits", all.credits);
            put("repeats", all.repeats);
            put("dropped", Object.values(all.dropped).reduce((sum, one) => sum + one, 0));
            put("clock", `${all.clock.now} (${all.clock.mode})`);
            count("decisions-count", decisions.decisions.length, decisions.total);
            count("events-count", events.events.length, events.total);
            count("diagnostics-count", diagnostics.diagnostics.length, diagnostics.total);
            put("people-count", people.individuals.length < people.total
              ? `the first ${people.individuals.length} of ${people.total}` : people.total);
            rows("decisions", decisions.decisions.reverse(), one => [one.time, one.point, one.decision, one.source,
              one.individual, one.items.join(" "), one.opens, one.impressions, one.clicks, one.dismissals]);
            rows("people", people.individuals, one => [one.id, one["user-id"], one.email, one["device-ids"].join(" "),
              one.joins.map(join => `${join.individual} by ${join.by}`).join(", "), one.viewed.join(" ")]);
            rows("events", events.events.reverse(), one => [one.dateTime, one.eventType, one.interactionName, one.deviceId,
              one.personalizationId, one.eventId]);
            rows("diagnostics", diagnostics.diagnostics.reverse(), one => [one.time, one.code, one.description]);
            state.textContent = "connected";
            state.className = "good";
          } catch (error) {
            state.textContent = error.message;
            state.className = "bad";
          }
          setTimeout(refresh, 1000);
        };
        refresh();
        </script>
        </body>
        </html>
        """#
}
