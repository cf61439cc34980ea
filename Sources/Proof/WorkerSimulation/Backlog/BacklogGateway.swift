import APNSModel

/// The gateway of a `BacklogWorld`, which counts by the number of each push. It decides on a push when its answer is due, so
/// that what it has not answered was not delivered.
struct BacklogGateway {
    /// How it fails now; nil while it serves.
    var fault: BacklogPlan.Fault?
    /// How often it got each push.
    private(set) var attempts: [Int] = []
    /// When it accepted each push.
    private(set) var accepted: [Int64?] = []
    private(set) var attemptCount = 0
    private(set) var acceptedCount = 0
    private(set) var doubles = 0

    /// The time from a request to its answer, in milliseconds.
    static let latency: Int64 = 100
    static let connectTime: Int64 = 50
    static let streamLimit = 1000
    private static let firstToken = 0x1000_0000

    static func token(_ push: Int) -> String { String(firstToken + push, radix: 16) }

    static func number(of token: DeviceToken) -> Int {
        guard let number = Int(token.hex, radix: 16) else { preconditionFailure("each device token is a number") }
        return number - firstToken
    }

    /// A push with the next number was added to the queue.
    mutating func expectPush() {
        attempts.append(0)
        accepted.append(nil)
    }

    /// A request for the push has come.
    mutating func took(_ push: Int) {
        attempts[push] += 1
        attemptCount += 1
    }

    /// - Returns: The status of the answer.
    mutating func answer(_ push: Int, at time: Int64) -> Int {
        guard fault == nil else { return 503 }
        if accepted[push] == nil {
            accepted[push] = time
            acceptedCount += 1
        } else {
            doubles += 1
        }
        return 200
    }

    /// Whether it has accepted every one of the first pushes.
    func hasAccepted(first count: Int) -> Bool { accepted.prefix(count).allSatisfy { $0 != nil } }
}
