import APNSModel
import APNSProvider
import WorkerCore

/// The sender of one worker in a `BacklogWorld`: all decisions are the provider's, and its connections are simulated.
struct BacklogSender {
    private struct Connection {
        /// When the attempt to connect ends; nil once it is open.
        var decidedAt: Int64?
        /// The pushes that wait for an answer, by slot.
        var streams: [Int: UInt64] = [:]
        var freeSlots: [Int] = []
        var slots = 0

        mutating func takeSlot() -> Int {
            if let slot = freeSlots.popLast() { return slot }
            defer { slots += 1 }
            return slots
        }

        mutating func end(_ slot: Int) {
            if streams.removeValue(forKey: slot) != nil { freeSlots.append(slot) }
        }
    }

    /// A request that the gateway has.
    private struct Request {
        let connection: Int
        let slot: Int
        let id: UInt64
        let push: Int
        let answered: Int64
    }

    private var driver: ProviderDriver
    private let timeout: Duration
    private var connections: [Int: Connection] = [:]
    /// `requests[firstRequest...]`, oldest first.
    private var requests: [Request] = []
    private var firstRequest = 0
    private var sent: [UInt64: (push: OutgoingPush, time: Int64)] = [:]
    private var lastID: UInt64 = 0
    private(set) var connects = 0

    init(timeout: Duration, seed: UInt64) {
        self.timeout = timeout
        driver = ProviderDriver(connections: 1, seed: seed)
    }

    private static func monotonic(_ time: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: time * 1_000_000) }

    mutating func submit(_ push: OutgoingPush, at time: Int64) {
        lastID += 1
        sent[lastID] = (push: push, time: time)
        let now = BacklogSender.monotonic(time)
        driver.submit(push.notification, id: lastID, at: now, until: now + timeout)
    }

    /// Does everything that is possible now.
    ///
    /// - Returns: The pushes that have their outcomes.
    mutating func turn(_ gateway: inout BacklogGateway, at time: Int64) -> [WorkerCore.Finished] {
        let now = BacklogSender.monotonic(time)
        for index in connections.keys.sorted() { update(index, gateway, at: time) }
        takeAnswers(&gateway, at: time)
        driver.expire(at: now) { _, _ in true }
        for index in connections.keys.sorted() where connections[index]?.decidedAt == nil {
            fill(index, &gateway, at: time)
        }
        while true {
            let actions = driver.takeActions(at: now)
            if actions.isEmpty { break }
            for action in actions { perform(action, at: time) }
        }
        return driver.takeSettled().compactMap { settled in
            guard let (push, start) = sent.removeValue(forKey: settled.id) else { return nil }
            return WorkerCore.Finished(
                push.reference,
                APNSSendResult(
                    index: 0, notification: push.notification, outcome: settled.outcome,
                    duration: .milliseconds(time - start)))
        }
    }

    /// A connection opens, fails to, or is lost.
    private mutating func update(_ index: Int, _ gateway: BacklogGateway, at time: Int64) {
        guard let connection = connections[index] else { return }
        if let decided = connection.decidedAt {
            guard decided <= time else { return }
            if gateway.fault == .unreachable { return lose(index, "the connection was refused", at: time) }
            connections[index]?.decidedAt = nil
            driver.opened(index, streamLimit: BacklogGateway.streamLimit, at: BacklogSender.monotonic(time))
        } else if gateway.fault == .unreachable {
            lose(index, "the connection was lost", at: time)
        }
    }

    private mutating func lose(_ index: Int, _ description: String, at time: Int64) {
        connections[index] = nil
        driver.lost(index, description: description, at: BacklogSender.monotonic(time)) { _ in true }
    }

    private mutating func takeAnswers(_ gateway: inout BacklogGateway, at time: Int64) {
        let now = BacklogSender.monotonic(time)
        while firstRequest < requests.count, requests[firstRequest].answered <= time {
            let request = requests[firstRequest]
            firstRequest += 1
            // Its connection may be lost, or its stream reset.
            guard connections[request.connection]?.streams[request.slot] == request.id else { continue }
            connections[request.connection]?.end(request.slot)
            let status = gateway.answer(request.push, at: time)
            driver.answered(
                request.connection, slot: request.slot, status: status, uniqueID: nil,
                body: status == 200 ? [] : Array(#"{"reason":"ServiceUnavailable"}"#.utf8), at: now)
            driver.closed(
                request.connection, slot: request.slot, isRefused: false, description: "NO_ERROR", at: now)
        }
        if firstRequest >= 1024 {
            requests.removeFirst(firstRequest)
            firstRequest = 0
        }
    }

    private mutating func fill(_ index: Int, _ gateway: inout BacklogGateway, at time: Int64) {
        guard var connection = connections[index] else { return }
        let written = driver.fill(index, at: BacklogSender.monotonic(time), tokenNumber: 1) { connection.takeSlot() }
        for request in written {
            connection.streams[request.slot] = request.id
            let push = BacklogGateway.number(of: request.notification.deviceToken)
            gateway.took(push)
            requests.append(
                Request(
                    connection: index, slot: request.slot, id: request.id, push: push,
                    answered: time + BacklogGateway.latency))
        }
        connections[index] = connection
    }

    private mutating func perform(_ action: ProviderDriver.Action, at time: Int64) {
        let now = BacklogSender.monotonic(time)
        switch action {
        case .open(let index):
            connects += 1
            connections[index] = Connection(decidedAt: time + BacklogGateway.connectTime)
        case .close(let index): lose(index, "closed", at: time)
        case .abort(let index): lose(index, "silent", at: time)
        case .ping(let index): driver.heard(index, at: now)
        case .reset(let index, let slot):
            connections[index]?.end(slot)
            driver.closed(index, slot: slot, isRefused: false, description: "CANCEL", at: now)
        }
    }
}
