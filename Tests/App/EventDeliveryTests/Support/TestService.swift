import EventDelivery
import Foundation
import TestSupport
import Testing

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

    init(_ answer: @escaping @Sendable (EventBatch) -> TransportAnswer = { _ in .status(204) }) { self.answer = answer }

    func send(_ batch: EventBatch) async -> TransportAnswer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: TransportAnswer? = lock.withLock {
                    batches.append(batch)
                    guard isHeld else { return take(batch) }
                    held.append((batch, continuation))
                    return nil
                }
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

    /// Waits until so many requests have come.
    func waitForRequests(_ count: Int) async { #expect(await eventually { received.count >= count }) }
}

/// The reports of a queue.
///
/// `@unchecked Sendable` because the lock protects everything.
final class ReportLog: @unchecked Sendable {
    private let lock = NSLock()
    private var reports: [QueueReport] = []

    func add(_ report: QueueReport) { lock.withLock { reports.append(report) } }

    var all: [QueueReport] { lock.withLock { reports } }

    var dropped: [DroppedEvent] {
        all.flatMap { report -> [DroppedEvent] in
            if case .dropped(let events) = report { events } else { [] }
        }
    }

    func wait(for condition: ([QueueReport]) -> Bool) async { #expect(await eventually { condition(all) }) }

    func waitForFailures(_ count: Int) async {
        await wait { $0.filter { if case .failed = $0 { true } else { false } }.count >= count }
    }
}
