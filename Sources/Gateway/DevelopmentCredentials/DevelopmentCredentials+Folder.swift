import APNSModel
import PayloadJSON
import ProviderToken
package import SystemFiles
import TLSSession

/// The folder of development credentials: `ca.pem`, `ca.key`, `server.pem`, `server.key`, `AuthKey_KEYID.p8` and
/// `credentials.json`, which names the rest. Its `.gitignore` keeps all of them out of commits.
extension DevelopmentCredentials {
    package static func caFile(in folder: String) -> String { folder + "/ca.pem" }

    /// The path of the signing key; nil for credentials that were never written.
    package var keyFile: String? { folder.map { $0 + "/" + keyFileName } }

    private var keyFileName: String { "AuthKey_\(keyID.value).p8" }

    /// Reads the folder, or fills it if it does not exist or is empty, as a mounted volume is at first. Gateways that do so
    /// at the same time get the same credentials.
    ///
    /// - Parameters:
    ///   - names: More names for the server certificate of new credentials.
    ///   - readers: Who may read what senders need, beside the owner; nil for nobody.
    package static func loadOrMake(
        in folder: String, names: [String] = [], readers: FileReaders? = nil
    ) throws(CredentialsError) -> DevelopmentCredentials {
        if !PrivateFolder.exists(folder + "/" + indexName) {
            let made = try make(names: names)
            try changing(folder) { () throws(any Error) in
                // Another process may have been faster. Anything else that is in the folder is reported by loading it.
                if !PrivateFolder.exists(folder + "/" + indexName), isFree(folder) { try made.write(to: folder) }
            }
        }
        let credentials = try load(from: folder)
        // A folder of an earlier version has none. One that may not be written is still good for reading.
        try? ignoreInGit(folder)
        if let readers { try credentials.allow(readers) }
        return credentials
    }

    /// Replaces the credentials of the folder with new ones, whatever state it is in.
    package static func replace(
        in folder: String, names: [String] = []
    ) throws(CredentialsError) -> DevelopmentCredentials {
        let made = try make(names: names)
        try changing(folder) { () throws(any Error) in try made.write(to: folder) }
        return try load(from: folder)
    }

    /// Lets a group read the signing key and the keys of push certificates. Those of the authority and of the server stay
    /// private, because no sender needs them.
    package func allow(_ readers: FileReaders) throws(CredentialsError) {
        guard let folder else { return }
        let secrets = PrivateFolder.names(in: folder).filter {
            $0 == keyFileName || DevelopmentCredentials.isCertificate($0) && !$0.hasSuffix(".pem")
        }
        var path = folder
        do throws(PrivateFolder.Failure) {
            try readers.allowUsing(folder: folder)
            for name in secrets {
                path = folder + "/" + name
                try readers.allowReading(path)
            }
        } catch {
            throw CredentialsError(
                .cannotWrite,
                "\(path) cannot be made readable for the group \(readers.group): \(error); name a group that this user "
                    + "(id \(PrivateFolder.user)) is in, and a folder that it owns")
        }
    }

    private static let indexName = "credentials.json"
    private static let fixedNames = ["ca.pem", "ca.key", "server.pem", "server.key", indexName]
    private static let gitIgnoreName = ".gitignore"
    /// New files are written into a folder of such a name, from which they are moved one by one. One that was left behind
    /// shows that this was interrupted.
    private static let temporaryPrefix = ".new-"

    /// Whether a file of the folder was made here, perhaps for a key or by an authority that is no longer in use.
    private static func isOwn(_ name: String) -> Bool {
        fixedNames.contains(name) || name.hasPrefix("AuthKey_") && name.hasSuffix(".p8") || isCertificate(name)
    }

    /// Whether credentials may be made in a folder that has none: it is empty, but for what file systems keep there, or
    /// making them was interrupted.
    private static func isFree(_ folder: String) -> Bool {
        let names = PrivateFolder.names(in: folder).filter { $0 != "lost+found" && $0 != gitIgnoreName }
        return names.isEmpty || names.contains { $0.hasPrefix(temporaryPrefix) }
    }

    /// Makes git ignore everything in the folder, itself included. A `.gitignore` of the user stays.
    private static func ignoreInGit(_ folder: String) throws(PrivateFolder.Failure) {
        let path = folder + "/" + gitIgnoreName
        guard !PrivateFolder.exists(path) else { return }
        let text = "# Private keys. They are for this machine, and do not belong in a repository.\n*\n"
        try PrivateFolder.write(Array(text.utf8), to: path, mode: 0o644)
    }

    /// Calls `body` while no other process changes the folder, which is created if it does not exist.
    private static func changing(_ folder: String, _ body: () throws -> Void) throws(CredentialsError) {
        do {
            try PrivateFolder.makeShared(folder)
            let lock = try FolderLock.take(folder)
            try body()
            _ = consume lock
        } catch let failure as PrivateFolder.Failure {
            throw .cannotWrite(folder, failure)
        } catch {
            throw CredentialsError(.badCredentials, "the new credentials cannot be written as PEM: \(error)")
        }
    }

