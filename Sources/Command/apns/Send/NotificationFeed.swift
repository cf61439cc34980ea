import APNSModel
import APNSProvider
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
        /// A recorded one that cannot be sent as it was.
        case unsendable(APNSNotification, RecordedVerdict, APNSSendError)
        /// The journal has its outcome, so it is not sent again.
        case done(SendJournal.Mark)
        /// The journal does not know what became of it, and nobody asked for it to be sent again.
        case doubtful(APNSNotification)
    }

    /// What is known of a notification beside itself.
    struct Tag: Sendable {
        /// Its place in the input, bad lines not counted.
        var number: Int
        var recorded: RecordedVerdict?
    }

    /// How the feed goes about its work.
    struct Settings: Sendable {
        var journal: SendJournal?
        /// Whether what may have been delivered is sent again.
        var resendsUnknown = false
        /// Notifications a second; nil is as fast as they are taken.
        var rate: Double?
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
    private let settings: Settings
    /// Of what was handed over and has no outcome yet, by its place among those handed over.
    private let tags = Mutex<[Int: Tag]>([:])

    /// `@unchecked` because everything in it is touched on `queue` only.
    private final class Owner: @unchecked Sendable {
        var reader: NotificationReader
        /// The batch handed over last, and how many were handed over in all.
        var batch: [APNSNotification] = []
        var count = 0
        /// How many notifications the input had so far, also those that are not handed over.
        var inputCount = 0

        init(_ reader: NotificationReader) { self.reader = reader }
    }

    private static let batchSize = 512

    /// - Parameter report: Told on the feed's thread of each line that is not handed over.
    init(
        _ reader: NotificationReader, _ settings: Settings = Settings(), report: @escaping @Sendable (Report) -> Void
    ) {
        owner = Owner(reader)
        self.settings = settings
        self.report = report
    }

    /// What is known of the notification that was handed over as the `index`th from 0; asked once.
    func takeTag(_ index: Int) -> Tag? { tags.withLock { $0.removeValue(forKey: index) } }

    /// How many the provider has taken.
    var handedOverCount: Int { handedOver.load(ordering: .relaxed) }

    /// Nothing more is handed over.
    func stop() { stopSignal.stop() }

    func makeAsyncIterator() -> Iterator { Iterator(feed: self) }

    struct Iterator: AsyncIteratorProtocol {
        let feed: NotificationFeed
        private var batch: [APNSNotification] = []
        private var position = 0
        private var pace: Pace?
        private let start = ContinuousClock.now

        init(feed: NotificationFeed) {
            self.feed = feed
            pace = feed.settings.rate.map { Pace(rate: $0) }
        }

        mutating func next() async throws(FileError) -> APNSNotification? {
            if position == batch.count {
                batch = try await feed.nextBatch()
                position = 0
                if batch.isEmpty { return nil }
            }
            guard await isDue() else { return nil }
            defer { position += 1 }
            feed.handedOver.add(1, ordering: .relaxed)
            return batch[position]
        }

        /// Waits for the time of the next one.
        ///
        /// - Returns: False where the run was ended meanwhile.
        private mutating func isDue() async -> Bool {
            guard pace != nil else { return true }
            let now = ContinuousClock.now - start
            let due = pace?.next(at: now) ?? .zero
            while !feed.stopSignal.isStopped {
                let rest = due - (ContinuousClock.now - start)
                guard rest > .zero else { return true }
                try? await Task.sleep(for: Swift.min(rest, .milliseconds(100)), tolerance: .zero)
            }
            return false
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
        var begun: [(number: Int, id: NotificationID)] = []
        do throws(FileError) {
            while !stopSignal.isStopped, batch.count < NotificationFeed.batchSize,
                batch.isEmpty || owner.reader.isReady
            {
                guard let item = try owner.reader.next(until: stopSignal) else { break }
                guard let (notification, tag) = sort(item, &begun) else { continue }
                if let tag { tags.withLock { $0[owner.count + batch.count] = tag } }
                batch.append(notification)
            }
            try settings.journal?.begin(begun)
        } catch {
            return .failure(error)
        }
        owner.batch = batch
        owner.count += batch.count
        return .success(batch)
    }

    /// - Parameter begun: Gets what the journal has to know before it is handed over.
    /// - Returns: Nil for what is not handed over.
    private func sort(
        _ item: NotificationReader.Item, _ begun: inout [(number: Int, id: NotificationID)]
    ) -> (APNSNotification, Tag?)? {
        switch item {
        case .notification(let notification): return take(notification, nil, &begun)
        case .recorded(let notification, let recorded): return take(notification, recorded, &begun)
        case .fault(let fault): report(.fault(fault))
        case .unsendable(let notification, let recorded, let error):
            owner.inputCount += 1
            report(.unsendable(notification, recorded, error))
        case .heldBack(let notification, let text):
            owner.inputCount += 1
            report(.heldBack(notification, report: text))
        }
        return nil
    }

    private func take(
        _ notification: APNSNotification, _ recorded: RecordedVerdict?,
        _ begun: inout [(number: Int, id: NotificationID)]
    ) -> (APNSNotification, Tag?)? {
        let number = owner.inputCount
        owner.inputCount += 1
        guard let journal = settings.journal else {
            return (notification, recorded.map { Tag(number: number, recorded: $0) })
        }
        var notification = notification
        let mark = journal.mark(number)
        notification.id = journal.id(number) ?? notification.id ?? NotificationID()
        if mark.isFinal {
            report(.done(mark))
            return nil
        }
        guard !mark.isDoubtful || settings.resendsUnknown else {
            report(.doubtful(notification))
            return nil
        }
        if let id = notification.id { begun.append((number, id)) }
        return (notification, Tag(number: number, recorded: recorded))
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
        for (place, notification) in left.enumerated() {
            if let tag = takeTag(owner.count - left.count + place) {
                settings.journal?.end(tag.number, .unsent(NotificationFeed.notTaken))
            }
            visit?(notification)
        }
        var count = left.count
        guard owner.reader.restIsReady else { return .unknown(notifications: count) }
        while !isStopped() {
            guard let item = try? owner.reader.next(until: nil) else { return .all(notifications: count) }
            guard let visit else {
                if case .fault = item { continue }
                count += 1
                continue
            }
            if let notification = untaken(item) {
                count += 1
                visit(notification)
            }
        }
        return .unknown(notifications: count)
    }

    private static let notTaken = APNSSendError(.cancelled, "the run ended before its turn", isSafeToRetry: true)

    /// What of the rest was not handed over for no reason of its own.
    private func untaken(_ item: NotificationReader.Item) -> APNSNotification? {
        var begun: [(number: Int, id: NotificationID)] = []
        return sort(item, &begun)?.0
    }
}
