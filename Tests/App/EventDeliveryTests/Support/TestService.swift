import EventDelivery
import Foundation

/// A service that answers as a test says, and drops repeats by id.
///
/// `@unchecked Sendable` because the lock protects everything.
final class TestService: EventTransport, @unchecked Sendable {
    private let lock = NSLock()
    private var answer: @Sendable (EventBatch) -> TransportAnswer
    private var isHeld = false
    private var held: [(batch: EventBatch, continuation: CheckedContinuation<TransportAnswer, Never>)] = []
    private var batches: [EventBatch] = []
    private var stored: [Int] = []
    private var cancellations = 0
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ answer: @escaping @Sendable (EventBatch) -> TransportAnswer = { _ in .status(204) }) { self.answer = answer }

    func send(_ batch: EventBatch) async -> TransportAnswer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (answer, woken): (TransportAnswer?, [CheckedContinuation<Void, Never>]) = lock.withLock {
                    batches.append(batch)
                    let woken = watchers.filter { $0.count <= batches.count }.map(\.continuation)
                    watchers.removeAll { $0.count <= batches.count }
                    guard !isHeld else {
                        held.append((batch, continuation))
                        return (nil, woken)
                    }
                    return (take(batch), woken)
                }
                for watcher in woken { watcher.resume() }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            lock.withLock { cancellations += 1 }
            release(with: .noAnswer)
        }
    }

    /// Only what was answered with 2xx is stored, and each id once.
    private func take(_ batch: EventBatch) -> TransportAnswer {
        let answer = answer(batch)
        if case .status(200...299, _) = answer { store(batch) }
        return answer
    }

    private func store(_ batch: EventBatch) {
        for event in batch.events where !stored.contains(event.number) { stored.append(event.number) }
    }

    func answers(_ answer: @escaping @Sendable (EventBatch) -> TransportAnswer) {
        lock.withLock { self.answer = answer }
    }

    /// From now on requests wait for `release`.
    func hold() { lock.withLock { isHeld = true } }

    /// - Parameter answer: Nil for the usual answer. The events are stored if `stores` says so, whatever the answer.
    func release(with answer: TransportAnswer? = nil, stores: Bool = false) {
        let answers = lock.withLock {
            isHeld = false
            defer { held = [] }
            return held.map { request in
                if stores { store(request.batch) }
                return (request.continuation, answer ?? take(request.batch))
            }
        }
        for (continuation, answer) in answers { continuation.resume(returning: answer) }
    }

    var received: [[Int]] { lock.withLock { batches.map { $0.events.map(\.number) } } }
    var requests: [EventBatch] { lock.withLock { batches } }
    /// The number of requests that were cancelled.
    var cancelled: Int { lock.withLock { cancellations } }
    var storedNumbers: [Int] { lock.withLock { stored } }

    /// Returns when so many requests have come.
    func waitForRequests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if batches.count >= count { return true }
                watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// The reports of a queue.
///
/// `@unchecked Sendable` because the lock protects everything.
final class ReportLog: @unchecked Sendable {
    private let lock = NSLock()
    private var reports: [QueueReport] = []
    private var watchers:
        [(condition: @Sendable ([QueueReport]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []

    func add(_ report: QueueReport) {
        let woken = lock.withLock {
            reports.append(report)
            let woken = watchers.filter { $0.condition(reports) }.map(\.continuation)
            watchers.removeAll { $0.condition(reports) }
            return woken
        }
        for watcher in woken { watcher.resume() }
    }

    var all: [QueueReport] { lock.withLock { reports } }

    var dropped: [DroppedEvent] {
        all.flatMap { report -> [DroppedEvent] in
            if case .dropped(let events) = report { events } else { [] }
        }
    }

    func wait(for condition: @escaping @Sendable ([QueueReport]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if condition(reports) { return true }
                watchers.append((condition, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func waitForFailures(_ count: Int) async {
        await wait { $0.filter { if case .failed = $0 { true } else { false } }.count >= count }
    }
}
