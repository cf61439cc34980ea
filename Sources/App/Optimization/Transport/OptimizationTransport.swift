public import Foundation

/// Sends requests to the services. An app uses ``URLSessionOptimizationTransport``; a test answers by itself.
public protocol OptimizationTransport: Sendable {
    /// Sends one request and returns the whole reply. Every status is a reply, also one that refuses.
    ///
    /// When its task is cancelled, the answer is no longer wanted: return soon.
    ///
    /// - Throws: `TransportFailure`.
    func send(_ request: OptimizationHTTPRequest) async throws(TransportFailure) -> OptimizationHTTPReply
}

/// A transport that calls a closure.
public struct ClosureOptimizationTransport: OptimizationTransport {
    private let body: @Sendable (OptimizationHTTPRequest) async throws(TransportFailure) -> OptimizationHTTPReply

    public init(
        _ body: @escaping @Sendable (OptimizationHTTPRequest) async throws(TransportFailure) -> OptimizationHTTPReply
    ) {
        self.body = body
    }

    public func send(_ request: OptimizationHTTPRequest) async throws(TransportFailure) -> OptimizationHTTPReply {
        try await body(request)
    }
}

public struct OptimizationHTTPRequest: Hashable, Sendable {
    public var method: String
    public var url: URL
    public var headers: [String: String]
    /// Nil for a request without a body.
    public var body: [UInt8]?
    /// The limit for the whole exchange.
    public var withinMilliseconds: Int64
    public var maximumReplyBytes: Int

    public init(
        method: String, url: URL, headers: [String: String] = [:], body: [UInt8]? = nil, withinMilliseconds: Int64,
        maximumReplyBytes: Int
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.withinMilliseconds = withinMilliseconds
        self.maximumReplyBytes = maximumReplyBytes
    }
}

public struct OptimizationHTTPReply: Hashable, Sendable {
    public var status: Int
    /// Names in lower case. `etag`, `retry-after` and `x-contentful-ratelimit-reset` are read.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The pause that the service asks for, in milliseconds; nil for none, and for a date.
    var pauseMilliseconds: Int64? {
        for name in ["retry-after", "x-contentful-ratelimit-reset"] {
            if let seconds = headers[name].flatMap({ Double($0.trimmed) }), seconds.isFinite, seconds >= 0 {
                return Int64(min(seconds, 86_400) * 1_000)
            }
        }
        return nil
    }
}

/// Why there is no reply.
public enum TransportFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case cancelled
    case timeout
    /// For example, there is no connection; the number is the system's error code.
    case network(Int)
    /// The reply has more bytes than this.
    case tooLarge(Int)

    public var description: String {
        switch self {
        case .cancelled: "the request was cancelled"
        case .timeout: "no answer in time; try again later"
        case .network(let code): "no answer (error \(code)); check connection and address, and try again later"
        case .tooLarge(let bytes): "the reply has more than \(bytes) bytes; ask for less, or raise the limit"
        }
    }
}
