import APNSModel

/// How many pushes of a tenant its sender may have: all that it takes, until one gets no answer in time; then as many as the
/// gateway has answered lately, and some more.
///
/// A push that waits in the sender for a free stream uses up the time for its answer. One that is written at the end of that
/// time gets its answer too late: the gateway has accepted it, and it is sent again. With this limit, pushes of a slow gateway
/// wait in the worker, where no time runs.
struct SenderLimit: Hashable, Sendable {
    private let most: Int
    /// How many more than were answered lately. Each push without an answer in time halves it, and quick answers raise it.
    private var spare: Int
    /// How many answers came in each of the last parts of the time that counts; a part is found by its number.
    private var answers = [Int](repeating: 0, count: SenderLimit.parts)
    private var newestPart: Int64 = 0
    private let partNanoseconds: Int64
    /// When the gateway answered last.
    private(set) var lastAnswer: MonotonicTime?

    /// A power of two.
    private static let parts = 16

    /// - Parameters:
    ///   - most: What the sender takes.
    ///   - timeout: How long the sender waits for an answer. Answers of the last third of it count, so a push waits for a stream
    ///     for about a third of it.
    init(most: Int, timeout: Duration) {
        self.most = most
        spare = most
        partNanoseconds = max(1, timeout.wholeNanoseconds / Int64(3 * SenderLimit.parts))
    }

    func count(at now: MonotonicTime) -> Int {
        if spare >= most { return most }
        let part = now.nanoseconds / partNanoseconds
        var recent = 0
        for back in 0..<Int64(SenderLimit.parts) where newestPart - back > part - Int64(SenderLimit.parts) {
            recent += answers[SenderLimit.index(newestPart - back)]
        }
        return min(most, recent + spare)
    }

    /// The gateway has answered a push.
    ///
    /// - Parameter nanoseconds: How long the push was with the sender.
    mutating func answered(after nanoseconds: Int64, at now: MonotonicTime) {
        let part = now.nanoseconds / partNanoseconds
        if part > newestPart {
            // Their places have the counts of earlier parts.
            for passed in max(newestPart + 1, part - Int64(SenderLimit.parts - 1))...part {
                answers[SenderLimit.index(passed)] = 0
            }
            // Where all answers take long and none is late, it grows slowly.
            if part / Int64(SenderLimit.parts) > newestPart / Int64(SenderLimit.parts) { spare = min(most, spare + 1) }
            newestPart = part
        }
        answers[SenderLimit.index(newestPart)] += 1
        if nanoseconds < partNanoseconds * Int64(SenderLimit.parts) { spare = min(most, spare + 1) }
        lastAnswer = now
    }

    /// A push got no stream, or no answer, in time.
    mutating func timedOut() { spare = max(1, spare / 2) }

    private static func index(_ part: Int64) -> Int { Int(truncatingIfNeeded: part) & (parts - 1) }
}
