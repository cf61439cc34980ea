package import APNSModel
package import APNSProvider
import PushQueue

/// Which push of which job. A job that left and whose slot is used again has another generation.
package struct PushReference: Hashable, Sendable {
    var slot: Int32
    var generation: UInt32
    var line: Int32
    /// How often it was sent by this worker with an outcome after which it is sent again at once, such as an unknown one.
    var resends: Int32 = 0
    /// Whether its outcome decides if the pause of its tenant ends.
    var probesTenant = false
    /// Whether its outcome decides if the breaker of its host closes.
    var probesHost = false
    /// The number of the credentials that it was sent with. After a reload the outcome decides nothing about the new ones.
    var credentials: Int32 = 0
    /// A push that probes one circuit may have been sent before the other one opened. Then its outcome does not count for the
    /// other one.
    package var isProbe: Bool { probesTenant || probesHost }
}

/// A push for a sender.
package struct OutgoingPush: Sendable {
    package var reference: PushReference
    package let submission: Submission

    package var notification: APNSNotification { submission.bulkNotification }
}

/// A push that waits in the window.
struct WaitingPush: Sendable {
    var reference: PushReference
    let submission: Submission
    /// By the engine's clock, in milliseconds since 1970: when it is too late to send it.
    var expires: Int64
}

/// The states of the lines of a job, two bits for each, so that a job with one line needs no array.
struct LineStates: Sendable {
    enum State: UInt8, Sendable {
        case waiting, inFlight, done
    }

    let count: Int
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// - Parameter count: At most `JobReader.maximumLines`; all wait.
    init(count: Int) {
        precondition(count <= 128, "a job has \(count) lines")
        self.count = count
    }

    var indices: Range<Int> { 0..<count }

    subscript(line: Int) -> State {
        get {
            precondition(indices.contains(line))
            return State(rawValue: UInt8(truncatingIfNeeded: word(line >> 5) >> UInt64(line & 31 * 2) & 3))!
        }
        set {
            precondition(indices.contains(line))
            let shift = UInt64(line & 31 * 2)
            let changed = word(line >> 5) & ~(3 << shift) | UInt64(newValue.rawValue) << shift
            switch line >> 5 {
            case 0: words.0 = changed
            case 1: words.1 = changed
            case 2: words.2 = changed
            default: words.3 = changed
            }
        }
    }

    private func word(_ index: Int) -> UInt64 {
        switch index {
        case 0: words.0
        case 1: words.1
        case 2: words.2
        default: words.3
        }
    }
}

/// A job that this worker has reserved and not settled.
struct HeldJob: Sendable {
    /// For a slot without a job. An optional would be copied whole for each look at a part of it.
    static let free = HeldJob(
        Job(id: JobID(stream: "", entry: ""), content: JobContent(lane: .normal, body: []), enqueuedAt: 0),
        lineCount: 0, tenant: 0, lane: 0, leaseEnds: .zero, isHeld: false)

    /// False in a slot without a job.
    let isHeld: Bool

    /// Lines of a job with the same outcome.
    struct Group: Hashable, Sendable {
        /// Nil: they are enqueued again at once.
        var wait: Duration?
        var attempt: Int
        var reason: String
        var why: String
        var isEvent: Bool
        /// How often each of them failed while others got answers; `add` sets it.
        var failures = 0
    }

    /// What follows from its pushes.
    private struct Consequences: Sendable {
        var settlement: Settlement
        var groups: [(group: Group, lines: [Int])] = []
        var doubts: [Int: Int] = [:]
        var failures: [Int: PushFailures] = [:]
        /// Where its lines are in the body. Nil until one of them is needed again.
        var ranges: [Range<Int>]?
    }

    let job: Job
    /// Whether its body counts as one line, whatever it holds.
    private let isWhole: Bool
    /// Nil while all outcomes were accepted and no results are written, so mostly.
    private var consequences: Boxed<Consequences>?
    /// Nil for a job from a producer.
    private let givenContext: Boxed<JobContext>?
    /// When it was first enqueued, by the engine's clock.
    let first: Int64
    /// From when its age counts: the same, or when it was retried from the dead letter.
    let since: Int64
    let tenant: Int
    let lane: Int
    /// When the engine took it into its stream, by the engine's clock.
    let enqueuedAt: Int64
    var lines: LineStates
    /// How many lines have no outcome yet.
    var open: Int
    var inFlight = 0
    var leaseEnds: MonotonicTime
    /// Whether another worker has it now.
    var isLost = false

