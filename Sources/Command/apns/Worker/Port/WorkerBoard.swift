import PayloadJSON
import PushQueue
import ServiceHost
import WorkerCore
import WorkerRuntime

/// The board: lanes, tenants and workers of the queue, and what this worker has done.
enum WorkerBoard {
    static let response = ServicePage.response(
        title: "Push worker",
        header: """
            <span>worker <b id="name"></b></span>
            <span>sent <b id="accepted"></b></span>
            <span>a second <b id="rate"></b></span>
            <span>oldest <b id="oldest"></b></span>
            <span>state <b id="obstacle"></b></span>
            """,
        main: main, script: script)

    static let main = """
        <section><h2>Lanes</h2><table><thead><tr><th>lane</th><th class="number">backlog</th>
        <th class="number">pending</th><th>oldest</th></tr></thead><tbody id="lanes"></tbody></table></section>
        <section><h2>Tenants</h2><table><thead><tr><th>tenant</th><th>state</th></tr></thead>
        <tbody id="tenants"></tbody></table></section>
        <section><h2>Gateways</h2><table><thead><tr><th>gateway</th><th>state</th></tr></thead>
        <tbody id="gateways"></tbody></table></section>
        <section><h2>Warnings of the queue</h2><table><tbody id="warnings"></tbody></table></section>
        <section><h2>Workers</h2><table><thead><tr><th>name</th><th class="number">pending</th><th>idle</th></tr>
        </thead><tbody id="workers"></tbody></table></section>
        <section><h2>Outcomes of this worker</h2><table><thead><tr><th>lane</th><th>outcome</th><th>reason</th>
        <th class="number">pushes</th></tr></thead><tbody id="outcomes"></tbody></table></section>
        <section><h2>Kept</h2><table><thead><tr><th>place</th><th class="number">jobs</th></tr></thead>
        <tbody id="kept"></tbody></table></section>
        """

    static let script = #"""
        const seconds = value => value === null ? "" : value < 120 ? value.toFixed(1) + " s"
          : (value / 60).toFixed(1) + " min";
        const rows = (id, values) => {
          const body = element(id);
          body.replaceChildren();
          for (const cells of values) {
            const row = document.createElement("tr");
            for (const cell of cells) {
              const data = document.createElement("td");
              data.textContent = cell === null ? "" : String(cell);
              if (typeof cell === "number") data.className = "number";
              row.append(data);
            }
            body.append(row);
          }
        };
        let before = null;
        const show = status => {
          const now = performance.now();
          put("name", status.name);
          put("accepted", status.accepted);
          put("obstacle", status.obstacle || "ready");
          if (before && now > before.now) {
            put("rate", Math.round((status.accepted - before.accepted) * 1000 / (now - before.now)));
          }
          before = {now, accepted: status.accepted};
          put("oldest", status.queue ? seconds(status.queue["oldest-seconds"]) : "the queue does not answer");
          put("clock", new Date().toISOString().slice(11, 19));
          rows("tenants", status.tenants.map(one => [one.tenant, one.paused ? "paused" : "sending"]));
          rows("gateways", status.gateways.map(one => [one.gateway, one.open ? "cannot be reached" : "reachable"]));
          rows("outcomes", status.outcomes.map(one => [one.lane, one.outcome, one.reason, one.count]));
          const queue = status.queue;
          if (!queue) return;
          rows("warnings", queue.warnings.map(one => [one]));
          rows("lanes", queue.lanes.map(one => [one.lane, one.backlog, one.pending, seconds(one["oldest-seconds"])]));
          rows("workers", queue.workers.map(one => [one.name, one.pending, seconds(one["idle-seconds"])]));
          rows("kept", [["later", queue.later], ["dead", queue.dead], ["feedback", queue.feedback]]);
        };
        const load = async () => show(await get("/api/status"));
        const take = (name, value) => { if (name === "status") show(value); };
        """#

    /// - Parameter status: Nil where the queue gives no answer.
    static func json(_ name: String, _ view: WorkerView, _ status: QueueStatus?) -> String {
        let object = JSONText.object { object in
            object.add("name", name)
            object.add("ready", view.isReady)
            object.addOrNull("obstacle", view.obstacle)
            object.add("accepted", view.counts.total(of: "accepted"))
            object.add("window", view.waiting)
            object.add("in-flight", view.inFlight)
            object.add(
                "tenants",
                .array(
                    view.pauses.map { pause in
                        JSONText.object { text in
                            text.add("tenant", pause.tenant)
                            text.add("paused", pause.isPaused)
                        }
                    }))
            object.add(
                "gateways",
                .array(
                    view.breakers.map { breaker in
                        JSONText.object { text in
                            text.add("gateway", breaker.host)
                            text.add("open", breaker.isOpen)
                        }
                    }))
            object.add(
                "outcomes",
                .array(
                    view.counts.sorted.map { label, count in
                        JSONText.object { text in
                            text.add("lane", label.lane.text)
                            text.add("outcome", label.outcome)
                            text.add("reason", label.reason)
                            text.add("count", count)
                        }
                    }))
            if let status {
                object.add("queue", json: Array(StatusText.json(status).utf8))
            } else {
                object.add("queue", json: Array("null".utf8))
            }
        }
        return String(decoding: object.bytes, as: UTF8.self)
    }
}
