internal import APNSModel
internal import CPostgres
internal import SystemFiles

/// Where a server is, and how a client reaches it.
package struct PostgresConfiguration: Sendable {
    /// libpq's keywords with their values.
    var parameters: [(keyword: String, value: String)]
    /// `host:port`, for messages.
    package let place: String

    /// Channels to listen on.
    package var channels: [String] = []
    /// For the whole of connecting: TCP, TLS and logging in.
    package var connectTimeout = Duration.seconds(10)
    /// How long an answer may take. The server ends a statement, and a wait for a lock, a little earlier.
    package var requestTimeout = Duration.seconds(20)
    package var firstBackOff = Duration.milliseconds(100)
    package var longestBackOff = Duration.seconds(5)
    /// The most requests that wait for an answer, and the most bytes of all of them.
    package var maximumRequests = 1024
    package var maximumRequestBytes = 64 << 20
    package var maximumRows = 65_536

    /// - Parameters:
    ///   - url: `postgres://` or `postgresql://`, as libpq reads it; what is absent comes from libpq's environment variables
    ///     and files.
    ///   - environment: The variables of the process.
    ///
    /// TLS is verified: `sslmode` is `verify-full` unless the host is this machine, and then libpq's own. The modes that
    /// encrypt without verifying are refused.
    package init(url: String, environment: [String: String]) throws(PostgresError) {
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            throw PostgresError(.badURL, "the URL of the queue must begin with postgres:// or postgresql://")
        }
        try PostgresConfiguration.checkPassword(url)
        var values = try PostgresConfiguration.parse(url)
        let ports = (values["port"] ?? "").split(separator: ",")
        guard ports.allSatisfy({ UInt16($0) != nil }) else { throw PostgresConfiguration.badCharacters }
        let host = values["host"] ?? values["hostaddr"] ?? environment["PGHOST"] ?? ""
        let port = values["port"] ?? environment["PGPORT"] ?? "5432"
        place = host.isEmpty || host.hasPrefix("/") ? "the local socket, port \(port)" : "\(host):\(port)"

        let isLocal = host.split(separator: ",").allSatisfy(PostgresConfiguration.isThisMachine)
        let mode = values["sslmode"] ?? environment["PGSSLMODE"]
        if ["allow", "prefer", "require"].contains(mode), !isLocal {
            throw PostgresError(
                .badURL,
                "sslmode=\(mode!) does not verify the server; use verify-full, with sslrootcert=FILE for an authority of your own"
            )
        }
        if mode == nil, !isLocal { values["sslmode"] = "verify-full" }
        let hasRoot = values["sslrootcert"] ?? environment["PGSSLROOTCERT"] != nil
        if !isLocal, mode != "disable", !hasRoot, let file = PostgresConfiguration.systemAuthorities(environment) {
            values["sslrootcert"] = file
        }
        values["client_encoding"] = "UTF8"
        if values["application_name"] == nil { values["application_name"] = "apns worker" }
        parameters = values.sorted { $0.key < $1.key }.map { (keyword: $0.key, value: $0.value) }
    }

    /// libpq takes what is behind the first `@` for the host, and what is before the first `/` for host and port. Then a password
    /// with such a character would be part of its messages.
    private static func checkPassword(_ url: String) throws(PostgresError) {
        guard let scheme = url.firstRange(of: "://") else { return }
        var rest = url[scheme.upperBound...]
        if let mark = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[mark] == "@" {
            // The @ is in a parameter, and what is before it has no user.
            guard !rest[..<mark].contains("?password=") && !rest[..<mark].contains("&password=") else {
                throw badCharacters
            }
            rest = rest[rest.index(after: mark)...]
        }
        guard !rest.prefix(while: { $0 != "?" }).contains("@") else { throw badCharacters }
    }

    private static let badCharacters = PostgresError(
        .badURL,
        "the URL of the queue has an @ too many, or a port that is no number; write special characters of the password as % "
            + "sequences, such as %40 for @ and %2F for /")

    private static func parse(_ url: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            // The message may repeat the URL, which may have a password.
            PQfreemem(message)
            throw PostgresError(
                .badURL,
                "libpq cannot read the URL of the queue: it must be postgres://USER:PASSWORD@HOST:PORT/DATABASE?NAME=VALUE, "
                    + "with special characters as % sequences and names that libpq knows")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }

    /// No host is the local socket, and so is a path.
    private static func isThisMachine(_ host: some StringProtocol) -> Bool {
        host.hasPrefix("/") || host.hasPrefix("@") || LoopbackHost.isLoopback(String(host))
    }

    /// The bundle of the system, which libpq before version 16 cannot find.
    private static func systemAuthorities(_ environment: [String: String]) -> String? {
        let places = [
            environment["SSL_CERT_FILE"], "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/cert.pem", "/opt/homebrew/etc/ca-certificates/cert.pem",
        ]
        return places.lazy.compactMap { $0 }.first { PrivateFolder.exists($0) }
    }
}
