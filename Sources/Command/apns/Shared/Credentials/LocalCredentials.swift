import PayloadJSON

/// The development credentials in a folder `certs/dev`, which `apns gateway` and `apns credentials` make.
struct LocalCredentials: Hashable, Sendable {
    var caPath: String
    var keyPath: String
    var keyID: String?
    var teamID: String?
    var topic: String?

    static let folderName = "certs/dev"
}

extension LocalCredentials {
    /// - Parameters:
    ///   - folder: With a slash at its end, or empty.
    ///   - description: The text of `credentials.json`.
    /// - Returns: Nil where it is no JSON object that names a key.
    init?(folder: String, description: [UInt8]) {
        var reader = JSONReader()
        guard (try? reader.parse(description)) != nil else { return nil }
        let document = reader.document
        let text = { (key: String) in document.member(named: key, of: .root).flatMap { document.string(of: $0) } }
        // The key lies beside its description, wherever the path in it was counted from.
        guard let key = text("key")?.split(separator: "/").last else { return nil }
        caPath = folder + "ca.pem"
        keyPath = folder + key
        keyID = text("key-id")
        teamID = text("team-id")
        topic = text("topic")
    }

    /// Looks in `start` and in the folders above it.
    ///
    /// - Parameter start: An absolute path.
    static func find(from start: String) throws(CommandError) -> LocalCredentials {
        var parent = Substring(start)
        while true {
            while parent.hasSuffix("/") { parent.removeLast() }
            let folder = "\(parent)/\(folderName)/"
            if System.fileExists(folder + "credentials.json") {
                let name = folder + "credentials.json"
                let bytes = try CredentialChoice.read(name, "the description of the development credentials")
                guard let credentials = LocalCredentials(folder: folder, description: bytes) else {
                    throw CommandError(
                        "\(name) is not what it should be, a JSON object with key, key-id, team-id and topic; remove the "
                            + "folder and make new ones with: apns credentials")
                }
                return credentials
            }
            guard let slash = parent.lastIndex(of: "/") else { break }
            parent = parent[..<slash]
        }
        throw CommandError(
            "there is no \(folderName)/credentials.json in \(start) or above it; start the gateway there first, which makes "
                + "it: apns gateway")
    }
}