    /// Writes all files. The index is the last, so that a folder that has it is complete.
    ///
    /// Everything happens inside the folder, which may be a mounted volume that cannot be renamed.
    private func write(to folder: String) throws {
        let files: [(name: String, bytes: [UInt8], isPrivate: Bool)] = [
            ("ca.pem", caPEM, false), ("ca.key", try authority.identity.privateKeyPEM, true),
            ("server.pem", try server.chainPEM, false), ("server.key", try server.privateKeyPEM, true),
            (keyFileName, try key.p8, true), (DevelopmentCredentials.indexName, index, false),
        ]
        // Before the first key, so that there is no moment at which git would take one.
        try DevelopmentCredentials.ignoreInGit(folder)
        let old = PrivateFolder.names(in: folder)
        let temporary = try PrivateFolder.makeTemporary(folder + "/" + DevelopmentCredentials.temporaryPrefix)
        do {
            for file in files {
                try PrivateFolder.write(
                    file.bytes, to: temporary + "/" + file.name, mode: file.isPrivate ? 0o600 : 0o644)
            }
        } catch {
            PrivateFolder.remove(temporary, files: files.map(\.name))
            throw error
        }
        PrivateFolder.remove(file: folder + "/" + DevelopmentCredentials.indexName)
        for name in old where DevelopmentCredentials.isOwn(name) { PrivateFolder.remove(file: folder + "/" + name) }
        for name in files.map(\.name) { try PrivateFolder.rename(temporary + "/" + name, to: folder + "/" + name) }
        for name in old where name.hasPrefix(DevelopmentCredentials.temporaryPrefix) {
            let left = folder + "/" + name
            PrivateFolder.remove(left, files: PrivateFolder.names(in: left))
        }
        PrivateFolder.remove(temporary, files: [])
    }

    private var index: [UInt8] {
        JSONText.object { object in
            object.add("key", keyFileName)
            object.add("key-id", keyID.value)
            object.add("team-id", teamID.value)
            object.add("topic", topic.value)
        }.bytes + [UInt8(ascii: "\n")]
    }

    /// Reads a complete folder.
    package static func load(from folder: String) throws(CredentialsError) -> DevelopmentCredentials {
        let index = try CredentialsIndex(try read(indexName, folder), in: folder)
        let authority = try damaged("ca.pem or ca.key", folder) { () throws(any Error) in
            try DevelopmentAuthority(
                identity: TLSIdentity(
                    pem: try read("ca.pem", folder), key: try read("ca.key", folder), passphrase: nil))
        }
        let server = try damaged("server.pem or server.key", folder) { () throws(any Error) in
            try TLSIdentity(
                pem: try read("server.pem", folder), key: try read("server.key", folder), passphrase: nil)
        }
        let key = try damaged(index.keyFile, folder) { () throws(any Error) in
            try SigningKey(p8: try read(index.keyFile, folder))
        }
        return try damaged("ca.pem", folder) { () throws(any Error) in
            try DevelopmentCredentials(
                authority: authority, server: server, key: key, keyID: index.keyID, teamID: index.teamID,
                topic: index.topic, folder: folder)
        }
    }

    private static let maximumFileBytes = 64 << 10

    private static func read(_ name: String, _ folder: String) throws(CredentialsError) -> [UInt8] {
        do throws(PrivateFolder.Failure) {
            return try PrivateFolder.read(folder + "/" + name, maximum: maximumFileBytes)
        } catch {
            throw .badCredentials(
                error.isMissing ? "\(folder)/\(name) is missing" : "\(folder)/\(name) cannot be read: \(error)", folder)
        }
    }

    private static func damaged<Value>(
        _ name: String, _ folder: String, _ body: () throws -> Value
    ) throws(CredentialsError) -> Value {
        do {
            return try body()
        } catch let error as CredentialsError {
            throw error
        } catch {
            throw .badCredentials("\(folder)/\(name) is damaged: \(error)", folder)
        }
    }
}

/// The content of `credentials.json`.
private struct CredentialsIndex {
    let keyFile: String
    let keyID: KeyID
    let teamID: TeamID
    let topic: Topic

    init(_ bytes: [UInt8], in folder: String) throws(CredentialsError) {
        let name = "\(folder)/credentials.json"
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(bytes, maximumDepth: 4)
        } catch {
            throw .badCredentials("\(name) is damaged: \(error.description)", folder)
        }
        func text(_ key: String) -> String? {
            document.member(named: key, of: .root).flatMap { document.string(of: $0) }
        }
        guard let keyFile = text("key"), !keyFile.isEmpty, !keyFile.contains("/"),
            let keyID = text("key-id").flatMap({ KeyID($0) }), let teamID = text("team-id").flatMap({ TeamID($0) }),
            let topic = text("topic").flatMap({ Topic($0) })
        else {
            throw .badCredentials(
                "\(name) does not have the keys key, key-id, team-id and topic with usable values", folder)
        }
        self.keyFile = keyFile
        self.keyID = keyID
        self.teamID = teamID
        self.topic = topic
    }
}

extension CredentialsError {
    fileprivate static func badCredentials(_ what: String, _ folder: String) -> CredentialsError {
        CredentialsError(
            .badCredentials,
            "\(what); delete the folder \(folder), or make new ones with: apns credentials --force"
                + DevelopmentCredentials.outputOption(of: folder))
    }

    fileprivate static func cannotWrite(_ folder: String, _ failure: PrivateFolder.Failure) -> CredentialsError {
        CredentialsError(
            .cannotWrite,
            failure.isBusy
                ? "another process has been changing the credentials in \(folder) for 10 s; end it and try again"
                : "the credentials cannot be written to \(folder): \(failure); name a folder that you may write, or let this "
                    + "user (id \(PrivateFolder.user)) write there")
    }
}
