package import PushDispatch
package import SelectiveSync

/// An org with its clock, its REST interface and its control API: all that a server has to hold, and no I/O.
package struct OrgWorld: Sendable {
    package private(set) var org: Org
    package private(set) var rest: OrgREST
    package private(set) var clock: OrgClock
    private let start: (org: Org, rest: OrgREST, clock: OrgClock)

    package init(_ org: Org, rest: OrgREST = OrgREST(), clock: OrgClock = OrgClock()) {
        self.org = org
        self.rest = rest
        self.clock = clock
        start = (org, rest, clock)
    }

    /// What a call comes to.
    package struct Outcome: Sendable {
        package internal(set) var answer: OrgREST.Answer
        /// What is to be sent to gateways.
        package internal(set) var notifications: [OrgNotification] = []
        /// The caller waits for entries of the log behind this number, so many milliseconds at most.
        package internal(set) var waits: (after: Int, milliseconds: Int64)?

        var pushes: [OutgoingPush] { answer.pushes }
    }

    package func now(real: ServerDate) -> ServerDate { clock.now(real: real) }

    /// Answers a call of the REST interface, or of the control API under `/simulator`.
    package mutating func answer(_ request: OrgRequest, real: ServerDate) -> Outcome {
        let now = now(real: real)
        var outcome: Outcome
        if request.path == OrgWorld.controlRoot || request.path.hasPrefix(OrgWorld.controlRoot + "/") {
            do throws(OrgProblem) {
                outcome = try control(request, real)
            } catch {
                outcome = Outcome(answer: OrgREST.Answer(error.response))
            }
        } else {
            outcome = Outcome(answer: rest.answer(request, &org, at: now))
        }
        outcome.notifications = org.send(outcome.answer.pushes, at: now)
        return outcome
    }

    static let controlRoot = "/simulator"

    /// Changes records as a user does in a browser.
    package mutating func update(
        _ changes: [Org.Change], by user: RecordID, real: ServerDate
    ) throws(OrgError) -> (pushes: [OutgoingPush], notifications: [OrgNotification]) {
        let now = now(real: real)
        let pushes = try org.update(changes, by: user, at: now)
        return (pushes, org.send(pushes, at: now))
    }

    /// The gateway's answer to a notification.
    package mutating func answered(
        _ notification: OrgNotification, status: Int?, detail: String?, timestamp: ServerDate? = nil, real: ServerDate
    ) {
        org.answered(notification, status: status, detail: detail, timestamp: timestamp, at: now(real: real))
    }

    /// What `instance_url` says from now on, also after a reset.
    package mutating func setInstanceURL(_ url: String) {
        org.settings.instanceURL = url
        var again = start
        again.org.settings.instanceURL = url
        self = OrgWorld(org, rest: rest, clock: clock, start: again)
    }

    private init(_ org: Org, rest: OrgREST, clock: OrgClock, start: (org: Org, rest: OrgREST, clock: OrgClock)) {
        self.org = org
        self.rest = rest
        self.clock = clock
        self.start = start
    }

    // MARK: For the control API

    mutating func reset() { (org, rest, clock) = start }

    mutating func moveClock(_ move: (inout OrgClock) -> Void) { move(&clock) }

    /// Hands out the org to be changed.
    mutating func with<Result, Failure: Error>(
        _ body: (inout Org) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(&org)
    }
}
