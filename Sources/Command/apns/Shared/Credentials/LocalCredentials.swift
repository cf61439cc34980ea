import PayloadJSON

/// Development credentials, such as those in a folder `certs/dev`, which `apns gateway` or `apns credentials` has made.
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
    /// - Returns: Nil unless the description is a JSON object that names a key.
    init?(folder: String, description: [UInt8]) {
        var reader = JSONReader()
        guard (try? reader.parse(description)) != nil else { return nil }
        let document = reader.document
        let text = { (key: String) in document.member(named: key, of: .root).flatMap { document.string(of: $0) } }
        // The path in the description is relative to the folder that was current then. The key is beside the description.
        guard let key = text("key")?.split(separator: "/").last else { return nil }
        caPath = folder + "ca.pem"
        keyPath = folder + key
        keyID = text("key-id")
        teamID = text("team-id")
        topic = text("topic")
    }

    /// Looks in `start` and in the folders above it, up to the first that every user of the machine may write to, such as
    /// `/tmp`: what lies there can be anybody's.
    ///
    /// - Parameter start: An absolute path.
    /// - Returns: Nil where there are none.
    static func find(from start: String) throws(CommandError) -> LocalCredentials? {
        var parent = Substring(start)
        while true {
            while parent.hasSuffix("/") { parent.removeLast() }
            let folder = "\(parent)/\(folderName)/"
            if System.fileExists(folder + "credentials.json") {
                let name = folder + "credentials.json"
                let bytes = try CredentialChoice.read(name, "the description of the development credentials")
                guard let credentials = LocalCredentials(folder: folder, description: bytes) else {
                    throw CommandError(
                        "\(name) is not a JSON object with key, key-id, team-id and topic; remove the folder and make new "
                            + "credentials with: \(ShellText.command) credentials")
                }
                return credentials
            }
            guard let slash = parent.lastIndex(of: "/") else { return nil }
            parent = parent[..<slash]
            if System.anybodyMayWrite("\(parent)/") { return nil }
        }
    }
}
