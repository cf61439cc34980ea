internal import APNSModel
internal import SystemFiles

package struct RedisAddress: Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Where a server is, and how a client reaches it.
package struct RedisConfiguration: Sendable {
    /// What to ask for the address of the master.
    package struct Sentinels: Hashable, Sendable {
        package var masterName: String
        package var user: String?
        package var password: String?
    }

    /// The server; with sentinels, these, of which the first that answers is asked.
    package var addresses: [RedisAddress]
    package var sentinels: Sentinels?
    package var database = 0
    package var user: String?
    package var password: String?
    package var isEncrypted = false
    /// Certificates to trust, as PEM; nil trusts those of the system.
    package var authorities: [UInt8]?

    /// For TCP, TLS and logging in, each.
    package var connectTimeout = Duration.seconds(5)
    /// How long an answer may take.
    package var requestTimeout = Duration.seconds(10)
    package var firstBackOff = Duration.milliseconds(100)
    package var longestBackOff = Duration.seconds(5)
    /// The most requests that wait for an answer, and the most bytes of all of them.
    package var maximumRequests = 4096
    package var maximumRequestBytes = 64 << 20
    package var replies = RedisReader.Limits()

    package init(addresses: [RedisAddress]) { self.addresses = addresses }
}

/// A URL `redis[s]://[USER:PASSWORD@]HOST[:PORT][,HOST:PORT…][/DATABASE][?NAME=VALUE…]`.
package struct RedisURL: Sendable {
    package var configuration: RedisConfiguration
    /// The values of the query that this module does not know.
    package var others: [String: String] = [:]

    /// Reads the files that the query names: `ca` has certificates to trust, `password-file` and `sentinel-password-file`
    /// a password each. `sentinel` is the name of a master; the hosts are then sentinels.
    package init(_ text: String) throws(RedisError) {
        var rest = Substring(text)
        let isEncrypted: Bool
        if rest.hasPrefix("redis://") {
            isEncrypted = false
        } else if rest.hasPrefix("rediss://") {
            isEncrypted = true
        } else {
            throw RedisError(.badURL, "the URL of the queue must begin with redis:// or rediss://")
        }
        rest = rest.dropFirst(isEncrypted ? 9 : 8)
        guard !rest.contains("#") else { throw RedisError(.badURL, "write # in the URL of the queue as %23") }

        var query = Substring()
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        var path = Substring()
        if let slash = rest.firstIndex(of: "/") {
            path = rest[rest.index(after: slash)...]
            rest = rest[..<slash]
        }
        var login: (user: String?, password: String)?
        if let at = rest.lastIndex(of: "@") {
            login = try RedisURL.login(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        var values: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = PercentText.decoded(parts[0]), let value = PercentText.decoded(parts[1])
            else { throw RedisError(.badURL, "the query of the URL must be NAME=VALUE pairs with & between them") }
            guard values.updateValue(value, forKey: name) == nil else {
                throw RedisError(.badURL, "the URL of the queue gives \(ShownText.quoted(name)) twice")
            }
        }

        let masterName = values.removeValue(forKey: "sentinel")
        let hosts = rest.split(separator: ",", omittingEmptySubsequences: false)
        guard hosts.count == 1 || masterName != nil else {
            throw RedisError(
                .badURL,
                "the URL names \(hosts.count) hosts; several are sentinels, which need ?sentinel=NAME-OF-MASTER")
        }
        var addresses: [RedisAddress] = []
        for host in hosts {
            addresses.append(try RedisURL.address(host, defaultPort: masterName == nil ? 6379 : 26379))
        }

        configuration = RedisConfiguration(addresses: addresses)
        configuration.isEncrypted = isEncrypted
        configuration.user = login?.user
        configuration.password = login?.password
        if !path.isEmpty {
            guard let number = Int(path), number >= 0, path.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw RedisError(.badURL, "the database in the URL of the queue must be a number, as in redis://host/0")
            }
            configuration.database = number
        }
        if let file = values.removeValue(forKey: "ca") {
            guard isEncrypted else { throw RedisError(.badURL, "ca= in the URL needs rediss://") }
            configuration.authorities = try RedisURL.content(of: file)
        }
        if let file = values.removeValue(forKey: "password-file") {
            guard login == nil || login?.password == "" else {
                throw RedisError(.badURL, "the URL of the queue gives a password and a password-file")
            }
            configuration.password = try RedisURL.password(in: file)
        }
        if let masterName {
            var sentinels = RedisConfiguration.Sentinels(masterName: masterName)
            sentinels.user = values.removeValue(forKey: "sentinel-user")
            sentinels.password = try values.removeValue(forKey: "sentinel-password-file").map {
                file throws(RedisError) in
                try RedisURL.password(in: file)
            }
            configuration.sentinels = sentinels
        }
        others = values
    }

    private static func login(_ text: Substring) throws(RedisError) -> (user: String?, password: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts.map { PercentText.decoded($0) }
        guard let user = words[0], words.count == 1 || words[1] != nil else {
            throw RedisError(.badURL, "user and password in the URL of the queue have a wrong % sequence")
        }
        return (user.isEmpty ? nil : user, words.count == 2 ? words[1]! : "")
    }

    private static func address(_ text: Substring, defaultPort: Int) throws(RedisError) -> RedisAddress {
        var host = text
        var port: Int? = defaultPort
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let tail = text[text.index(after: end)...]
            if !tail.isEmpty { port = tail.hasPrefix(":") ? NetworkAddress.port(tail.dropFirst()) : nil }
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            port = NetworkAddress.port(text[text.index(after: colon)...])
        }
        guard let port else { throw RedisError(.badURL, "the port in the URL of the queue must be from 1 to 65535") }
        guard NetworkAddress.isHost(host) else {
            throw RedisError(
                .badURL, "the URL of the queue has no host where it should, as in redis://127.0.0.1:6379/0")
        }
        return RedisAddress(host: String(host), port: port)
    }

    private static func content(of file: String) throws(RedisError) -> [UInt8] {
        do {
            return try PrivateFolder.read(file, maximum: 1 << 20)
        } catch {
            throw RedisError(.unusableFile, "\(file), which the URL of the queue names: \(error)")
        }
    }

    private static func password(in file: String) throws(RedisError) -> String {
        guard let text = String(validating: try content(of: file), as: UTF8.self) else {
            throw RedisError(.unusableFile, "\(file), which the URL of the queue names, is not UTF-8")
        }
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !line.isEmpty else {
            throw RedisError(.unusableFile, "\(file), which the URL of the queue names, is empty")
        }
        return line
    }
}
