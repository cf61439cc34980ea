package import PushDispatch

/// A call together with the reading of its reply.
package protocol RESTExchange: Sendable {
    associatedtype Answer: Sendable

    var call: RESTCall { get }

    /// Switches to a form with a short address, after the server refused the length of the current one.
    ///
    /// - Returns: False if there is no shorter form.
    mutating func shorten() -> Bool

    /// Reads a reply. Refuses all of it if it contains anything that was not asked for.
    func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> Answer
}

extension RESTExchange {
    package mutating func shorten() -> Bool { false }

    static func bad(_ detail: String) -> FetchError { FetchError(.badReply, advice: .retryLater, detail) }
}
