internal import APNSModel

/// Why there is no answer, or why the server refused.
package struct RedisError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let name: String
        package init(_ name: String) { self.name = name }
        package var description: String { name }

        // No answer.
        package static let badURL = Code("bad-url")
        /// A file that the URL names cannot be read, or has something else.
        package static let unusableFile = Code("unusable-file")
        package static let connectFailed = Code("connect-failed")
        package static let tlsFailed = Code("tls-failed")
        package static let connectionLost = Code("connection-lost")
        package static let timedOut = Code("timed-out")
        package static let notRedis = Code("not-redis")
        package static let protocolViolation = Code("protocol-violation")
        package static let replyTooLarge = Code("reply-too-large")
        package static let requestTooLarge = Code("request-too-large")
        package static let tooManyRequests = Code("too-many-requests")
        package static let closed = Code("closed")
        package static let noMaster = Code("no-master")
        // Refusals of the server.
        package static let loading = Code("loading")
        package static let readOnly = Code("read-only")
        package static let clusterMode = Code("cluster-mode")
        package static let passwordNeeded = Code("password-needed")
        package static let wrongPassword = Code("wrong-password")
        package static let noPermission = Code("no-permission")
        package static let full = Code("full")
        package static let busy = Code("busy")
        package static let notPersistent = Code("not-persistent")
        package static let notReplicated = Code("not-replicated")
        package static let noScript = Code("no-script")
        package static let noGroup = Code("no-group")
        package static let groupExists = Code("group-exists")
        package static let wrongType = Code("wrong-type")
        package static let unknownCommand = Code("unknown-command")
        package static let tooManyClients = Code("too-many-clients")
        package static let protectedMode = Code("protected-mode")
        package static let badDatabase = Code("bad-database")
        package static let notANumber = Code("not-a-number")
        package static let refused = Code("refused")
    }

    package var code: Code
    package var detail: String
    /// Whether the server may have run the command although the call failed.
    package var mayHaveRun: Bool

    package init(_ code: Code, _ detail: String, mayHaveRun: Bool = false) {
        self.code = code
        self.detail = detail
        self.mayHaveRun = mayHaveRun
    }

    package var description: String { detail }

    /// Whether the client closes the connection after this refusal: a new connection may reach a server that is a
    /// master, or has loaded its data.
    var endsConnection: Bool { [.readOnly, .loading, .tooManyClients, .protectedMode].contains(code) }

    /// Whether the next connection would fail the same way until somebody changes the configuration.
    package var isPermanent: Bool {
        [
            .badURL, .unusableFile, .notRedis, .clusterMode, .passwordNeeded, .wrongPassword, .noPermission,
            .protectedMode, .badDatabase,
        ].contains(code)
    }
}

extension RedisError {
    private struct Refusal {
        var prefix: String
        var code: Code
        var sentence: String
        init(_ prefix: String, _ code: Code, _ sentence: String) {
            self.prefix = prefix
            self.code = code
            self.sentence = sentence
        }
    }

    /// The first entry whose prefix the reply has.
    private static let refusals: [Refusal] = [
        Refusal("LOADING", .loading, "the server still loads its data; it answers when that is done"),
        Refusal(
            "READONLY", .readOnly, "the server is a replica, which takes no writes; name its master, or the sentinels"),
        Refusal("MOVED", .clusterMode, cluster), Refusal("ASK ", .clusterMode, cluster),
        Refusal("CROSSSLOT", .clusterMode, cluster), Refusal("CLUSTERDOWN", .clusterMode, cluster),
        Refusal(
            "NOAUTH", .passwordNeeded, "the server wants a password; the URL takes it as redis://user:password@host"),
        Refusal("WRONGPASS", .wrongPassword, "the server refuses user or password of the URL"),
        Refusal("ERR invalid password", .wrongPassword, "the server refuses the password of the URL"),
        Refusal("ERR Client sent AUTH", .wrongPassword, "the server has no password, and the URL gives one"),
        Refusal("ERR AUTH <password>", .wrongPassword, "the server has no password, and the URL gives one"),
        Refusal("OOM", .full, "the server is full: it has reached maxmemory and may evict nothing"),
        Refusal("BUSY ", .busy, "the server is busy with a script that runs too long"),
        Refusal(
            "MISCONF", .notPersistent,
            "the server cannot write its data to its disk, so it takes no writes; see its log"),
        Refusal("MASTERDOWN", .loading, "the server is a replica that has lost its master"),
        Refusal("NOREPLICAS", .notReplicated, "the server has too few replicas to take writes (min-replicas-to-write)"),
        Refusal("NOSCRIPT", .noScript, "the server does not have the script"),
        Refusal("ERR max number of clients", .tooManyClients, "the server has as many clients as maxclients allows"),
        Refusal(
            "DENIED", .protectedMode,
            "the server is in protected mode: without a password it takes clients of its own machine only"),
        Refusal("ERR DB index", .badDatabase, "the server does not have the database of the URL"),
        Refusal("ERR invalid DB index", .badDatabase, "the server does not have the database of the URL"),
    ]

