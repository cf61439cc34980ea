package import PushDispatch

/// An app that a script plays. Its methods are called on the thread of the loop, one after the other.
package protocol PlayedApp: Sendable {
    associatedtype Action: PlayAction

    func perform(_ action: Action) async -> PlayOutcome

    /// What the app has done by itself since the last call: keys for the result, and a text for people.
    ///
    /// - Parameter hasWaited: Whether the step let requests end. Otherwise an answer may or may not have come, so it is
    ///   reported later, and a script always has the same results.
    func news(hasWaited: Bool) -> [(key: String, value: JSONValue, text: String)]

    /// The device's time of day, as text.
    func time() -> String

    /// Ends the app's process, if one runs.
    func end()
}

/// Performs the steps of a script, one after the other.
package final class PlayRun<App: PlayedApp>: Sendable {
    private let app: App
    private let loop: PlayLoop

    package init(_ app: App, on loop: PlayLoop) {
        self.app = app
        self.loop = loop
    }

    /// - Parameter number: Of the step, from 1.
    /// - Returns: Nil if the play was interrupted before the step had ended.
    package func perform(_ step: PlayStep<App.Action>, number: Int) async -> PlayResult? {
        let result = Result()
        let ending: PlayLoop.Ending
        switch step.kind {
        case .app(let action): ending = await loop.run { [app] in result.outcome = await app.perform(action) }
        case .wait: ending = await loop.wait()
        case .advance(let duration): ending = await loop.advance(byMilliseconds: duration)
        }
        guard ending != .interrupted else { return nil }
        if ending == .stuck {
            result.outcome = PlayOutcome(
                PlayOutcome.Failure(
                    "waits", "it waits for virtual time and was given up; a step \"advance\" before it lets time pass"))
        }
        let isTimeStep = if case .app = step.kind { false } else { true }
        let told = await loop.run { [app] in
            if isTimeStep {
                let time = app.time()
                result.outcome = PlayOutcome("it is \(time)", [("now", .string(time))])
            }
            for news in app.news(hasWaited: isTimeStep) {
                result.outcome.members.append((news.key, news.value))
                result.outcome.text += (result.outcome.text.isEmpty ? "" : "; ") + news.text
            }
        }
        guard told == .done else { return nil }
        return PlayResult(step: number, name: step.name, outcome: result.outcome)
    }

    /// Stops the step that runs, and all later ones.
    package func interrupt() { loop.interrupt() }

    /// Ends the app and the loop.
    package func end() async { await loop.end { [app] in app.end() } }

    /// `@unchecked Sendable`: the loop's thread writes before `run` returns.
    private final class Result: @unchecked Sendable { var outcome = PlayOutcome() }
}
