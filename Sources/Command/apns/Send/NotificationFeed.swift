import APNSModel
import APNSProvider
import Dispatch
import Synchronization

/// The notifications of the input, as the provider takes them, in batches. It reads and checks on a thread of its own, so that
/// neither a slow pipe nor a large file blocks the event loop of the provider.
final class NotificationFeed: Sendable {
    /// A part of the input that is not passed to the provider.
    enum Report: Sendable {
        case bad(BadLine)
        case heldBack(APNSNotification, line: Int?, report: String)
        /// A recorded notification that cannot be sent unchanged.
        case unsendable(APNSNotification, line: Int?, RecordedVerdict, APNSSendError)
        /// The journal has a final outcome of it.
        case done(SendJournal.Mark)
        /// The journal does not have its outcome, and `--resend-unknown` was not given.
        case doubtful(APNSNotification, line: Int?)
        /// The same two for a broadcast, with its result.
        case heldBackBroadcast(BroadcastLine, report: String)
        case doubtfulBroadcast(BroadcastLine)
    }

    struct Settings: Sendable {
        var journal: SendJournal?
        /// Whether notifications that may have been delivered are sent again.
        var resendsUnknown = false
        /// Notifications a second; nil for no limit.
        var rate: Double?
    }

    /// How much of the input the provider did not take. Bad lines that were not reported are counted too.
    enum Rest: Hashable {
        case all(count: Int)
        /// At least this many: the rest of a pipe or terminal cannot be counted.
        case unknown(count: Int)
    }

    /// How much of the input there is: notifications and bad lines.
    struct Extent: Hashable {
        var count: Int
        /// Whether that is all. The rest of a pipe cannot be counted, and that of a large file not at once.
        var isWhole: Bool
    }

    private let queue = DispatchQueue(label: "apns.input")
    private let reading: Reading
    private let stopSignal = StopSignal()
    private let report: @Sendable (Report) -> Void
    private let settings: Settings
    private let tags = Mutex(Tags())
    private let position = Mutex(InputPosition())
    private let pacing: Mutex<Pacing>

    /// `@unchecked` because it is used on `queue` only.
    private final class Reading: @unchecked Sendable {
        var reader: NotificationReader
        /// The last batch that was read to be passed on, and how many notifications were in all batches.
        var batch: [APNSNotification] = []
        var count = 0
        /// Whether the journal has that batch as about to be sent.
        var hasBegun = false
        /// How many notifications the input had so far, including those that are not passed on.
        var inputCount = 0
        var badCount = 0
        /// What was only counted, after the run had ended.
        var skippedCount = 0
        /// Sends broadcasts; nil before it is known.
        var lane: BroadcastLane?
        /// The broadcast that was read and is not sent yet: its lane is full, or the feed was stopped.
        var broadcast: (APNSBroadcast, tag: TagRing.Tag)?

        init(_ reader: NotificationReader) { self.reader = reader }
    }

    /// What the notifications that were passed on are in the input, until their outcomes are known.
    private struct Tags {
        var ring = TagRing()
        /// The recorded outcomes of those from a record, by their positions in the input.
        var recorded: [Int: RecordedVerdict] = [:]
    }

    /// The part of a batch that is not due yet, for a feed with a rate.
    private struct Pacing {
        var pace: Pace
        var waiting: ArraySlice<APNSNotification> = []
        var start: ContinuousClock.Instant?
    }

    /// - Parameter report: Called on the feed's thread for each line that is not passed on.
    init(
        _ reader: NotificationReader, _ settings: Settings = Settings(), report: @escaping @Sendable (Report) -> Void
    ) {
        reading = Reading(reader)
        self.settings = settings
        self.report = report
        pacing = Mutex(Pacing(pace: Pace(rate: settings.rate ?? 1)))
        // A journal has what was read as about to be sent, so a slow run must not read far ahead.
        // Without a rate, larger batches save it calls of fsync.
        batchSize = settings.rate.map { Int(min(max($0 / 10, 1), 512)) } ?? (settings.journal == nil ? 512 : 2048)
    }

    private let batchSize: Int

