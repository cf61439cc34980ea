import APNSModel
import Dispatch
import Synchronization

/// Hands the input over to the provider: reads and checks on a thread of its own, so that neither a slow pipe nor a large
/// file holds up the provider's event loop.
final class NotificationFeed: AsyncSequence, Sendable {
    typealias Element = APNSNotification
    typealias Failure = FileError

    enum Report: Sendable {
        case fault(String)
        case heldBack(APNSNotification, report: String)
    }

    /// What follows the notifications that were handed over.
    enum Rest {
        case all(notifications: Int)
        /// The rest of a pipe or terminal, of which nobody knows how much it is, behind this many notifications.
        case unknown(notifications: Int)
    }

    private let queue = DispatchQueue(label: "apns.input")
    private let owner: Owner
    private let stopSignal = StopSignal()
    private let handedOver = Atomic(0)
    private let report: @Sendable (Report) -> Void

    /// `@unchecked` because everything in it is touched on `queue` only.
    private final class Owner: @unchecked Sendable {
        var reader: NotificationReader
        /// The batch handed over last, and how many were handed over in all.
        var batch: [APNSNotification] = []
        var count = 0

        init(_ reader: NotificationReader) { self.reader = reader }
    }

    private static let batchSize = 512

    /// - Parameter report: Told on the feed's thread of each line that is not handed over.
    init(_ reader: NotificationReader, report: @escaping @Sendable (Report) -> Void) {
        owner = Owner(reader)
        self.report = report
    }

    /// How many the provider has taken.
    var handedOverCount: Int { handedOver.load(ordering: .relaxed) }

    /// Nothing more is handed over.
    func stop() { stopSignal.stop() }

    func makeAsyncIterator() -> Iterator { Iterator(feed: self) }

    struct Iterator: AsyncIteratorProtocol {
        let feed: NotificationFeed
        private var batch: [APNSNotification] = []
        private var position = 0

        init(feed: NotificationFeed) { self.feed = feed }

        mutating func next() async throws(FileError) -> APNSNotification? {
            if position == batch.count {
                batch = try await feed.nextBatch()
                position = 0
                if batch.isEmpty { return nil }
            }
            defer { position += 1 }
            feed.handedOver.add(1, ordering: .relaxed)
            return batch[position]
        }
    }

    /// At least one notification; none at the end.
    private func nextBatch() async throws(FileError) -> [APNSNotification] {
        let result: Result<[APNSNotification], FileError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.readBatch()) }
        }
        return try result.get()
    }

    private func readBatch() -> Result<[APNSNotification], FileError> {
        var batch: [APNSNotification] = []
        do throws(FileError) {
            while !stopSignal.isStopped, batch.count < NotificationFeed.batchSize,
                batch.isEmpty || owner.reader.isReady
            {
                guard let item = try owner.reader.next(until: stopSignal) else { break }
                if let notification = sort(item) { batch.append(notification) }
            }
        } catch {
            return .failure(error)
        }
        owner.batch = batch
        owner.count += batch.count
        return .success(batch)
    }

    private func sort(_ item: NotificationReader.Item) -> APNSNotification? {
        switch item {
        case .notification(let notification): return notification
        case .fault(let fault): report(.fault(fault))
        case .heldBack(let notification, let text): report(.heldBack(notification, report: text))
        }
        return nil
    }

    /// Reads what is left after a stop, where that can be done without waiting for anybody.
    ///
    /// - Parameters:
    ///   - taken: How many notifications the provider took.
    ///   - isStopped: Asked now and then, to end early.
    ///   - visit: Told of each notification that it did not take. Without it nothing is reported either, only counted.
    func rest(
        after taken: Int, isStopped: @escaping @Sendable () -> Bool,
        visit: (@Sendable (APNSNotification) -> Void)?
    ) async -> Rest {
        await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: self.readRest(after: taken, isStopped: isStopped, visit: visit))
            }
        }
    }

    private func readRest(after taken: Int, isStopped: () -> Bool, visit: ((APNSNotification) -> Void)?) -> Rest {
        let left = owner.batch.suffix(Swift.max(owner.count - taken, 0))
        for notification in left { visit?(notification) }
        var count = left.count
        guard owner.reader.restIsReady else { return .unknown(notifications: count) }
        while !isStopped() {
            guard let item = try? owner.reader.next(until: nil) else { return .all(notifications: count) }
            guard let visit else {
                if case .fault = item { continue }
                count += 1
                continue
            }
            if let notification = sort(item) {
                count += 1
                visit(notification)
            }
        }
        return .unknown(notifications: count)
    }
}
