internal import APNSModel

/// Why there is no answer, or why the server refused.
package struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let name: String
        package init(_ name: String) { self.name = name }
        package var description: String { name }

        // No answer.
        package static let badURL = Code("bad-url")
        package static let connectFailed = Code("connect-failed")
        package static let tlsFailed = Code("tls-failed")
        package static let connectionLost = Code("connection-lost")
        package static let timedOut = Code("timed-out")
        package static let requestTooLarge = Code("request-too-large")
        package static let tooManyRequests = Code("too-many-requests")
        package static let resultTooLarge = Code("result-too-large")
        package static let badText = Code("bad-text")
        package static let oldServer = Code("old-server")
        package static let closed = Code("closed")
        // Refusals of the server.
        package static let wrongPassword = Code("wrong-password")
        package static let noDatabase = Code("no-database")
        package static let noTable = Code("no-table")
        package static let otherTable = Code("other-table")
        package static let noPermission = Code("no-permission")
        package static let full = Code("full")
        package static let readOnly = Code("read-only")
        package static let starting = Code("starting")
        package static let stopping = Code("stopping")
        package static let tooManyClients = Code("too-many-clients")
        package static let locked = Code("locked")
        package static let conflict = Code("conflict")
        package static let refused = Code("refused")
    }

    package var code: Code
    package var detail: String
    /// Five characters of the server; nil where the error is not the server's.
    package var sqlState: String?
    /// Whether the server may have run the statements although the call failed.
    package var mayHaveRun: Bool

    package init(_ code: Code, _ detail: String, sqlState: String? = nil, mayHaveRun: Bool = false) {
        self.code = code
        self.detail = detail
        self.sqlState = sqlState
        self.mayHaveRun = mayHaveRun
    }

    package var description: String { detail }

    /// Whether the next connection would fail the same way until somebody changes the configuration.
    package var isPermanent: Bool {
        [.badURL, .wrongPassword, .noDatabase, .noTable, .otherTable, .noPermission, .oldServer].contains(code)
    }

    /// Whether the client closes the connection after this refusal: a prepared statement does not fit its table any more, and
    /// stays so on this connection. The text of the server may be in any language.
    var endsConnection: Bool { sqlState == "0A000" }
}

extension PostgresError {
    private struct Refusal {
        var state: String
        var code: Code
        var advice: String

        init(_ state: String, _ code: Code, _ advice: String) {
            self.state = state
            self.code = code
            self.advice = advice
        }
    }

    private static let anotherTable =
        "the table is not the one of this version; where an older version made it: apns worker sql | psql"

    /// What to do where nothing can be written.
    package static let readOnlyAdvice = """
        the server or this role takes no writes: name the primary instead of a standby, or set default_transaction_read_only \
        off for server, database and role
        """

    /// The first entry whose text the SQLSTATE begins with.
    private static let refusals: [Refusal] = [
        Refusal("28", .wrongPassword, "check user and password of the URL, and pg_hba.conf"),
        Refusal("3D000", .noDatabase, "create the database"),
        Refusal("42P01", .noTable, "create it with: apns worker sql | psql"),
        Refusal("42703", .otherTable, anotherTable),
        Refusal("42883", .otherTable, anotherTable),
        Refusal("42804", .otherTable, anotherTable),
        Refusal("42501", .noPermission, "grant it; `apns worker sql` has the statements"),
        Refusal("53100", .full, "the disk of the server is full"),
        Refusal("53200", .full, "the server has no memory"),
        Refusal("53300", .tooManyClients, "raise max_connections, or run fewer workers"),
        Refusal("53", .full, "the server lacks a resource"),
        Refusal("25006", .readOnly, readOnlyAdvice),
        Refusal("57P03", .starting, "the server is not ready yet"),
        Refusal("57P", .stopping, "the server stops, or somebody ended the connection"),
        Refusal("57014", .locked, "a statement took longer than statement_timeout"),
        Refusal("55P03", .locked, "somebody holds a lock on the rows for long; look at pg_stat_activity"),
        Refusal(
            "0A000", .conflict,
            "a standby cannot do it; where a table was changed, the statement is prepared again on a new connection"),
        Refusal("40", .conflict, "the same statement may succeed when it is sent again"),
    ]

    /// - Parameter message: The primary message of the server, which names tables and columns and no values of rows.
    init(sqlState: String, message: String) {
        let found = PostgresError.refusals.first { sqlState.hasPrefix($0.state) }
        let text = "the server says \(ShownText.quoted(message, to: 300)) (SQLSTATE \(sqlState))"
        self.init(found?.code ?? .refused, found.map { "\(text); \($0.advice)" } ?? text, sqlState: sqlState)
    }

    /// What libpq says of a connection that it could not make. Its text has host, port and user, and no password.
    init(connecting message: String) {
        var text = PostgresError.line(message)
        if text.contains("could not translate host name") {
            text += "; check its spelling, and the DNS of this machine"
        }
        let found = PostgresError.connecting.first { text.contains($0.text) }
        self.init(found?.code ?? .connectFailed, text)
    }

    /// Parts of libpq's English messages; with another language the code is `connectFailed`.
    private static let connecting: [(text: String, code: Code)] = [
        ("password authentication failed", .wrongPassword), ("no password supplied", .wrongPassword),
        ("no pg_hba.conf entry", .wrongPassword), ("role \"", .wrongPassword),
        ("database \"", .noDatabase), ("too many clients", .tooManyClients),
        ("remaining connection slots", .tooManyClients),
        ("the database system is", .starting), ("SSL", .tlsFailed), ("certificate", .tlsFailed),
        ("server closed the connection", .connectionLost),
    ]

    /// A message of several lines as one.
    static func line(_ message: String) -> String {
        let parts = message.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" || $0 == " " } }
        return ShownText.cut(parts.joined(separator: "; "), to: 500)
    }
}
