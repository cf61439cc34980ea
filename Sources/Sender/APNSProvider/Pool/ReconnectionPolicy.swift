import APNSModel

/// When a provider may connect to the address of its gateway: at once while the gateway works, and after growing waits
/// while connections fail, in whatever way they do.
///
/// The waits grow until a connection has worked steadily. One answer is not enough: a gateway may answer once and close
/// each connection. With waits of 250 ms to 60 s, a gateway that never works gets at most 20 connects in ten minutes, and one that
/// answers before it fails one more for each further connection of the pool.
struct ReconnectionPolicy {
    /// Why no new notification is written on a connection.
    enum End {
        /// The gateway asked for another connection without an error, or the stream ids are used up.
        case inOrder
        case failed
    }

    /// Once this time lies between the first and the latest answer on a connection, it works steadily.
    static let steadyAnswers: Duration = .seconds(10)
    /// A connection that has answered at all and was open for this time has worked steadily: it was mostly idle.
    static let steadyLife: Duration = .seconds(30)

    let first: Duration
    let longest: Duration
    /// The failure since a connection last worked steadily, and the attempts after it.
    private(set) var failures = 0
    private var notBefore = MonotonicTime.zero
    private var generator: SeededGenerator

    /// - Parameters:
    ///   - first: The wait after the first failure. It doubles with each further attempt.
    ///   - longest: The upper bound of the waits.
    init(first: Duration, longest: Duration, seed: UInt64) {
        self.first = first
        self.longest = longest
        generator = SeededGenerator(seed: seed)
    }

    func allowsConnect(at now: MonotonicTime) -> Bool { now >= notBefore }

    /// An attempt to connect starts. After a failure, it sets the time of the next attempt, whatever becomes of this one.
    mutating func connecting(at now: MonotonicTime) {
        guard failures > 0 else { return }
        failures += 1
        notBefore = now + wait(after: failures)
    }

    /// A connection is open and has not answered. The next attempt may come at once, and those after it wait as after a
    /// failure until one works steadily: a gateway that accepts connections and never answers would otherwise get all that
    /// are allowed, one after the other.
    mutating func isSilent() { failures = max(failures, 1) }

    /// A connection works steadily. Call it once for each connection: one that still works says nothing about failures
    /// after it, which may be those of another address with the same name.
    mutating func worksSteadily() {
        failures = 0
        notBefore = .zero
    }

    /// A connection could not be opened or is closed, or no new notification is written on it.
    ///
    /// - Parameter wasSteady: Whether it worked steadily. Then it may be replaced now, also while others fail.
    mutating func ended(_ end: End, wasSteady: Bool, at now: MonotonicTime) {
        // The random part of the first wait keeps many providers from connecting at the moment when a gateway breaks.
        let next = end == .inOrder ? now : now + wait(after: 1)
        if wasSteady {
            failures = 0
            notBefore = next
        } else {
            failures = max(failures, 1)
            notBefore = max(notBefore, next)
        }
    }

    /// `first`, doubled for each failure after the first, at most `longest`, minus a random part of up to a half. The part
    /// is at most a fifth of `longest`, which bounds the connects in a time.
    private mutating func wait(after failures: Int) -> Duration {
        let longest = longest.wholeNanoseconds
        var wait = min(first.wholeNanoseconds, longest)
        for _ in 1..<max(1, failures) where wait < longest { wait = wait > longest / 2 ? longest : wait * 2 }
        let spread = min(wait / 2, longest / 5)
        return .nanoseconds(wait - (spread > 0 ? Int64.random(in: 0...spread, using: &generator) : 0))
    }
}
