import EventDelivery
import PushDispatch

/// The session of the app: one id until the app has been in the background for too long, or a person logs out.
struct SessionState: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case foreground
        case background(since: DispatchMoment)
    }

    private(set) var id: String
    private(set) var phase: Phase
    private(set) var impressions: ImpressionSet

    /// A new process, which the system may have started in the background.
    init(id: String, maximumImpressions: Int, at now: DispatchMoment) {
        self.id = id
        phase = .background(since: now)
        impressions = ImpressionSet(maximum: maximumImpressions)
    }

    /// The session that an earlier process had.
    init(_ stored: StoredSession, maximumImpressions: Int, since start: DispatchMoment) {
        id = stored.id
        phase = .background(since: start)
        impressions = ImpressionSet(maximum: maximumImpressions, stored.impressions)
    }

    /// Starts a new session if this one is over. Call it before everything that belongs to a session.
    mutating func renew(at now: DispatchMoment, timeout: Int64, makeID: () -> String) {
        guard case .background(let since) = phase, now.milliseconds(since: since) >= max(1, timeout) else { return }
        restart(at: now, makeID())
    }

    /// A new session, whatever became of this one. The phase stays.
    mutating func restart(at now: DispatchMoment, _ id: String) {
        self.id = id
        impressions.removeAll()
        if case .background = phase { phase = .background(since: now) }
    }

    /// - Returns: Whether the app was in the background before.
    mutating func becameActive() -> Bool {
        guard case .background = phase else { return false }
        phase = .foreground
        return true
    }

    /// - Returns: Whether the app was in the foreground before.
    mutating func enteredBackground(at now: DispatchMoment) -> Bool {
        guard phase == .foreground else { return false }
        phase = .background(since: now)
        return true
    }

    mutating func mark(_ contentID: String) { impressions.insert(contentID) }
}

/// The contents that were seen in a session. They are stored with the state, so their number and their bytes are bounded.
struct ImpressionSet: Hashable, Sendable {
    /// Of all ids, in UTF-8 bytes.
    static let maximumBytes = 512 << 10

    private let maximum: Int
    private(set) var contents: Set<String> = []
    private var bytes = 0

    init(maximum: Int, _ contents: [String] = []) {
        self.maximum = max(1, maximum)
        for content in contents where check(content) == .isNew { insert(content) }
    }

    enum Check: Hashable, Sendable { case isNew, isKnown, isFull }

    func check(_ contentID: String) -> Check {
        if contents.contains(contentID) { return .isKnown }
        let fits = contents.count < maximum && bytes + contentID.utf8.count <= ImpressionSet.maximumBytes
        return fits ? .isNew : .isFull
    }

    mutating func insert(_ contentID: String) {
        if contents.insert(contentID).inserted { bytes += contentID.utf8.count }
    }

    mutating func removeAll() {
        contents.removeAll()
        bytes = 0
    }
}

/// A session in the background, for the next process.
struct StoredSession: Hashable, Sendable, Codable {
    var id: String
    /// The device's time when the app entered the background.
    var backgroundMilliseconds: Int64
    var impressions: [String]

    /// Whether a process that starts now continues it. A clock that went back does not.
    func isAlive(at now: EventTime, timeout: Int64) -> Bool {
        (0..<max(1, timeout)).contains(now.milliseconds - backgroundMilliseconds)
    }
}