    /// - Parameter lineCount: Nil for a job whose body counts as one line.
    init(_ job: Job, lineCount: Int?, tenant: Int, lane: Int, leaseEnds: MonotonicTime, isHeld: Bool = true) {
        let context = JobContext(job.content.context)
        givenContext = job.content.context == nil ? nil : Boxed(context)
        (self.job, self.isHeld) = (job, isHeld)
        isWhole = lineCount == nil
        enqueuedAt = job.enqueuedAt
        let first = context.first ?? job.enqueuedAt
        self.first = first
        since = context.isDead ? job.enqueuedAt : context.since ?? first
        (self.tenant, self.lane, self.leaseEnds) = (tenant, lane, leaseEnds)
        lines = LineStates(count: lineCount ?? 1)
        open = lineCount ?? 1
    }

    /// Whether more follows from it than that it is settled.
    var hasConsequences: Bool { consequences != nil }

    var context: JobContext { givenContext?.value ?? JobContext() }

    private var changing: Consequences {
        get { consequences?.value ?? Consequences(settlement: Settlement(job.id)) }
        _modify {
            if consequences == nil { consequences = Boxed(Consequences(settlement: Settlement(job.id))) }
            yield &consequences!.value
        }
    }

    var settlement: Settlement {
        get { consequences?.value.settlement ?? Settlement(job.id) }
        _modify { yield &changing.settlement }
    }
    var groups: [(group: Group, lines: [Int])] {
        get { consequences?.value.groups ?? [] }
        _modify { yield &changing.groups }
    }
    /// Lines that wait to be sent again at once after outcomes that count as attempts, such as unknown ones, with the number of
    /// these of each.
    var doubts: [Int: Int] {
        get { consequences?.value.doubts ?? [:] }
        _modify { yield &changing.doubts }
    }
    /// Lines that were sent and not processed, because of the connection or the credentials.
    var failures: [Int: PushFailures] {
        get { consequences?.value.failures ?? [:] }
        _modify { yield &changing.failures }
    }

    /// How many attempts at a line count, while it waits.
    func attempts(_ line: Int) -> Int { job.content.attempt.addingSaturated(doubts[line] ?? 0) }

    /// How often a line failed by the connection or the credentials while others got answers.
    func failureCount(_ line: Int) -> Int { failures[line]?.count ?? context.failures }

    /// Puts a line together with others that have the same outcome.
    mutating func add(_ line: Int, to group: Group) {
        var group = group
        group.failures = failureCount(line)
        if let index = groups.firstIndex(where: { $0.group == group }) {
            groups[index].lines.append(line)
        } else {
            groups.append((group, [line]))
        }
    }

    private mutating func text(of line: Int) -> ArraySlice<UInt8> {
        if isWhole { return job.content.body[...] }
        let ranges = consequences?.value.ranges ?? JobReader.lineRanges(job.content.body)
        changing.ranges = ranges
        return job.content.body[ranges[line]]
    }

    /// The `apns-id` that the line is sent with, unless its envelope has one.
    func id(of line: Int, _ derived: DerivedID) -> String { context.id(of: line, or: derived) }

    /// The job with these lines only.
    private mutating func content(
        _ lines: [Int], attempt: Int, failures: Int = 0, _ event: JobContext.Event?
    ) -> JobContent {
        var content = job.content
        content.attempt = attempt
        content.body = Array(lines.map { text(of: $0) }.joined(separator: [UInt8(ascii: "\n")]))
        let derived = DerivedID(job.id)
        var context = context.adding(event)
        context.ids = lines.map { id(of: $0, derived) }
        note(&context)
        context.failures = failures
        content.context = context.text
        return content
    }

    /// Notes in the context of a job that comes back when it was enqueued.
    func note(_ context: inout JobContext) {
        context.first = first
        context.since = since == first ? nil : since
        context.isDead = false
    }

    /// A line of the job for the dead letter.
    mutating func deadContent(_ line: Int, attempt: Int, _ event: JobContext.Event) -> JobContent {
        var content = content([line], attempt: attempt, event)
        var context = JobContext(content.context)
        context.since = nil
        context.isDead = true
        content.context = context.text
        return content
    }

    /// The settlement with everything that its lines add to it.
    ///
    /// - Parameter now: By the engine's clock; nil where it is not known.
    mutating func wholeSettlement(at now: Int64?) -> Settlement {
        guard !groups.isEmpty else { return settlement }
        let now = now ?? job.enqueuedAt
        var settlement = settlement
        for (group, lines) in groups {
            let event = group.isEvent ? JobContext.Event(at: now, reason: group.reason) : nil
            let content = content(lines.sorted(), attempt: group.attempt, failures: group.failures, event)
            if let wait = group.wait {
                settlement.later.append(
                    LaterContent(content, due: .after(wait), reason: group.reason, why: group.why))
            } else {
                settlement.again.append(content)
            }
        }
        return settlement
    }
}
