import ServiceHost

/// The page at `/`: profiles with their audiences and why, experiences with the share that each variant really got, events
/// as they come.
enum OptimizationPage {
    static let response = ServicePage.response(title: "Optimization", header: header, main: main, script: script)

    private static let header = #"""
        <span>profiles <b id="profiles-kept">0</b></span>
        <span>repeats dropped <b id="repeats">0</b></span>
        <span>not kept <b id="dropped">0</b></span>
        """#

    private static let main = #"""
        <section><h2>Experiences</h2><table><caption id="experiences-count"></caption>
          <thead><tr><th>experience</th><th>name</th><th>audience</th><th class="number">traffic</th>
          <th class="number">profiles</th><th>configured shares</th><th>shares that profiles got</th><th>views</th>
          <th>clicks</th></tr></thead><tbody id="experiences"></tbody></table></section>
        <section><h2>Profiles</h2><table><caption id="profiles-count"></caption>
          <thead><tr><th>id</th><th>user id</th><th>merged</th><th>audiences</th><th>why</th><th>variants</th>
          <th>sessions</th><th>events</th></tr></thead><tbody id="profiles"></tbody></table></section>
        <section><h2>Events</h2><table><caption id="events-count"></caption>
          <thead><tr><th>received</th><th>queue</th><th>type</th><th>name</th><th>profile</th><th>experience</th>
          <th class="number">variant</th></tr></thead><tbody id="events"></tbody></table></section>
        """#

    private static let script = #"""
        const percent = share => share === null ? "none" : `${Math.round(share * 1000) / 10}%`;
        const why = reason => `${reason.audience}: ` + (reason.conditions.length === 0 ? "everybody"
          : reason.conditions.map(one =>
            `${one.condition} ${one.holds ? "holds" : "fails"} (${one.value === null ? "nothing" : one.value})`).join(", "));
        const perVariant = (one, show) => one.variants.map(variant => `${variant.index}: ${show(variant)}`).join("  ");
        let eventNumber = 0;
        const lists = {
          experience: new List("experiences", one => one.experience, one => [one.experience, one.name,
            one.audience === null && one["audience-known"] ? "everybody"
              : `${one.audience ?? "unresolved"}${one["audience-known"] ? "" : " (no rule)"}`,
            one.traffic, one.profiles, perVariant(one, variant => percent(variant.share)),
            perVariant(one, variant => percent(variant["actual-share"])), perVariant(one, variant => variant.views),
            perVariant(one, variant => variant.clicks)]),
          profile: new List("profiles", one => one.id, one => [one.id, one["user-id"], one.merged.join(" "),
            one.audiences.join(" "), one.reasons.map(why).join("; "),
            one.experiences.filter(choice => choice.in).map(choice =>
              `${choice.experience}: ${choice["variant-index"]}${choice.sticky ? " sticky" : ""}`).join("  "),
            one.session.count, Object.entries(one.events).map(([name, count]) => `${name} ${count}`).join(", ")]),
          event: new List("events", () => eventNumber++, one => [one.received, one.queue, one.event.type,
            one.event.event ?? one.event.name ?? one.event.componentId, one.profile, one.event.experienceId,
            one.event.variantIndex]),
        };
        const showState = all => {
          put("profiles-kept", all.profiles);
          put("repeats", all.repeats);
          put("dropped", Object.values(all.dropped).reduce((sum, one) => sum + one, 0));
          put("clock", `${all.clock.now} (${all.clock.mode})`);
          for (const name of ["profiles", "events"]) {
            put(`${name}-count`, all[name] > shown ? `${shown} of ${all[name]}` : all[name]);
          }
        };
        const load = async () => {
          const [all, experiences, profiles, events] = await Promise.all([
            get("/api/state"), get("/api/experiences"), get(`/api/profiles?limit=${shown}`),
            get(`/api/events?newest=${shown}&form=long`)]);
          for (const list of Object.values(lists)) list.clear();
          [...experiences.experiences].reverse().forEach(one => lists.experience.put(one));
          put("experiences-count", experiences.experiences.length);
          profiles.profiles.forEach(one => lists.profile.put(one));
          events.events.forEach(one => lists.event.put(one));
          showState(all);
        };
        const take = async (name, value) => {
          if (name === "state") showState(value);
          else if (name === "reset") await load();
          else if (name === "profile-gone") lists.profile.remove(value.id);
          else lists[name]?.put(value);
        };
        """#
}
