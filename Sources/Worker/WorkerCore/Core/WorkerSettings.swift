import PushQueue

/// The settings with which a worker starts.
package struct WorkerSettings: Hashable, Sendable {
    package enum Unknown: String, Hashable, Sendable, CaseIterable { case resend, dead }

    package var lanes = LaneWeights.standard
    /// How many pushes it holds at most, apart from those that one reservation brings beyond what was expected.
    package var window = 5_000
    /// How many pushes of a tenant are with its sender at most.
    package var inFlight = 1_300
    /// How long a sender waits for the answer to a push, the wait for a stream included.
    package var timeout = Duration.seconds(30)
    package var lease = Duration.seconds(90)
    /// After this many attempts that count, a push is dead.
    package var attempts = 10
    package var unknown = Unknown.resend
    /// Pushes that were enqueued longer ago are not sent.
    package var maximumAge: Duration?
    /// Whether a push replaces one with the same collapse id that still waits in the window.
    package var collapses = true
    /// Pushes a second of all workers together.
    package var rate: Int?
    /// Whether each outcome is written to the results.
    package var writesResults = false
    /// Whether it ends when nothing is ready or pending: then jobs that cannot be sent now are scheduled for later
    /// instead of waiting in the window.
    package var isOnce = false
    package var ladder = RetryLadder()
    package var tenantPolicy = Circuit.Policy.tenant
    package var hostPolicy = Circuit.Policy.host
    /// A job that was delivered more often without being settled goes to the dead letter: it may be what stops workers.
    package var maximumDeliveries = 25
    package var seed: UInt64 = 1

    package init() {}

    /// Jobs in one reservation of a lane at most.
    package static let maximumJobs = 256
    /// At most so many where the last reservation of the lane did not bring at least half of the next one: the jobs that come may be
    /// longer than those before.
    static let carefulJobs = 128
    /// About so many bytes of bodies in one reservation of a lane, by what the last jobs had.
    static let expectedReservationBytes = 8 << 20
    /// What is expected of the first jobs of a lane.
    static let firstExpectedBytes = 64 << 10
}

/// Whose pushes a worker sends, and where to.
package struct TenantSettings: Hashable, Sendable {
    /// Nil for jobs without a tenant.
    package var name: String?
    /// What can be unreachable for it, such as `https://api.push.apple.com`.
    package var host: String
    /// What else decides whether its connections can be opened, such as the files of certificate and authorities. Tenants that
    /// differ in it have breakers of their own.
    package var connecting: String
    /// `sandbox` or `production`, for feedback.
    package var environment: String
    /// Pushes a second of all workers together.
    package var rate: Int?

    package init(name: String?, host: String, connecting: String = "", environment: String, rate: Int? = nil) {
        self.name = name
        self.host = host
        self.connecting = connecting
        self.environment = environment
        self.rate = rate
    }

    /// For messages and labels.
    package var label: String { name ?? TenantSettings.labelWithoutName }

    package static let labelWithoutName = "default"
}
