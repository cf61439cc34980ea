import APNSModel
import PayloadJSON
import ProviderToken
import SystemFiles
import TLSSession

/// The folder of development credentials: `ca.pem`, `ca.key`, `server.pem`, `server.key`, `AuthKey_KEYID.p8` and
/// `credentials.json`, which names the rest.
extension DevelopmentCredentials {
    package static func caFile(in folder: String) -> String { folder + "/ca.pem" }

    /// The path of the signing key; nil for credentials that were never written.
    package var keyFile: String? { folder.map { $0 + "/" + keyFileName } }

    private var keyFileName: String { "AuthKey_\(keyID.value).p8" }

    /// Reads the folder, or creates it if it does not exist or is empty. Two gateways that do so at the same time get
    /// the same credentials.
    package static func loadOrMake(in folder: String) throws(CredentialsError) -> DevelopmentCredentials {
        if PrivateFolder.exists(folder + "/credentials.json") { return try load(from: folder) }
        let made = try make()
        let temporary = try made.writeBeside(folder)
        do throws(PrivateFolder.Failure) {
            try PrivateFolder.rename(temporary, to: folder)
        } catch {
            PrivateFolder.remove(temporary, files: made.fileNames)
            // Another process was faster, or the folder contains something else, which loading it reports.
            guard error.isOccupied else { throw .cannotWrite(folder, error) }
        }
        return try load(from: folder)
    }

    /// Replaces the credentials of the folder with new ones, whatever state it is in.
    package static func replace(in folder: String) throws(CredentialsError) -> DevelopmentCredentials {
        let made = try make()
        let temporary = try made.writeBeside(folder)
        do throws(PrivateFolder.Failure) {
            if PrivateFolder.exists(folder) {
                let old = PrivateFolder.names(in: folder).filter { isOwn($0) }
                let aside = try PrivateFolder.makeTemporary(prefix(beside: folder))
                try PrivateFolder.rename(folder, to: aside)
                try PrivateFolder.rename(temporary, to: folder)
                PrivateFolder.remove(aside, files: old)
            } else {
                try PrivateFolder.rename(temporary, to: folder)
            }
        } catch {
            PrivateFolder.remove(temporary, files: made.fileNames)
            throw .cannotWrite(folder, error)
        }
        return try load(from: folder)
    }

    private static let fixedNames = ["ca.pem", "ca.key", "server.pem", "server.key", "credentials.json"]
    private var fileNames: [String] { DevelopmentCredentials.fixedNames + [keyFileName] }

    /// Whether a file of the folder was made here, perhaps for a key or by an authority that is no longer in use.
    private static func isOwn(_ name: String) -> Bool {
        fixedNames.contains(name) || name.hasPrefix("AuthKey_") && name.hasSuffix(".p8") || isCertificate(name)
    }

    /// Temporary folders are created beside the folder, so that one rename moves them.
    private static func prefix(beside folder: String) -> String {
        guard let slash = folder.lastIndex(of: "/") else { return "." + folder + "-" }
        return "\(folder[...slash]).\(folder[folder.index(after: slash)...])-"
    }

    /// - Returns: The folder that was written.
    private func writeBeside(_ folder: String) throws(CredentialsError) -> String {
        let files: [(name: String, bytes: [UInt8], isPrivate: Bool)]
        do {
            files = [
                ("ca.pem", caPEM, false), ("ca.key", try authority.identity.privateKeyPEM, true),
                ("server.pem", try server.chainPEM, false), ("server.key", try server.privateKeyPEM, true),
                (keyFileName, try key.p8, true), ("credentials.json", index, false),
            ]
        } catch {
            throw CredentialsError(.badCredentials, "the new credentials cannot be written as PEM: \(error)")
        }
        do throws(PrivateFolder.Failure) {
            if let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
                try PrivateFolder.makeParents(String(folder[..<slash]))
            }
            let temporary = try PrivateFolder.makeTemporary(DevelopmentCredentials.prefix(beside: folder))
            do throws(PrivateFolder.Failure) {
                for file in files {
                    try PrivateFolder.write(
                        file.bytes, to: temporary + "/" + file.name, mode: file.isPrivate ? 0o600 : 0o644)
                }
            } catch {
                PrivateFolder.remove(temporary, files: fileNames)
                throw error
            }
            return temporary
        } catch {
            throw .cannotWrite(folder, error)
        }
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
        let index = try CredentialsIndex(try read("credentials.json", folder), in: folder)
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
            .badCredentials, "\(what); delete the folder \(folder), or make new ones with: apns credentials --force")
    }

    fileprivate static func cannotWrite(_ folder: String, _ failure: PrivateFolder.Failure) -> CredentialsError {
        CredentialsError(
            .cannotWrite,
            "the credentials cannot be written to \(folder): \(failure); name a folder that you may write")
    }
}
