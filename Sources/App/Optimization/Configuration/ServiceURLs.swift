import Foundation

/// The addresses of the services of a configuration, checked.
struct ServiceURLs: Hashable, Sendable {
    let profiles: URL
    let analytics: URL
    private let query: [URLQueryItem]

    /// - Throws: `configuration`, with what is wrong.
    init(_ configuration: OptimizationConfiguration) throws(OptimizationError) {
        let client = try ServiceURLs.segment(configuration.clientID, "clientID")
        let environment = try ServiceURLs.segment(configuration.environment, "environment")
        let place = ["organizations", client, "environments", environment]
        profiles = try ServiceURLs.url(
            ServiceURLs.base(
                configuration.experienceBaseURL ?? "https://experience.ninetailed.co/", "experienceBaseURL"),
            ["v2"] + place + ["profiles"])
        analytics = try ServiceURLs.url(
            ServiceURLs.base(
                configuration.insightsBaseURL ?? "https://ingest.insights.ninetailed.co/", "insightsBaseURL"),
            ["v1"] + place + ["events"])
        var query = [URLQueryItem(name: "locale", value: configuration.locale)]
        if configuration.isPreflight { query.append(URLQueryItem(name: "type", value: "preflight")) }
        self.query = configuration.locale.isEmpty ? Array(query.dropFirst()) : query
    }

    /// Where events of a profile go.
    ///
    /// - Parameter id: Nil to create a profile.
    func profile(_ id: String?) -> URL {
        var parts = URLComponents(url: profiles, resolvingAgainstBaseURL: false) ?? URLComponents()
        if let id { parts.percentEncodedPath += "/" + ServiceURLs.encoded(id) }
        if !query.isEmpty { parts.queryItems = query }
        return parts.url ?? profiles
    }

    /// - Parameter path: Percent-encoded parts.
    static func url(_ base: URLComponents, _ path: [String]) throws(OptimizationError) -> URL {
        var parts = base
        let start = parts.percentEncodedPath.hasSuffix("/") ? parts.percentEncodedPath : parts.percentEncodedPath + "/"
        parts.percentEncodedPath = start + path.joined(separator: "/")
        guard let url = parts.url else {
            throw OptimizationError(.configuration, "the parts of the configuration make no URL; check them")
        }
        return url
    }

    static func base(_ text: String, _ name: String) throws(OptimizationError) -> URLComponents {
        func wrong(_ detail: String) -> OptimizationError { OptimizationError(.configuration, "\(name) \(detail)") }
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty else {
            throw wrong("is not a URL with a host; give one such as https://experience.example.com/")
        }
        let isLocal = ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host.lowercased())
        guard parts.scheme?.lowercased() == "https" || parts.scheme?.lowercased() == "http" && isLocal else {
            throw wrong("must begin with https; http is for a service on this machine only")
        }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw wrong("has a user, a query or a fragment; give only scheme, host, port and path")
        }
        return parts
    }

    /// A part of a path, percent-encoded.
    static func segment(_ text: String, _ name: String) throws(OptimizationError) -> String {
        guard !text.trimmed.isEmpty, text != ".", text != "..", text.utf8.count <= 512 else {
            throw OptimizationError(
                .configuration, "\(name) is \(text.isEmpty ? "empty" : "not usable"); give the one of your organization"
            )
        }
        return encoded(text)
    }

    /// Everything but letters, digits, `-`, `_`, `.` and `~` is encoded, so that no id leaves its part of a path.
    static func encoded(_ text: String) -> String {
        let encoded = text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        // As a whole part these have a meaning.
        return encoded == "." ? "%2E" : encoded == ".." ? "%2E%2E" : encoded
    }

    private static let allowed = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~")
}
