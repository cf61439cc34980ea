import APNSModel
import APNSProvider
import Dispatch
import Synchronization

/// Sends the broadcasts of a batch beside its notifications to devices, a few at a time.
final class BroadcastLane: Sendable {
    /// How many broadcasts wait for an answer at the same time. A reader that is faster waits.
    static let maximumInFlight = 64

    private let limit = DispatchSemaphore(value: BroadcastLane.maximumInFlight)
    private let open = DispatchGroup()
    private let openCount = Atomic(0)
    private let allCount = Atomic(0)
    private let journal: SendJournal?
    private let send: @Sendable (APNSBroadcast) async -> APNSOutcome
    private let report: @Sendable (BroadcastLine, _ number: Int) -> Void

    /// - Parameters:
    ///   - journal: Has each broadcast before it is sent.
    ///   - send: Sends one broadcast.
    ///   - report: Called with each result and the broadcast's number in the journal, to record and print it.
    init(
        journal: SendJournal?, send: @escaping @Sendable (APNSBroadcast) async -> APNSOutcome,
        report: @escaping @Sendable (BroadcastLine, _ number: Int) -> Void
    ) {
        self.journal = journal
        self.send = send
        self.report = report
    }

    /// Broadcasts that were taken and have no result yet.
    var underWay: Int { openCount.load(ordering: .acquiring) }

    /// Broadcasts that were taken.
    var takenCount: Int { allCount.load(ordering: .acquiring) }

    /// Whether `take` would not wait.
    var hasPlace: Bool { underWay < BroadcastLane.maximumInFlight }

    /// Starts to send a broadcast. Blocks while the maximum of others is in flight.
    ///
    /// - Returns: False where `stop` was raised meanwhile; then it is not sent.
    /// - Throws: When the journal cannot be written; then it is not sent.
    func take(_ broadcast: APNSBroadcast, _ tag: TagRing.Tag, until stop: StopSignal) throws(FileError) -> Bool {
        while limit.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
            if stop.isStopped { return false }
        }
        var broadcast = broadcast
        let id = broadcast.id ?? NotificationID()
        broadcast.id = id
        do throws(FileError) {
            try journal?.begin([(tag.number, id)])
        } catch {
            limit.signal()
            throw error
        }
        open.enter()
        openCount.add(1, ordering: .acquiringAndReleasing)
        allCount.add(1, ordering: .acquiringAndReleasing)
        Task { [self, broadcast] in
            let start = ContinuousClock.now
            let outcome = await send(broadcast)
            report(
                BroadcastLine(
                    channelID: broadcast.channelID, requestID: id.text, outcome: outcome, duration: .now - start,
                    line: tag.line),
                tag.number)
            limit.signal()
            openCount.subtract(1, ordering: .acquiringAndReleasing)
            open.leave()
        }
        return true
    }

    /// Returns when each broadcast that was taken has its result.
    func finish() async {
        await withCheckedContinuation { continuation in
            open.notify(queue: .global()) { continuation.resume() }
        }
    }
}
