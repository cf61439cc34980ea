import ServiceHost

/// A decision that was given, with what became of it.
package struct DecisionRecord: Hashable, Sendable, Codable {
    package enum Source: String, Hashable, Sendable, CaseIterable, Codable {
        /// The first decision whose conditions held.
        case priority
        case experiment
        /// Named by the request.
        case named
    }

    package let requestID: String
    package let personalizationID: String
    package let dataSpace: String
    package let point: String
    /// The decision's name in the document.
    package let decision: String
    package let source: Source
    /// As the request named the person or the device.
    package let askedFor: String
    /// The person at that time; may have been joined to another one since.
    package let individual: String
    package let isLanding: Bool
    package let items: [String]
    /// Milliseconds since 1970.
    package let time: Int64
    package internal(set) var counts: [ServiceEvent.Action: Int] = [:]

    package func count(_ action: ServiceEvent.Action) -> Int { counts[action] ?? 0 }
}

/// The decisions that were given.
package struct DecisionLog: Sendable {
    private(set) var log: BoundedLog<DecisionRecord>
    private var numbers: [String: Int] = [:]
    /// Landing decisions and opens of a device that wait for each other. An open counts for the device's next decision
    /// on a landing point after its capture, whichever of the two arrives first.
    private(set) var waiting = TrackedTable<Waiting>()
    private var waitingDevices: BoundedLog<String>
    private let deviceLimit: Int
    /// The newest request with a landing point. Its first one takes an open or waits for one; the others do not.
    private var landingRequest: String?
    /// How many decisions were given since the start, by source.
    package private(set) var given: [DecisionRecord.Source: Int] = [:]

    struct Waiting: Hashable, Sendable, Codable {
        enum Subject: Hashable, Sendable, Codable {
            case opens(Int)
            case decision(String)
        }

        var subject: Subject
        /// The place in the order in which devices began to wait.
        let number: Int
    }

    init(limit: Int, devices: Int, dropped: Int = 0) {
        log = BoundedLog(limit: limit, dropped: dropped)
        waitingDevices = BoundedLog(limit: devices)
        deviceLimit = devices
    }

    package var records: ArraySlice<DecisionRecord> { log.entries }
    package var dropped: Int { log.dropped }
    package subscript(personalizationID: String) -> DecisionRecord? {
        numbers[personalizationID].flatMap { log[$0] }
    }

    subscript(number number: Int) -> DecisionRecord? { log[number] }

    mutating func append(_ record: DecisionRecord) {
        restore(record)
        given[record.source, default: 0] += 1
        guard record.isLanding, record.requestID != landingRequest else { return }
        landingRequest = record.requestID
        if case .opens(let opens)? = waiting[record.askedFor]?.subject {
            count(.open, times: opens, of: record.personalizationID)
            waiting[record.askedFor] = nil
        } else {
            wait(record.askedFor, .decision(record.personalizationID))
        }
    }

    /// Adds a decision and nothing else.
    mutating func restore(_ record: DecisionRecord) {
        let (number, dropped) = log.append(record)
        numbers[record.personalizationID] = number
        if let dropped { numbers[dropped.personalizationID] = nil }
    }

    /// - Returns: False if the decision is not here.
    @discardableResult
    mutating func count(_ action: ServiceEvent.Action, times: Int = 1, of personalizationID: String) -> Bool {
        guard let number = numbers[personalizationID] else { return false }
        log.change(number) { $0.counts[action, default: 0] += times }
        return true
    }

    /// Counts the open of a push on a device that names no decision.
    ///
    /// - Parameters:
    ///   - time: The capture time by the device's clock, in milliseconds since 1970.
    ///   - now: The time of its arrival by the service's clock.
    mutating func open(on device: String, at time: Int64, arrived now: Int64) {
        switch waiting[device]?.subject {
        case .decision(let id):
            guard let decided = self[id]?.time, DecisionLog.precedes(time, decided, arrived: now) else {
                return wait(device, .opens(1))
            }
            count(.open, of: id)
            waiting[device] = nil
        case .opens(let opens): waiting[device]?.subject = .opens(opens + 1)
        case nil: wait(device, .opens(1))
        }
    }

    /// How far the clock of a device may be ahead without an effect, in milliseconds.
    static let clockDifference: Int64 = 1_000

    /// Whether an open comes before a decision. Where the device's clock is so far ahead that the open was captured after
    /// its arrival, the times cannot be compared, and what arrived first waits for the other.
    private static func precedes(_ time: Int64, _ decided: Int64, arrived now: Int64) -> Bool {
        time > now || time <= decided + clockDifference
    }

    /// A device that waits keeps its place. Above the limit the one that has waited longest waits no more.
    private mutating func wait(_ device: String, _ subject: Waiting.Subject) {
        guard waiting[device] == nil else {
            waiting[device]?.subject = subject
            return
        }
        let (number, oldest) = waitingDevices.append(device)
        waiting[device] = Waiting(subject: subject, number: number)
        // The oldest place may be that of a device that waited before and waits again at a later one.
        if let oldest, let place = waiting[oldest]?.number, place < waitingDevices.dropped { waiting[oldest] = nil }
    }

    /// Puts back who waits, sorted by number; `dropSurplus` removes those who do not fit.
    mutating func restore(_ all: [(device: String, waiting: Waiting)]) {
        // The numbers go on after the stored ones.
        let next = (all.last?.waiting.number ?? -1) + 1
        waitingDevices = BoundedLog(limit: max(deviceLimit, all.count), dropped: next - all.count)
        for (device, old) in all {
            let (number, _) = waitingDevices.append(device)
            waiting[device] = Waiting(subject: old.subject, number: number)
        }
    }

    /// Removes those who have waited longest where a store has more than the limit.
    mutating func dropSurplus() {
        for device in waitingDevices.lower(to: deviceLimit) { waiting[device] = nil }
    }

    mutating func track(_ mode: ChangeTracking) {
        log.track(mode)
        waiting.track(mode)
    }

    mutating func takeChanges() -> (decisions: [Int], waiting: [String]) { (log.takeChanges(), waiting.takeChanges()) }
}
