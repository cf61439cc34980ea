/// The sessions that a device should have: when one has to end, and when it must not.
struct SessionModel {
    /// Grows with each session.
    private(set) var number = 0
    /// Whether all events of this session have one id. After the time in the background has run out, each next event may begin a
    /// new one.
    private(set) var isSure = false
    /// The first of the sessions that may be the present one.
    private var first = 0
    private var ids: [Int: String] = [:]
    private var numbers: [String: Int] = [:]
    /// When the app entered the background.
    private var background: Int64?
    private var isInForeground = false
    private let timeout: Int64

    init(timeout: Int64) { self.timeout = timeout }

    /// - Parameter mayGoOn: Whether the session before may still go on.
    private mutating func next(isSure: Bool, mayGoOn: Bool) {
        number += 1
        if !mayGoOn { first = number }
        self.isSure = isSure
    }

    /// A new process, which continues the session of one that was in the background.
    ///
    /// - Parameter isCertain: Whether the former one has stored all changes; otherwise an earlier session may go on.
    mutating func processStarted(isCertain: Bool = true) {
        next(isSure: false, mayGoOn: !isInForeground)
        if !isCertain { first = 0 }
        isInForeground = false
        background = nil
    }

    mutating func becameActive(at now: Int64) {
        checkTime(at: now)
        // In a new process, and after the time has run out, the present session may have begun a moment before.
        if !isSure { next(isSure: true, mayGoOn: true) }
        isInForeground = true
        background = nil
    }

    mutating func enteredBackground(at now: Int64) {
        guard isInForeground else { return }
        isInForeground = false
        background = now
    }

    /// Ends a session that was in the background for too long. Call it before each event.
    mutating func checkTime(at now: Int64) {
        guard let since = background, now - since >= timeout else { return }
        background = nil
        next(isSure: false, mayGoOn: false)
    }

    /// - Parameter isSurelyOther: Whether somebody else uses the app now.
    mutating func userChanged(isSurelyOther: Bool) {
        // In the background the time starts anew.
        background = nil
        next(isSure: isInForeground, mayGoOn: !isSurelyOther)
    }

    /// Whether an event of an earlier session may belong to this one, which is the present one.
    func canBeSame(_ earlier: Int, as session: Int) -> Bool { session == number && earlier >= first }

    /// An event of the session with this number has this id.
    ///
    /// - Returns: What is wrong.
    mutating func note(_ id: String, in session: Int) -> String? {
        guard session == number else { return nil }
        if isSure, let other = ids[session], other != id { return "a session has two ids" }
        if let earlier = numbers[id], !canBeSame(earlier, as: session) { return "a session goes on that has ended" }
        ids[session] = id
        numbers[id] = session
        return nil
    }
}
