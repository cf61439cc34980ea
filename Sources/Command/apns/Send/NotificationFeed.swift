import APNSModel
import APNSProvider
import Dispatch
import Synchronization

/// The notifications of the input, as the provider takes them. It reads and checks on a thread of its own, so that neither a
/// slow pipe nor a large file blocks the event loop of the provider.
final class NotificationFeed: AsyncSequence, Sendable {
    typealias Element = APNSNotification
    typealias Failure = FileError

    /// A part of the input that is not passed to the provider.
    enum Report: Sendable {
        case fault(String)
        case heldBack(APNSNotification, report: String)
        /// A recorded notification that cannot be sent unchanged.
        case unsendable(APNSNotification, RecordedVerdict, APNSSendError)
        /// The journal has a final outcome of it.
        case done(SendJournal.Mark)
        /// The journal does not have its outcome, and `--resend-unknown` was not given.
        case doubtful(APNSNotification)
    }

    /// What a notification is in the input.
    struct Tag: Sendable {
        /// Its position in the input, not counting bad lines.
        var number: Int
        var recorded: RecordedVerdict?
    }

    struct Settings: Sendable {
        var journal: SendJournal?
        /// Whether notifications that may have been delivered are sent again.
        var resendsUnknown = false
        /// Notifications a second; nil for no limit.
        var rate: Double?
    }

    /// How much of the input the provider did not take.
    enum Rest {
        case all(notifications: Int)
        /// At least this many notifications: the rest of a pipe or terminal cannot be counted.
        case unknown(notifications: Int)
    }

    private let queue = DispatchQueue(label: "apns.input")
    private let reading: Reading
    private let stopSignal = StopSignal()
    private let takenBySender = Atomic(0)
    private let report: @Sendable (Report) -> Void
    private let settings: Settings
    /// The notifications that were passed on and have no outcome yet, by their position among those passed on.
    private let tags = Mutex<[Int: Tag]>([:])

    /// `@unchecked` because it is used on `queue` only.
    private final class Reading: @unchecked Sendable {
        var reader: NotificationReader
        /// The last batch that was passed on, and how many notifications were passed on in all.
        var batch: [APNSNotification] = []
        var count = 0
        /// How many notifications the input had so far, including those that are not passed on.
        var inputCount = 0

        init(_ reader: NotificationReader) { self.reader = reader }
    }

    private static let batchSize = 512

    /// - Parameter report: Called on the feed's thread for each line that is not passed on.
    init(
        _ reader: NotificationReader, _ settings: Settings = Settings(), report: @escaping @Sendable (Report) -> Void
    ) {
        reading = Reading(reader)
        self.settings = settings
        self.report = report
    }

    /// Removes and returns the tag of the notification that was passed on as number `index`, from 0.
    func takeTag(_ index: Int) -> Tag? { tags.withLock { $0.removeValue(forKey: index) } }

    /// How many the provider has taken.
    var takenBySenderCount: Int { takenBySender.load(ordering: .relaxed) }

    /// Ends the sequence.
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
            feed.takenBySender.add(1, ordering: .relaxed)
            return batch[position]
        }

        /// Waits until the next notification is due.
        ///
        /// - Returns: False where the feed was stopped meanwhile.
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

    /// At least one notification; empty at the end.
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
                batch.isEmpty || reading.reader.isReady
            {
                guard let item = try reading.reader.next(until: stopSignal) else { break }
                guard let (notification, tag) = sort(item, &begun) else { continue }
                if let tag { tags.withLock { $0[reading.count + batch.count] = tag } }
                batch.append(notification)
            }
            try settings.journal?.begin(begun)
        } catch {
            return .failure(error)
        }
        reading.batch = batch
        reading.count += batch.count
        return .success(batch)
    }

    /// - Parameter begun: Gets the notifications that the journal must have before they are passed on.
    /// - Returns: Nil for an item that is not passed on.
    private func sort(
        _ item: NotificationReader.Item, _ begun: inout [(number: Int, id: NotificationID)]
    ) -> (APNSNotification, Tag?)? {
        switch item {
        case .notification(let notification): return take(notification, nil, &begun)
        case .recorded(let notification, let recorded): return take(notification, recorded, &begun)
        case .fault(let fault): report(.fault(fault))
        case .unsendable(let notification, let recorded, let error):
            reading.inputCount += 1
            report(.unsendable(notification, recorded, error))
        case .heldBack(let notification, let text):
            reading.inputCount += 1
            report(.heldBack(notification, report: text))
        }
        return nil
    }

    private func take(
        _ notification: APNSNotification, _ recorded: RecordedVerdict?,
        _ begun: inout [(number: Int, id: NotificationID)]
    ) -> (APNSNotification, Tag?)? {
        let number = reading.inputCount
        reading.inputCount += 1
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

    /// Reads the rest of the input after a stop, where that does not block.
    ///
    /// - Parameters:
    ///   - taken: How many notifications the provider took.
    ///   - isStopped: Checked before each item, to end early.
    ///   - visit: Called for each notification that the provider did not take. Without it they are only counted, and
    ///     nothing is reported.
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
        let left = reading.batch.suffix(Swift.max(reading.count - taken, 0))
        for (place, notification) in left.enumerated() {
            if let tag = takeTag(reading.count - left.count + place) {
                settings.journal?.end(tag.number, .unsent(NotificationFeed.notTaken))
            }
            visit?(notification)
        }
        var count = left.count
        guard reading.reader.restIsReady else { return .unknown(notifications: count) }
        while !isStopped() {
            guard let item = try? reading.reader.next(until: nil) else { return .all(notifications: count) }
            guard let visit else {
                if case .fault = item { continue }
                count += 1
                continue
            }
            if let notification = notSubmitted(item) {
                count += 1
                visit(notification)
            }
        }
        return .unknown(notifications: count)
    }

    private static let notTaken = APNSSendError(.cancelled, "the run ended before it was sent", isSafeToRetry: true)

    /// The notification of an item that would have been passed on.
    private func notSubmitted(_ item: NotificationReader.Item) -> APNSNotification? {
        var begun: [(number: Int, id: NotificationID)] = []
        return sort(item, &begun)?.0
    }
}
