package import PushDispatch

/// A call and the reading of its reply.
package protocol RESTExchange: Sendable {
    associatedtype Answer: Sendable

    var call: RESTCall { get }

    /// Goes over to a form with a short address, after the server refused the length of this one.
    ///
    /// - Returns: False where there is none, or it is taken already.
    mutating func shorten() -> Bool

    /// Checks a reply against the call: whatever was not asked for is refused as a whole.
    func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> Answer
}

extension RESTExchange {
    package mutating func shorten() -> Bool { false }

    static func bad(_ detail: String) -> FetchError { FetchError(.badReply, advice: .retryLater, detail) }
}
