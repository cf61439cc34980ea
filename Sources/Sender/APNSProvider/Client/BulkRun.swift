import APNSModel
package import APNSPayload
import APNSTransport
import NIOCore
import Synchronization

/// One bulk send: takes notifications from the source, deals them out to the provider's event loops, and keeps at most
/// `window` of them between the source and the reader of the results.
///
/// @unchecked: confined to one event loop, its home, but for what is constant: `parts`, each of which is confined to an
/// event loop of its own.
final class BulkRun: @unchecked Sendable {
    private let lanes: [ProviderLane]
    /// The number of the event loop that reads the source.
    private let home: Int
    /// For each event loop of the provider.
    let parts: [BulkPart]
    /// The part and the event loop at home. Kept, because each access through the arrays retains what an element has.
    private let homePart: BulkPart
    private let homeLoop: NIOLoopBoundBox<ProviderLoop>
    private let output: BulkOutput
    private let window: Int
    private let timeoutNanoseconds: Int64

    /// Notifications that were taken from the source.
    private var taken = 0
    /// How many of them since the source last waited.
    private var takenInTurn = 0
    private var nextID: UInt64 = 0
    private var resume: CheckedContinuation<Void, Never>?
    private(set) var isStopped = false
    /// With several event loops: the notifications that are dealt out next.
    private var chunk: [Submission] = []

    /// How many notifications are dealt out together. A message to another event loop costs about as much as sending one
    /// notification.
    static let chunkSize = 100

    init(
        lanes: [ProviderLane], home: Int = 0, output: BulkOutput, window: Int, timeout: Duration, validates: Bool,
        allowsNewPushTypes: Bool = false
    ) {
        self.lanes = lanes
        self.home = home
        self.output = output
        self.window = window
        timeoutNanoseconds = timeout.wholeNanoseconds
        parts = lanes.map {
            BulkPart(loop: $0.loop, output: output, validates: validates, allowsNewPushTypes: allowsNewPushTypes)
        }
        homePart = parts[home]
        homeLoop = lanes[home].loop
    }

    private var loop: ProviderLoop { homeLoop.value }

    private var sourceTask: Task<Void, Never>?

    /// - Parameter sourceTask: Reads the source. Cancelled when the send is stopped, so that a source that waits for its next
    ///   element ends too.
    func start(_ sourceTask: Task<Void, Never>) {
        guard !isSourceDone else { return }
        self.sourceTask = sourceTask
        if isStopped { sourceTask.cancel() }
        loop.started(self)
    }

    /// Takes one notification from the source.
    func take(_ submission: Submission) {
        guard !isSourceDone else { return }
        let index = taken
        taken += 1
        takenInTurn += 1
        output.took(taken)
        let now = MonotonicTime.now
        if !loop.isAccepting { stop() }
        let isDealt = parts.count > 1 && !isStopped
        // What is dealt out is validated where it is written.
        let error = isDealt ? nil : homePart.error(in: submission)
        nextID += 1
        // The highest bit keeps it apart from the ids of single ones, which `PushProvider` counts.
        submission.submit(
            id: nextID | 1 << 63, to: .bulk(self, index: index), at: now,
            deadline: now.advanced(byNanoseconds: timeoutNanoseconds))
        guard isDealt else { return homePart.take(submission, error, of: self) }
        chunk.append(submission)
        if chunk.count == BulkRun.chunkSize {
            deal(to: lightest)
        } else if chunk.count == 1 {
            // At the end of the turn the rest stays here: a source that gives a few at a time needs no other loop.
            loop.eventLoop.assumeIsolated().execute { self.deal(to: self.home) }
        }
    }

    /// Whether the source must call `pause` before it gives another notification.
    var needsPause: Bool { !hasCapacity || takenInTurn >= BulkRun.turnLength }

    /// After how many notifications a source that is always ready lets the event loop do its other work. Without it, refused
    /// notifications, whose results the reader takes at once, would keep the loop from everything else, `stop` too.
    static let turnLength = 1000

    private var hasCapacity: Bool { taken - output.readCount < window }

    /// How many notifications the default window has for each event loop beyond the streams of the connections. They are
    /// queued, so that streams do not become idle while the source is read.
    static let margin = 300

    /// Lets the event loop do its other work, and returns when the window has room, or the send was stopped.
    func pause(isolation actor: isolated (any Actor)? = #isolation) async {
        if hasCapacity { await Task.yield() } else { await waitForCapacity() }
        takenInTurn = 0
    }

    /// Returns when a good part of the window is free, or the send was stopped.
    private func waitForCapacity(isolation: isolated (any Actor)? = nil) async {
        deal(to: lightest)
        homePart.turnEnded(of: self)
        guard !isStopped, !hasRefillCapacity else { return }
        await withCheckedContinuation { resume = $0 }
    }

    /// Whether a quarter of the window, at most the margin, is free. Waking the source for each single notification would
    /// cost a resumption each; beyond the margin, streams are idle.
    private var hasRefillCapacity: Bool {
        taken - output.readCount <= window - min(max(1, window / 4), BulkRun.margin * lanes.count)
    }

    /// The reader has used up a batch of results, so another notification may fit into the window.
    func outputRead() { resumeSource() }

    private func resumeSource() {
        guard let resume, isStopped || hasRefillCapacity else { return }
        self.resume = nil
        resume.resume()
    }

    // MARK: Event loops

    /// The event loop with the fewest notifications of this send.
    private var lightest: Int {
        lanes.indices.min { parts[$0].load < parts[$1].load } ?? home
    }

    private func deal(to index: Int) {
        guard !chunk.isEmpty else { return }
        let dealt = chunk
        chunk.removeAll(keepingCapacity: true)
        parts[index].add(load: dealt.count)
        if index == home { return homePart.take(dealt, of: self) }
        lanes[index].eventLoop.execute { self.parts[index].take(dealt, of: self) }
    }

    /// A part has passed on the last result. Called on the event loop of the part.
    func finished() { lanes[home].run { $0.ended(self) } }

    // MARK: Ending

    private var isSourceDone = false

    func sourceEnded(_ error: (any Error)?) {
        sourceTask = nil
        guard !isSourceDone else { return }
        deal(to: home)
        homePart.turnEnded(of: self)
        isSourceDone = true
        let isOwnCancellation = isStopped && error is CancellationError
        if output.end(after: taken, isOwnCancellation ? nil : error) { finished() }
    }

    /// Ends without the source, which has not ended though it was cancelled. What it gives from now on is not taken.
    func leaveSource() {
        stop()
        sourceEnded(nil)
    }

    /// Takes nothing more from the source and resolves queued notifications as unsent. In-flight requests go on.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        sourceTask?.cancel()
        deal(to: home)
        for lane in lanes { lane.run { self.parts[lane.index].stop(self, on: $0) } }
        resumeSource()
    }
}

extension APNSSendError {
    static let stopped = APNSSendError(
        .cancelled, "the send was stopped before the notification was sent", isSafeToRetry: true)

    package init(_ finding: Finding) {
        self.init(.invalidNotification, "\(finding.message) [\(finding.rule)]", isSafeToRetry: true)
    }
}