    /// Gives the lane that sends broadcasts. Call it before the first batch is read.
    func setLane(_ lane: BroadcastLane) { queue.sync { reading.lane = lane } }

    /// Removes and returns the tags of notifications, by their positions among those that were passed on.
    func takeTags(_ positions: some Sequence<Int>) -> [TagRing.Tag?] {
        tags.withLock { tags in positions.map { tags.ring.take($0) } }
    }

    /// Removes and returns the recorded outcomes of notifications, by their positions in the input.
    func takeRecorded(_ tags: [TagRing.Tag?]) -> [Int: RecordedVerdict] {
        self.tags.withLock { all in
            guard !all.recorded.isEmpty else { return [:] }
            var found: [Int: RecordedVerdict] = [:]
            for case .some(let tag) in tags { found[tag.number] = all.recorded.removeValue(forKey: tag.number) }
            return found
        }
    }

    /// How much of the input was read.
    var inputPosition: InputPosition { position.withLock { $0 } }

    /// Ends the feed: there are no more batches.
    func stop() { stopSignal.stop() }

    var isStopped: Bool { stopSignal.isStopped }

    // MARK: Batches

    /// The next notifications, as soon as they are due; none at the end. Call it again only after it returned.
    func nextBatch() async throws(FileError) -> [APNSNotification] {
        guard settings.rate != nil else { return try await readBatch() }
        if pacing.withLock({ $0.waiting.isEmpty }) {
            let batch = try await readBatch()
            pacing.withLock { $0.waiting = batch[...] }
        }
        let due: Duration? = pacing.withLock { pacing in
            guard !pacing.waiting.isEmpty else { return nil }
            let start = pacing.start ?? .now
            pacing.start = start
            return pacing.pace.next(at: .now - start)
        }
        guard let due, let start = pacing.withLock({ $0.start }), await isStillOpen(at: start + due) else { return [] }
        return pacing.withLock { [$0.waiting.removeFirst()] }
    }

    /// Waits.
    ///
    /// - Returns: False where the feed was stopped meanwhile.
    private func isStillOpen(at time: ContinuousClock.Instant) async -> Bool {
        while !stopSignal.isStopped {
            let rest = time - .now
            guard rest > .zero else { return true }
            try? await Task.sleep(for: Swift.min(rest, .milliseconds(100)), tolerance: .zero)
        }
        return false
    }

