import Foundation

/// Checks the addresses that a secret is sent to.
enum SecureAddress {
    /// Whether it is https, or http to the local machine, with a host and without user name or password.
    static func isSecure(_ url: URL) -> Bool {
        let host = url.host ?? ""
        guard !host.isEmpty, url.user == nil, url.password == nil else { return false }
        let isLocal = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
        let scheme = url.scheme?.lowercased()
        return scheme == "https" || (scheme == "http" && isLocal)
    }

    /// - Throws: `badRequest` if the access token would be sent unencrypted.
    static func url(_ instance: URL, _ path: String, _ query: String = "") throws(FetchError) -> URL {
        guard isSecure(instance) else {
            throw FetchError(.badRequest, advice: .stop, "the instance URL has to begin with https://")
        }
        guard var parts = URLComponents(url: instance, resolvingAgainstBaseURL: false) else {
            throw FetchError(.badRequest, advice: .stop, "the instance URL cannot be read")
        }
        parts.percentEncodedPath = path
        parts.percentEncodedQuery = query.isEmpty ? nil : query
        parts.fragment = nil
        guard let url = parts.url else {
            throw FetchError(.badRequest, advice: .stop, "the instance URL cannot be read")
        }
        return url
    }
}
