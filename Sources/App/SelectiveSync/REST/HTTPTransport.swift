#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Sends HTTP requests. An app uses URLSession (`BoundedHTTP`); a simulation carries them to a simulated org.
package protocol HTTPTransport: Sendable {
    /// Returns the whole reply. Every status is a reply, also one that refuses.
    ///
    /// - Parameter milliseconds: The limit for the whole exchange, even if data keeps arriving.
    /// - Throws: `timeout`, `network`, `cancelled` or `replyTooLarge`. Whether the server took the request is not known then.
    func send(_ request: URLRequest, within milliseconds: Int64) async throws(FetchError) -> RESTReply
}