    private func readBatch() async throws(FileError) -> [APNSNotification] {
        let result: Result<[APNSNotification], FileError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.readOnQueue()) }
        }
        return try result.get()
    }

    private func readOnQueue() -> Result<[APNSNotification], FileError> {
        var batch: [APNSNotification] = []
        batch.reserveCapacity(batchSize)
        var newTags: [TagRing.Tag] = []
        newTags.reserveCapacity(batchSize)
        var failure: FileError?
        do throws(FileError) {
            while !stopSignal.isStopped, batch.count < batchSize, batch.isEmpty || reading.reader.isReady {
                if reading.broadcast != nil {
                    guard try sendBroadcast(mayWait: batch.isEmpty) else { break }
                    continue
                }
                guard let item = try reading.reader.next(until: stopSignal) else { break }
                if case .broadcast(let broadcast) = item {
                    reading.broadcast = take(broadcast)
                    continue
                }
                guard let (notification, tag) = sort(item) else { continue }
                newTags.append(tag)
                batch.append(notification)
            }
        } catch {
            failure = error
        }
        // Also where reading or the journal fails: these notifications are in the count of the rest then.
        // An empty batch, after a stop, must not hide the last one.
        if !batch.isEmpty {
            reading.batch = batch
            reading.hasBegun = false
        }
        reading.count += batch.count
        let (newPosition, added) = (readPosition, newTags)
        position.withLock { $0 = newPosition }
        tags.withLock { tags in for tag in added { tags.ring.append(tag) } }
        if let failure { return .failure(failure) }
        do throws(FileError) {
            try settings.journal?.begin(batch, newTags)
            if !batch.isEmpty { reading.hasBegun = true }
        } catch {
            return .failure(error)
        }
        return .success(batch)
    }

    private var readPosition: InputPosition {
        InputPosition(items: reading.inputCount + reading.badCount, part: reading.reader.readPart)
    }

    /// Passes the broadcast that was read to its lane.
    ///
    /// - Parameter mayWait: Whether to wait until it is due and the lane has a place. It does not wait while notifications
    ///   that were read before it wait to be sent.
    /// - Returns: Whether it was passed on.
    private func sendBroadcast(mayWait: Bool) throws(FileError) -> Bool {
        guard let (broadcast, tag) = reading.broadcast, let lane = reading.lane else { return true }
        guard mayWait || lane.hasPlace && settings.rate == nil else { return false }
        waitForTurn()
        guard !stopSignal.isStopped, try lane.take(broadcast, tag, until: stopSignal) else { return false }
        reading.broadcast = nil
        return true
    }

    /// With a rate, blocks until a broadcast is due. It has a turn like a notification.
    private func waitForTurn() {
        guard settings.rate != nil else { return }
        let due = pacing.withLock { pacing in
            let start = pacing.start ?? .now
            pacing.start = start
            return start + pacing.pace.next(at: .now - start)
        }
        while !stopSignal.isStopped, .now < due {
            let rest = Swift.min(due - .now, .milliseconds(100))
            // Blocks for that time; nothing signals it.
            _ = DispatchSemaphore(value: 0).wait(
                timeout: .now() + .nanoseconds(Int(rest.components.attoseconds / 1_000_000_000)))
        }
    }

    /// - Returns: Nil for a broadcast that is not sent, because of the journal.
    private func take(_ broadcast: APNSBroadcast) -> (APNSBroadcast, TagRing.Tag)? {
        let tag = TagRing.Tag(number: reading.inputCount, line: reading.reader.line)
        reading.inputCount += 1
        guard let journal = settings.journal else { return (broadcast, tag) }
        var broadcast = broadcast
        let (mark, id) = journal.past(tag.number)
        broadcast.id = id ?? broadcast.id ?? journal.newID()
        if mark.isFinal {
            report(.done(mark))
            return nil
        }
        guard !mark.isDoubtful || settings.resendsUnknown else {
            report(.doubtfulBroadcast(BroadcastLine(broadcast, .unknown(.noAnswerBefore), line: tag.line)))
            return nil
        }
        return (broadcast, tag)
    }

    /// - Returns: Nil for an item that is not passed on.
    private func sort(_ item: consuming NotificationReader.Item) -> (APNSNotification, TagRing.Tag)? {
        let line = reading.reader.line
        switch consume item {
        case .notification(let notification): return take(notification, nil)
        case .recorded(let notification, let recorded): return take(notification, recorded)
        case .bad(let bad):
            reading.badCount += 1
            report(.bad(bad))
        // Passed to its lane before.
        case .broadcast: break
        case .heldBackBroadcast(let broadcast, let text):
            reading.inputCount += 1
            report(
                .heldBackBroadcast(BroadcastLine(broadcast, .unsent(.heldBack), line: line), report: text))
        case .unsendable(let notification, let recorded, let error):
            reading.inputCount += 1
            report(.unsendable(notification, line: line, recorded, error))
        case .heldBack(let notification, let text):
            reading.inputCount += 1
            report(.heldBack(notification, line: line, report: text))
        }
        return nil
    }

    private func take(
        _ notification: consuming APNSNotification, _ recorded: RecordedVerdict?
    ) -> (APNSNotification, TagRing.Tag)? {
        let tag = TagRing.Tag(number: reading.inputCount, line: reading.reader.line)
        if let recorded { tags.withLock { $0.recorded[tag.number] = recorded } }
        reading.inputCount += 1
        guard let journal = settings.journal else { return (notification, tag) }
        let (mark, id) = journal.past(tag.number)
        notification.id = id ?? notification.id ?? journal.newID()
        if mark.isFinal {
            report(.done(mark))
            return nil
        }
        guard !mark.isDoubtful || settings.resendsUnknown else {
            report(.doubtful(notification, line: tag.line))
            return nil
        }
        return (notification, tag)
    }

    // MARK: The rest

    /// Reads the rest of the input after a stop, where that does not block.
    ///
    /// - Parameters:
    ///   - taken: How many notifications the provider took.
    ///   - isStopped: Checked before each item, to end early.
    ///   - visit: Called for each notification that the provider did not take. Without it everything that is left is only
    ///     counted, bad lines too, and nothing is reported.
    func rest(
        after taken: Int, isStopped: @escaping @Sendable () -> Bool,
        visit: (@Sendable (Unsent) -> Void)?
    ) async -> Rest {
        await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: self.readRest(after: taken, isStopped: isStopped, visit: visit))
            }
        }
    }

    private func readRest(
        after taken: Int, isStopped: () -> Bool, visit: ((Unsent) -> Void)?
    ) -> Rest {
        let (left, leftTags) = takeLeft(after: taken)
        for (notification, tag) in zip(left, leftTags) { visit?(.notification(notification, line: tag?.line)) }
        var count = left.count
        if let (broadcast, tag) = reading.broadcast {
            count += 1
            visit?(.broadcast(broadcast, line: tag.line))
        }
        guard reading.reader.restIsReady else { return .unknown(count: count) }
        while !isStopped() {
            do throws(FileError) {
                guard let item = try reading.reader.next(until: nil) else { return .all(count: count) }
                guard let visit else {
                    count += 1
                    reading.skippedCount += 1
                    continue
                }
                if case .broadcast(let broadcast) = item {
                    guard let (broadcast, tag) = take(broadcast) else { continue }
                    count += 1
                    visit(.broadcast(broadcast, line: tag.line))
                } else if let (notification, tag) = sort(item) {
                    count += 1
                    visit(.notification(notification, line: tag.line))
                }
            } catch {
                return .unknown(count: count)
            }
        }
        return .unknown(count: count)
    }

    /// The notifications of the last batch that the provider did not take. The journal has them as unsent then.
    private func takeLeft(after taken: Int) -> (ArraySlice<APNSNotification>, [TagRing.Tag?]) {
        let left = reading.batch.suffix(Swift.max(reading.count - taken, 0))
        let leftTags = takeTags(reading.count - left.count..<reading.count)
        if reading.hasBegun {
            settings.journal?.end(
                leftTags.lazy.compactMap { $0.map { ($0.number, .unsent(NotificationFeed.notTaken)) } })
        }
        return (left, leftTags)
    }

    /// How much input there is, for a run that ends at once. Blocks until the rest is counted, or until `deadline`.
    ///
    /// - Parameter taken: How many notifications the provider took, where it takes no more; the journal has the others as
    ///   unsent then.
    func extent(after taken: Int?, until deadline: DispatchTime) -> Extent {
        let found = Mutex<Extent?>(nil)
        let isFound = DispatchSemaphore(value: 0)
        queue.async {
            if let taken { _ = self.takeLeft(after: taken) }
            let isWhole = self.countRest(until: deadline)
            let reading = self.reading
            found.withLock {
                $0 = Extent(count: reading.inputCount + reading.badCount + reading.skippedCount, isWhole: isWhole)
            }
            isFound.signal()
        }
        // The thread of the feed may wait for a reader of the results that does not read.
        _ = isFound.wait(timeout: deadline + .milliseconds(100))
        return found.withLock { $0 } ?? Extent(count: inputPosition.items, isWhole: false)
    }

    /// - Returns: Whether the end of the input was reached.
    private func countRest(until deadline: DispatchTime) -> Bool {
        guard reading.reader.restIsReady else { return false }
        do throws(FileError) {
            while try reading.reader.next(until: nil) != nil {
                reading.skippedCount += 1
                if DispatchTime.now() >= deadline { return false }
            }
        } catch {
            return false
        }
        return true
    }

    /// What was read and not sent, because the run ended.
    enum Unsent: Sendable {
        case notification(APNSNotification, line: Int?)
        case broadcast(APNSBroadcast, line: Int?)
    }

    private static let notTaken = APNSSendError(.cancelled, "the run ended before it was sent", isSafeToRetry: true)
}