    private static let cluster =
        "the server runs in cluster mode, which the queue does not support; use one server, with replicas and sentinels"

    /// Refusals whose text names the key, group or command, so that it is shown.
    private static let quoted: [(prefix: String, code: Code)] = [
        ("NOPERM", .noPermission), ("NOGROUP", .noGroup), ("BUSYGROUP", .groupExists), ("WRONGTYPE", .wrongType),
        ("ERR value is not an integer", .notANumber), ("ERR increment or decrement would overflow", .notANumber),
        ("ERR unknown command", .unknownCommand), ("ERR Unknown subcommand", .unknownCommand),
        ("ERR unknown subcommand", .unknownCommand),
    ]

    /// What scripts are refused in their middle; the text has it somewhere.
    private static let refusalsOfScripts: [(text: String, code: Code)] = [
        ("non local key in a cluster node", .clusterMode), ("while the cluster is down", .clusterMode),
        ("The user executing the script can't", .noPermission), ("ACL failure in script", .noPermission),
    ]

    /// - Parameter reply: The text of an error reply.
    init(reply: String) {
        let cause = RedisError.cause(reply)
        if let found = RedisError.refusals.first(where: { cause.hasPrefix($0.prefix) }) {
            self.init(found.code, found.sentence)
            return
        }
        let ofScript = RedisError.refusalsOfScripts.first { reply.contains($0.text) }?.code
        guard ofScript != .clusterMode else {
            self.init(.clusterMode, RedisError.cluster)
            return
        }
        // Redis repeats the arguments of an unknown command, which may hold device tokens.
        var text = Substring(reply)
        if let tail = text.firstRange(of: ", with args beginning") { text = text[..<tail.lowerBound] }
        let code = RedisError.quoted.first { cause.hasPrefix($0.prefix) }?.code ?? ofScript ?? .refused
        self.init(code, "the server says \(ShownText.quoted(text, to: 200))")
    }

    /// What stopped a script. Redis 6 writes the script and the line before it, and later versions behind it.
    private static func cause(_ reply: String) -> Substring {
        guard reply.hasPrefix("ERR Error running script"),
            let place = reply.ranges(of: "@user_script").last
        else { return reply[...] }
        return reply[place.upperBound...].drop { ": -".contains($0) || $0.isNumber }
    }

    /// Names the command of `script` that the user may not run: the server gives a line of the script instead.
    func naming(_ script: RedisScript) -> RedisError {
        guard code == .noPermission, let mark = detail.ranges(of: "@user_script").last else { return self }
        let digits = detail[mark.upperBound...].drop { ": ".contains($0) }.prefix { $0.isNumber }
        guard let line = Int(digits), let command = script.command(inLine: line) else { return self }
        return RedisError(
            code,
            "the user has no right to the command \(command), or none to a key of the queue; docs/queue.md lists the rights",
            mayHaveRun: mayHaveRun)
    }

    /// - Parameter reader: What hiredis says about the bytes.
    init(reader: String) {
        // The first byte of a TLS alert.
        guard !reader.contains("\\x15") else {
            self.init(.tlsFailed, "the server speaks TLS; the URL of a server with TLS begins with rediss://")
            return
        }
        self.init(
            .notRedis, "the server does not speak the Redis protocol (\(ShownText.quoted(reader, to: 100)))")
    }
}
