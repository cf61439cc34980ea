public import Foundation

/// Sends decision requests. An app uses ``URLSessionDecisionTransport``; a test answers by itself.
public protocol DecisionTransport: Sendable {
    /// Sends one request and returns the whole reply. Every status is a reply, also one that refuses.
    ///
    /// When its task is cancelled, the answer is no longer wanted: return soon.
    ///
    /// - Throws: `network`, `timeout`, `cancelled`, or `responseInvalid` for a reply that is too large.
    func send(_ request: DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply
}

/// A transport that calls a closure.
public struct ClosureDecisionTransport: DecisionTransport {
    private let body: @Sendable (DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply

    public init(_ body: @escaping @Sendable (DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply) {
        self.body = body
    }

    public func send(_ request: DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply {
        try await body(request)
    }
}

/// A `POST`.
public struct DecisionHTTPRequest: Hashable, Sendable {
    public var url: URL
    public var body: [UInt8]
    public var contentType: String
    /// The limit for the whole exchange.
    public var withinMilliseconds: Int64
    public var maximumReplyBytes: Int

    public init(
        url: URL, body: [UInt8], contentType: String = "application/json", withinMilliseconds: Int64,
        maximumReplyBytes: Int
    ) {
        self.url = url
        self.body = body
        self.contentType = contentType
        self.withinMilliseconds = withinMilliseconds
        self.maximumReplyBytes = maximumReplyBytes
    }
}

public struct DecisionHTTPReply: Hashable, Sendable {
    public var status: Int
    /// Names in lower case. `content-type`, `date` and `retry-after` are read.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
