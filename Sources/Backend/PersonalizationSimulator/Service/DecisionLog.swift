/// A decision that was given, with what became of it.
package struct DecisionRecord: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable {
        /// The first decision whose conditions held.
        case priority
        case experiment
        /// Named by the request.
        case named
    }

    package let requestID: String
    package let personalizationID: String
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
    private var log: BoundedLog<DecisionRecord>
    private var numbers: [String: Int] = [:]
    /// Landing decisions and opens of a device that wait for each other. An open counts for the device's next decision
    /// on a landing point, whichever of the two arrives first.
    private var waiting: [String: Waiting] = [:]
    private var waitingDevices: BoundedLog<String>

    private enum Waiting: Hashable {
        case opens(Int)
        case decision(String)
    }

    init(limit: Int, devices: Int) {
        log = BoundedLog(limit: limit)
        waitingDevices = BoundedLog(limit: devices)
    }

    package var records: ArraySlice<DecisionRecord> { log.entries }
    package var dropped: Int { log.dropped }

    package subscript(personalizationID: String) -> DecisionRecord? {
        numbers[personalizationID].flatMap { log[$0] }
    }

    mutating func append(_ record: DecisionRecord) {
        let (number, dropped) = log.append(record)
        numbers[record.personalizationID] = number
        if let dropped { numbers[dropped.personalizationID] = nil }
        guard record.isLanding else { return }
        if case .opens(let opens)? = waiting[record.askedFor] {
            count(.open, times: opens, of: record.personalizationID)
            waiting[record.askedFor] = nil
        } else {
            wait(record.askedFor, .decision(record.personalizationID))
        }
    }

    /// - Returns: False if the decision is not here.
    @discardableResult
    mutating func count(_ action: ServiceEvent.Action, times: Int = 1, of personalizationID: String) -> Bool {
        guard let number = numbers[personalizationID] else { return false }
        log.change(number) { $0.counts[action, default: 0] += times }
        return true
    }

    /// Counts the open of a push on a device that names no decision.
    mutating func open(on device: String) {
        switch waiting[device] {
        case .decision(let id):
            count(.open, of: id)
            waiting[device] = nil
        case .opens(let opens): waiting[device] = .opens(opens + 1)
        case nil: wait(device, .opens(1))
        }
    }

    private mutating func wait(_ device: String, _ what: Waiting) {
        if waiting.updateValue(what, forKey: device) == nil, let oldest = waitingDevices.append(device).dropped {
            waiting[oldest] = nil
        }
    }
}
