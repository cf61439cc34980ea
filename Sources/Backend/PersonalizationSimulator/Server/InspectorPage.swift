import ServiceHost

/// The page at `/`: decisions with what became of them, people and how they were joined, events as they come.
enum InspectorPage {
    static let response = ServicePage.response(title: "Decision service", header: header, main: main, script: script)

    private static let header = #"""
          <span>credits <b id="credits">0</b></span>
          <span>repeats dropped <b id="repeats">0</b></span>
          <span>not kept <b id="dropped">0</b></span>
        """#

    private static let main = #"""
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
        """#

    private static let script = #"""
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
        """#
}
