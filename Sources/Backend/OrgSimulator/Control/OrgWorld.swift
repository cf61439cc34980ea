package import PushDispatch
package import SelectiveSync
package import ServiceHost

/// An org with its clock, REST interface and control API: everything that a server needs except I/O.
package struct OrgWorld: Sendable {
    package private(set) var org: Org
    package private(set) var rest: OrgREST
    package private(set) var clock: ServiceClock
    private let start: (org: Org, rest: OrgREST, clock: ServiceClock)

    package init(_ org: Org, rest: OrgREST = OrgREST(), clock: ServiceClock = ServiceClock()) {
        self.org = org
        self.rest = rest
        self.clock = clock
        start = (org, rest, clock)
    }

    /// The result of a call.
    package struct Outcome: Sendable {
        package internal(set) var answer: OrgREST.Answer
        /// Notifications to send to gateways.
        package internal(set) var notifications: [OrgNotification] = []
        /// Set if the caller waits for log entries after this number, for at most this time.
        package internal(set) var waits: (after: Int, milliseconds: Int64)?
        /// Set if the answer is better with what the gateway says of its questions.
        package internal(set) var explanation: OrgExplanation?

        var pushes: [OutgoingPush] { answer.pushes }
    }

    package func now(real: ServerDate) -> ServerDate {
        ServerDate(millisecondsSince1970: clock.now(real: real.millisecondsSince1970))
    }

    /// Answers a call of the REST interface, or of the control API under `/simulator`.
    package mutating func answer(_ request: ServiceRequest, real: ServerDate) -> Outcome {
        let now = now(real: real)
        var outcome: Outcome
        if OrgWorld.isControl(request.path) {
            do throws(ControlProblem) {
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

    /// Whether a path is one of the control API.
    static func isControl(_ path: String) -> Bool { path == controlRoot || path.hasPrefix(controlRoot + "/") }

    /// Changes records like a user in a browser.
    package mutating func update(
        _ changes: [Org.Change], by user: RecordID, real: ServerDate
    ) throws(OrgError) -> (pushes: [OutgoingPush], notifications: [OrgNotification]) {
        let now = now(real: real)
        let pushes = try org.update(changes, by: user, at: now, stamped: org.transactionStart(at: now))
        return (pushes, org.send(pushes, at: now))
    }

    /// Records the gateway's answer to a notification.
    package mutating func answered(
        _ notification: OrgNotification, _ answer: OrgAnswer, real: ServerDate
    ) {
        org.answered(notification, answer, at: now(real: real))
    }

    /// Sets the value of `instance_url`, which also stays after a reset.
    package mutating func setInstanceURL(_ url: String) {
        org.settings.instanceURL = url
        var again = start
        again.org.settings.instanceURL = url
        self = OrgWorld(org, rest: rest, clock: clock, start: again)
    }

    private init(_ org: Org, rest: OrgREST, clock: ServiceClock, start: (org: Org, rest: OrgREST, clock: ServiceClock))
    {
        self.org = org
        self.rest = rest
        self.clock = clock
        self.start = start
    }

    // MARK: For the control API

    mutating func reset() { (org, rest, clock) = start }

    mutating func moveClock(_ move: (inout ServiceClock) -> Void) { move(&clock) }

    /// Gives `body` access to change the org.
    mutating func with<Result, Failure: Error>(
        _ body: (inout Org) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(&org)
    }
}
