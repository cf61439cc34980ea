import APNSModel
import APNSProvider
import Testing

/// A way in which a server misbehaves over HTTP/2, and what becomes of the notification that is sent to it.
struct HostileCase: Sendable, CustomTestStringConvertible {
    /// What the server does, as a row of the page.
    let name: String
    let server: HostileServer
    let ending: Ending
    /// Whether the sender presents a client certificate, and so waits for SETTINGS before it writes.
    var usesCertificate = false
    /// Whether the next notification is accepted once the server behaves.
    var recovers = true
    /// Whether the notification is sent again and again, so that its deadline may find it written or not.
    var isSentAgain = false

    var testDescription: String { name }

    init(
        _ name: String, _ server: HostileServer, _ ending: Ending,
        usesCertificate: Bool = false,
        recovers: Bool = true,
        isSentAgain: Bool = false
    ) {
        self.name = name
        self.server = server
        self.ending = ending
        self.usesCertificate = usesCertificate
        self.recovers = recovers
        self.isSentAgain = isSentAgain
    }

    static let all = opening + frames + floods + heads + answers + ends
}

/// What became of a notification.
struct Ending: Sendable, Hashable, CustomStringConvertible {
    enum Result: Sendable, Hashable {
        case accepted
        case refused
        case unsent(APNSSendError.Code)
        case unknown(APNSSendError.Code)

        var text: String {
            switch self {
            case .accepted: "accepted"
            case .refused: "refused"
            case .unsent(let code): "unsent, `\(code.rawValue)`"
            case .unknown(let code): "unknown, `\(code.rawValue)`"
            }
        }
    }

    /// When the outcome was there.
    enum Bound: Sendable, Hashable {
        case atOnce
        /// With the frame of this number.
        case frame(Int)
        /// A PING after 15 s of silence, and 10 s without an answer to it.
        case silence
        /// The notification's own, after 30 s.
        case deadline
        /// The time limit of the TCP connect or of the TLS handshake.
        case connectTimeout

        var text: String {
            switch self {
            case .atOnce: "at once"
            case .frame(let number): "with frame \(number)"
            case .silence: "25 s: PING"
            case .deadline: "30 s: deadline"
            case .connectTimeout: "10 s: `connectTimeout`"
            }
        }
    }

    var result: Result
    /// The reason of a refusal, or the detail of an error. `…` stands for any text, where it comes from nghttp2, OpenSSL
    /// or the system. ` / ` is between messages of which any may come.
    var message: String
    var bound: Bound
    /// Whether the connection goes on.
    var isKept: Bool
    /// Connections until the outcome was there.
    var connects: Int

    init(_ result: Result, _ message: String = "", _ bound: Bound = .atOnce, kept: Bool = true, connects: Int = 1) {
        self.result = result
        self.message = message
        self.bound = bound
        self.isKept = kept
        self.connects = connects
    }

    /// - Parameter outcome: The outcome of the notification.
    init(_ outcome: APNSOutcome, _ bound: Bound, kept: Bool, connects: Int) {
        switch outcome {
        case .accepted: self.init(.accepted, "", bound, kept: kept, connects: connects)
        case .refused(let refusal):
            let code = refusal.reason.code.isEmpty ? "no reason" : refusal.reason.code
            self.init(.refused, "\(code) (\(refusal.reason.status))", bound, kept: kept, connects: connects)
        case .unsent(let error):
            self.init(.unsent(error.code), error.detail, bound, kept: kept, connects: connects)
        case .unknown(let error):
            self.init(.unknown(error.code), error.detail, bound, kept: kept, connects: connects)
        }
    }

    /// Whether `other` is the same, where this ending is one of a table.
    func allows(_ other: Ending) -> Bool {
        var named = other
        if Ending.isText(other.message, like: message) { named.message = message }
        return named == self
    }

    /// Whether `other` has the same outcome, whenever it came.
    func allowsOutcome(_ other: Ending) -> Bool {
        other.result == result && Ending.isText(other.message, like: message)
    }

    private static func isText(_ text: String, like message: String) -> Bool {
        message.split(separator: " / ").contains { isText(text, like: $0) } || text == message
    }

    /// Whether `text` has the parts of `pattern` between its marks, in order, and begins and ends like it.
    private static func isText(_ text: String, like pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return text == pattern }
        guard text.hasPrefix(parts[0]), text.hasSuffix(parts[parts.count - 1]) else { return false }
        var rest = text.dropFirst(parts[0].count)
        for part in parts.dropFirst() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    var description: String {
        "\(result.text), \"\(message)\", \(bound.text), \(isKept ? "kept" : "ended"), \(connects) connects"
    }
}
