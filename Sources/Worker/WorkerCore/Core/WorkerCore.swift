package import APNSModel
import APNSProvider
package import PushQueue

/// What one worker decides: what to reserve, what to send next, what follows from an outcome, what to settle. A value without
/// clock, engine and sender; only the pushes in it are objects, each of which is sent once.
///
/// Two clocks come in: `now` is the worker's monotonic one, and the engine's arrives with each reservation. Ages and
/// expirations are computed with the engine's, leases and waits with the worker's.
package struct WorkerCore: Sendable {
    struct Tenant: Sendable {
        var settings: TenantSettings
        var host: Int
        var circuit: Circuit
        /// Whether a surge of suspect device tokens opened the circuit.
        var isSuspected = false
        /// What opened the circuit last.
        var cause = ""
        /// When the gateway last answered one of its pushes otherwise than by 5xx or by refusing the credentials.
        var lastAnswer: MonotonicTime?
        var suspects = SuspectMeter()
        var rate: RateSlice?
        var inFlight = 0
        /// Those of them that are of the first lane.
        var topInFlight = 0
        var answers = AnswerTime()
        var sender: SenderLimit
    }

    /// What tenants have in common that can be reached or not.
    struct Host: Sendable {
        var name: String
        var circuit: Circuit
        var tenants = 0
        /// The tenant whose push opened the breaker last.
        var failed: Int?
        /// What opened it last.
        var cause = ""
    }

    private struct HostKey: Hashable {
        var name: String
        var connecting: String
    }

    package let settings: WorkerSettings
    var tenants: [Tenant]
    var tenantIndex: [String?: Int] = [:]
    var hosts: [Host] = []
    var lanes: [LaneQueue]
    var credits: [Int]
    var rate: RateSlice?

    var slots: [HeldJob] = []
    var generations: [UInt32] = []
    var freeSlots: [Int] = []
    var held: [JobID: Int] = [:]
    /// The slots of finished jobs that wait to be settled.
    var ended: Fifo<Int> = Fifo()
    var settling: [Int] = []
    /// Lines of finished jobs that are not settled.
    var unsettledLines = 0
    /// The slots of those that the engine refused to settle, and has not settled since.
    var refused: Set<Int> = []
    /// How many of the next settlements are sent one by one if they write something, because the engine refused some of
    /// them together.
    var carefulSettlements = 0

    /// Pushes that wait, and those with a sender.
    package internal(set) var waiting = 0
    package internal(set) var inFlight = 0
    /// Those with a sender, by lane.
    var laneInFlight: [Int]
    /// Devices that get nothing before a time, after 429.
    var resting: [DeviceToken: MonotonicTime] = [:]
    /// When it is next worth looking for devices that rest no more, while `resting` is full.
    var nextRestingCheck = MonotonicTime(nanoseconds: .min)
    /// When it is next worth looking for a tenant that crowds others out, while the window is full.
    var nextCrowdCheck = MonotonicTime(nanoseconds: .min)
    /// The newest waiting push of each collapse id.
    var newest: [CollapseKey: PushReference] = [:]

    /// How many lines a job of a lane has, as far as is known.
    var expectedLines: [Int]
    /// How many bytes its body has, in the same way.
    var expectedBytes: [Int]
    /// How many jobs the last reservation of a lane brought.
    var reservedJobs: [Int]
    var isLaneEmpty: [Bool]
    /// The engine's clock minus the worker's, in milliseconds; nil before the first reservation.
    var engineOffset: Int64?
    /// When the engine was asked for the jobs that are admitted: their leases began no earlier.
    var leaseStart = MonotonicTime.zero
    /// The earliest end of a lease of a job that has something to send.
    var firstLeaseEnd = MonotonicTime(nanoseconds: .max)
    var nextExtension = MonotonicTime(nanoseconds: .max)
    /// How often credentials were read again.
    private(set) var credentials: Int32 = 0
    package private(set) var isDraining = false
    package internal(set) var counts: WorkerCounts
    var events: [WorkerEvent] = []
    var deadLetters = DeadLetterMeter()
    var random: SeededGenerator

    struct CollapseKey: Hashable, Sendable {
        var tenant: Int
        var deviceToken: DeviceToken
        var topic: Topic
        var id: CollapseID

        /// Nil for a push without a collapse id.
        init?(_ push: WaitingPush, of tenant: Int) {
            guard let id = push.submission.notification?.collapseID else { return nil }
            let notification = push.submission.bulkNotification
            self.tenant = tenant
            deviceToken = notification.deviceToken
            topic = notification.topic
            self.id = id
        }
    }

    static let maximumResting = 10_000
    /// How much later than the others of its host a tenant may try again whose push has opened the breaker.
    static let turn = Duration.seconds(1)
    /// What the settlements of one call have at most, in bytes, unless a single one has more.
    static let maximumSettledBytes = 8 << 20

    package init(_ settings: WorkerSettings, tenants: [TenantSettings]) {
        self.settings = settings
        lanes = settings.lanes.lanes.map { _ in LaneQueue() }
        credits = settings.lanes.lanes.map { _ in 0 }
        laneInFlight = settings.lanes.lanes.map { _ in 0 }
        expectedLines = settings.lanes.lanes.map { _ in JobReader.maximumLines }
        expectedBytes = settings.lanes.lanes.map { _ in WorkerSettings.firstExpectedBytes }
        reservedJobs = settings.lanes.lanes.map { _ in 0 }
        isLaneEmpty = settings.lanes.lanes.map { _ in false }
        counts = WorkerCounts(lanes: settings.lanes.names)
        random = SeededGenerator(seed: settings.seed)
        rate = settings.rate.map { RateSlice(bucket: "", perSecond: $0) }
        self.tenants = []
        var hostIndex: [HostKey: Int] = [:]
        for tenant in tenants {
            let key = HostKey(name: tenant.host, connecting: tenant.connecting)
            let host = hostIndex[key] ?? hosts.count
            hostIndex[key] = host
            if host == hosts.count { hosts.append(Host(name: tenant.host, circuit: Circuit(settings.hostPolicy))) }
            add(tenant, host)
        }
    }

    private mutating func add(_ settings: TenantSettings, _ host: Int) {
        hosts[host].tenants += 1
        tenantIndex[settings.name] = tenants.count
        tenants.append(
            Tenant(
                settings: settings, host: host, circuit: Circuit(self.settings.tenantPolicy),
                rate: settings.rate.map { RateSlice(bucket: "tenant:" + settings.label, perSecond: $0) },
                sender: SenderLimit(most: self.settings.inFlight, timeout: self.settings.timeout)))
    }

    // MARK: State for the shell

    package var heldJobs: Int { held.count }
    package var isIdle: Bool { held.isEmpty }

    package var heldIDs: Set<JobID> { Set(held.keys) }

    /// What happened since the last call.
    ///
    /// - Parameter isLast: Whether the worker ends, and nothing more is asked for.
    package mutating func takeEvents(at now: MonotonicTime, isLast: Bool = false) -> [WorkerEvent] {
        defer { events = [] }
        return events + deadLetters.take(at: now, isLast: isLast)
    }

    /// Each tenant, and whether nothing is sent for it now. With new credentials it is not paused, although one push
    /// alone tries them.
    package var pauses: [(tenant: String, isPaused: Bool)] {
        tenants.map { ($0.settings.label, $0.circuit.isPausing) }
    }

    /// The names of the tenants that are paused, or whose host cannot be reached.
    package var blockedTenants: Set<String?> {
        Set(tenants.indices.filter { isBlocked($0) }.map { tenants[$0].settings.name })
    }

    /// Each gateway, and whether a breaker of tenants that send to it is open.
    package var breakers: [(host: String, isOpen: Bool)] {
        var names: [String] = []
        var isOpen: [String: Bool] = [:]
        for host in hosts {
            if isOpen[host.name] == nil { names.append(host.name) }
            isOpen[host.name] = isOpen[host.name] == true || !host.circuit.isClosed
        }
        return names.map { ($0, isOpen[$0] == true) }
    }

    /// The limits that there are, with what they have allowed this worker. That of all tenants has no name.
    package var rates: [(tenant: String?, perSecond: Int, granted: Int)] {
        var rates: [(tenant: String?, perSecond: Int, granted: Int)] = []
        if let rate { rates.append((nil, rate.perSecond, rate.total)) }
        for tenant in tenants {
            if let rate = tenant.rate { rates.append((tenant.settings.label, rate.perSecond, rate.total)) }
        }
        return rates
    }

    package var areAllPaused: Bool { tenants.indices.allSatisfy { isBlocked($0) } }

    package func laneWaiting(_ lane: Int) -> Int { lanes[lane].count }

    /// The engine's clock in milliseconds since 1970; nil before the first reservation.
    package func engineTime(at now: MonotonicTime) -> Int64? {
        engineOffset.map { $0 + now.nanoseconds / 1_000_000 }
    }

    func isBlocked(_ tenant: Int) -> Bool {
        !tenants[tenant].circuit.isClosed || !hosts[tenants[tenant].host].circuit.isClosed
    }

    mutating func randomPart() -> Double { Double(random.next() >> 11) / Double(1 << 53) }

    // MARK: Ending and reloading

    /// Nothing more is reserved or sent. What is in flight gets its outcome; the rest goes back.
    ///
    /// - Returns: The jobs of which nothing was sent: `JobQueue.release` them.
    package mutating func drain(at now: MonotonicTime) -> [JobID] {
        isDraining = true
        newest = [:]
        for lane in lanes.indices {
            for (_, pushes) in lanes[lane].removeAll() { waiting -= pushes.count }
        }
        var released: [JobID] = []
        for slot in slots.indices {
            let job = slots[slot]
            guard job.isHeld, job.open > 0, job.inFlight == 0 else { continue }
            if job.open == job.lines.count, !job.isLost, job.settlement.isEmpty, job.doubts.isEmpty {
                released.append(job.job.id)
                forget(slot)
            } else {
                handBack(slot, at: now)
            }
        }
        return released
    }

    /// The credentials were read again: paused tenants try at once. Outcomes of what was sent before neither lengthen nor end a
    /// pause any more.
    package mutating func credentialsChanged(at now: MonotonicTime) {
        credentials &+= 1
        for host in hosts.indices {
            hosts[host].circuit.retryNow(at: now)
            hosts[host].failed = nil
        }
        for tenant in tenants.indices {
            tenants[tenant].circuit.retryNow(at: now)
            tenants[tenant].suspects.reset()
        }
    }
}

extension Settlement {
    /// About how many bytes the engine gets with it.
    var byteCount: Int {
        guard !isEmpty else { return 0 }
        let lines = (feedback + results).reduce(0) { $0 + $1.utf8.count }
        let contents = dead.map(\.content) + later.map(\.content) + again
        return contents.reduce(lines) { $0 + $1.body.count + ($1.context?.utf8.count ?? 0) }
    }
}
