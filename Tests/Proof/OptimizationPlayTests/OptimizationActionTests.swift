import AppPlay
import Optimization
import OptimizationPlay
import Testing

/// How steps are read.
struct OptimizationActionTests {
    private func step(_ text: String) throws(PlayMistake) -> PlayStep<OptimizationAction>? {
        try PlayStep.read(Array(text.utf8))
    }

    private func mistake(_ text: String) -> String? {
        do throws(PlayMistake) {
            _ = try step(text)
            return nil
        } catch {
            return error.detail
        }
    }

    @Test func `every step of the contract is there, and no other`() {
        let contract = [
            "configure", "initialize", "destroy", "consent", "reset", "identify", "page", "screen", "track-view",
            "track-click", "flush", "online", "background", "foreground", "kill", "resolve", "visible", "tap",
            "live-updates", "entry-live-updates", "panel", "override-audience", "override-variant", "reset-audience",
            "reset-variant", "reset-overrides", "preview-state", "state", "queue", "merge-tag", "flag",
        ]
        #expect(Set(OptimizationAction.names) == Set(contract))
    }

    @Test(arguments: [
        (#"{"do":"consent"}"#, #"the step "consent" has no "value"; give it true or false"#),
        (#"{"do":"consent","value":"yes"}"#, #"the step "consent": "value" is "yes"; true or false is wanted"#),
        (#"{"do":"identify"}"#, #"the step "identify" has no "userId"; give it the id of a person"#),
        (#"{"do":"resolve"}"#, #"the step "resolve" has no "entry""#),
        (#"{"do":"resolve","entry":7}"#, #""entry" is 7; an entry with its links replaced, or the id"#),
        (#"{"do":"visible","entry":"hero","ratio":1.1}"#, #""ratio" is 1.1; a number from 0.0 to 1.0 is wanted"#),
        (#"{"do":"visible","entry":"hero","ratio":1,"viewTimeMS":1}"#, #"did you mean "viewTimeMs"?"#),
        (#"{"do":"entry-live-updates","entry":"hero"}"#, #""value" is null; true, false, or null"#),
        (#"{"do":"override-audience","id":"gold"}"#, #"has no "qualified"; give it true or false"#),
        (#"{"do":"override-variant","experienceId":"x","index":-1}"#, #""index" is -1; a whole number from 0"#),
        (#"{"do":"track-view"}"#, #"has no "componentId"; give it the id of the baseline"#),
        (#"{"do":"configure","generation":"second"}"#, #"one of "first", "later" is wanted"#),
        (#"{"do":"configure","defaults":{"profile":{}}}"#, #"defaults: "profile" is an object; an object with an id"#),
        (#"{"do":"configure","defaults":{"changes":{}}}"#, "is an object instead of an array of changes"),
        (#"{"do":"configure","defaults":{"consents":true}}"#, #"did you mean "consent"?"#),
        (#"{"do":"previewstate"}"#, #"did you mean "preview-state"?"#),
    ]) func `a step with a mistake says what is wanted`(_ text: String, _ message: String) {
        let found = mistake(text)
        #expect(found?.contains(message) == true, "\(found ?? "no mistake")")
    }

    @Test func `a setting of the app's own for an entry is null`() throws {
        let step = try step(#"{"do":"entry-live-updates","entry":"hero","value":null}"#)
        guard case .app(.entryLiveUpdates(.delivered("hero"), nil))? = step?.kind else {
            Issue.record("\(String(describing: step))")
            return
        }
    }

    @Test func `rules of an entry replace only what they name`() throws {
        let step = try step(#"{"do":"visible","entry":"hero","ratio":0.5,"viewDurationUpdateIntervalMs":null}"#)
        guard case .app(.visible(_, let ratio, let settings))? = step?.kind else {
            Issue.record("\(String(describing: step))")
            return
        }
        #expect(ratio == 0.5 && settings.threshold == nil && settings.updateIntervalMilliseconds == .some(nil))
    }
}
