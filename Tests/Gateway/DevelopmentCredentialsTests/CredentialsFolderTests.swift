import DevelopmentCredentials
import Foundation
import SystemFiles
import TLSSession
import Testing

/// Where credentials are made, and who may read them.
struct CredentialsFolderTests {
    /// Runs `body` with the path of a folder that exists and is empty, as a volume is that a container mounts.
    private static func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "credentials-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private static func facts(_ path: String) throws -> (mode: Int?, inode: Int?) {
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        return (facts[.posixPermissions] as? Int, facts[.systemFileNumber] as? Int)
    }

    @Test func `an empty folder is filled and remains the same folder`() throws {
        try Self.inFolder { folder in
            let before = try Self.facts(folder)
            let made = try DevelopmentCredentials.loadOrMake(in: folder)
            #expect(try Self.facts(folder) == before)
            #expect(PrivateFolder.names(in: folder).count == 7)
            #expect(try DevelopmentCredentials.loadOrMake(in: folder).keyID == made.keyID)
        }
    }

    @Test func `a replacement keeps the folder, and files that are not of credentials`() throws {
        try Self.inFolder { folder in
            let made = try DevelopmentCredentials.loadOrMake(in: folder)
            try PrivateFolder.write([], to: folder + "/notes", mode: 0o644)
            let before = try Self.facts(folder)
            let replaced = try DevelopmentCredentials.replace(in: folder)
            #expect(replaced.keyID != made.keyID)
            #expect(try Self.facts(folder) == before)
            #expect(PrivateFolder.names(in: folder).count == 8)
        }
    }

    @Test func `git ignores everything in the folder, also in one of an earlier version`() throws {
        try Self.inFolder { folder in
            _ = try DevelopmentCredentials.loadOrMake(in: folder)
            let file = folder + "/.gitignore"
            #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("\n*\n"))
            PrivateFolder.remove(file: file)
            _ = try DevelopmentCredentials.loadOrMake(in: folder)
            #expect(PrivateFolder.exists(file))
        }
    }

    @Test func `a gitignore of the user stays, and does not make a folder one of other files`() throws {
        try Self.inFolder { folder in
            let file = folder + "/.gitignore"
            try PrivateFolder.write(Array("*.key\n".utf8), to: file, mode: 0o644)
            _ = try DevelopmentCredentials.loadOrMake(in: folder)
            _ = try DevelopmentCredentials.replace(in: folder)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "*.key\n")
        }
    }

    @Test func `what a file system keeps in a volume does not count`() throws {
        try Self.inFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/lost+found", withIntermediateDirectories: false)
            _ = try DevelopmentCredentials.loadOrMake(in: folder)
        }
    }

    @Test func `the advice about damaged credentials names their folder, as one word of a shell`() throws {
        try Self.inFolder { folder in
            for (name, word) in [("dev", "\(folder)/dev"), ("my keys", "'\(folder)/my keys'")] {
                let place = "\(folder)/\(name)"
                _ = try DevelopmentCredentials.loadOrMake(in: place)
                PrivateFolder.remove(file: place + "/credentials.json")
                try PrivateFolder.write([], to: place + "/credentials.json", mode: 0o644)
                let error = #expect(throws: CredentialsError.self) { try DevelopmentCredentials.loadOrMake(in: place) }
                #expect(error?.detail.hasSuffix(": apns credentials --force --output \(word)") == true)
            }
        }
    }

    @Test func `a folder with other files is left as it is`() throws {
        try Self.inFolder { folder in
            try PrivateFolder.write([], to: folder + "/notes", mode: 0o644)
            let error = #expect(throws: CredentialsError.self) { try DevelopmentCredentials.loadOrMake(in: folder) }
            #expect(error?.detail.contains("credentials.json is missing") == true)
            #expect(PrivateFolder.names(in: folder) == ["notes"])
        }
    }

    @Test func `making them again continues where it was interrupted`() throws {
        try Self.inFolder { folder in
            // A process was killed while it moved the new files out of the folder beside them.
            let left = try PrivateFolder.makeTemporary(folder + "/.new-")
            for file in [folder + "/ca.pem", folder + "/AuthKey_ABCDEFGHIJ.p8", left + "/ca.key"] {
                try PrivateFolder.write([1], to: file, mode: 0o600)
            }
            let made = try DevelopmentCredentials.loadOrMake(in: folder)
            #expect(PrivateFolder.names(in: folder).count == 7)
            #expect(try DevelopmentCredentials.load(from: folder).keyID == made.keyID)
        }
    }

    @Test func `while another process changes the folder, a new one waits and then uses its credentials`() async throws
    {
        let folder = NSTemporaryDirectory() + "credentials-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PrivateFolder.makeShared(folder)
        let lock = try FolderLock.take(folder)
        let waiting = Task { try DevelopmentCredentials.loadOrMake(in: folder).keyID }
        // What the other process writes.
        let other = folder + "-other"
        defer { try? FileManager.default.removeItem(atPath: other) }
        let made = try DevelopmentCredentials.loadOrMake(in: other)
        for name in PrivateFolder.names(in: other) where name != "credentials.json" {
            try FileManager.default.moveItem(atPath: "\(other)/\(name)", toPath: "\(folder)/\(name)")
        }
        try FileManager.default.moveItem(
            atPath: other + "/credentials.json", toPath: folder + "/credentials.json")
        _ = consume lock
        #expect(try await waiting.value == made.keyID)
    }

    @Test func `a group may read what senders need, and no other key`() throws {
        try Self.inFolder { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
            let made = try DevelopmentCredentials.loadOrMake(in: folder)
            let files = try made.writeCertificate(.voip, days: 1, passphrase: "secret")
            let read = try DevelopmentCredentials.loadOrMake(in: folder, readers: FileReaders(group: getegid()))
            let key = try #require(read.keyFile)
            for path in [key, files.key, try #require(files.pkcs12)] {
                #expect(try Self.facts(path).mode == 0o640, "\(path)")
            }
            for name in ["ca.key", "server.key"] { #expect(try Self.facts(folder + "/" + name).mode == 0o600) }
            #expect(try Self.facts(folder).mode == 0o750)
        }
    }

    @Test func `new credentials have the names, and old ones serve them without being changed`() throws {
        try Self.inFolder { folder in
            let made = try DevelopmentCredentials.loadOrMake(in: folder, names: ["gateway"])
            #expect(made.server.certificate.names == ["localhost", "*.localhost", "127.0.0.1", "::1", "gateway"])
            let serving = try made.serving(["Gateway", "api.push.apple.com", "192.0.2.7"])
            #expect(
                Set(serving.server.certificate.names).isSuperset(of: ["api.push.apple.com", "192.0.2.7", "gateway"]))
            #expect(serving.server.certificate.notAfter == made.server.certificate.notAfter)
            #expect(serving.caPEM == made.caPEM)
            let read = try DevelopmentCredentials.load(from: folder)
            #expect(read.server.certificate == made.server.certificate)
            #expect(try made.serving(["GATEWAY"]).server.certificate == made.server.certificate)
        }
    }

    @Test func `the command renews a certificate that lacks a name, and no other`() throws {
        try Self.inFolder { folder in
            let made = try DevelopmentCredentials.loadOrMake(in: folder, with: ["gateway"])
            let same = try DevelopmentCredentials.loadOrMake(in: folder, with: ["gateway"])
            #expect(same.server.certificate == made.server.certificate)
            let renewed = try DevelopmentCredentials.loadOrMake(in: folder, with: ["api.push.apple.com"])
            #expect(Set(renewed.server.certificate.names).isSuperset(of: ["gateway", "api.push.apple.com"]))
            #expect(renewed.keyID == made.keyID && renewed.caPEM == made.caPEM)
        }
    }

    @Test(arguments: ["a b", "", "a/b", "ä.example", String(repeating: "a", count: 254)])
    func `what is no host name is refused`(name: String) {
        #expect(throws: CredentialsError.self) { try DevelopmentCredentials.check(name: name) }
    }

    @Test(
        arguments: [
            ("a..b", "a part without a character"), (".a", "a part without a character"),
            ("x.", "a part without a character"), ("999.1.1.1", "ends in a number"),
            ("a.\(String(repeating: "b", count: 64))", "more than 63"), ("-a.b", "a hyphen"), ("a-.b", "a hyphen"),
        ])
    func `a name that no certificate can have is refused with the reason`(name: String, reason: String) {
        let error = #expect(throws: CredentialsError.self) { try DevelopmentCredentials.check(name: name) }
        #expect(error?.detail.contains(reason) == true, "\(error?.detail ?? "")")
    }

    @Test(
        arguments: [
            "gateway", "1234", "3.example", "api.push.apple.com", "*.push.internal", "192.0.2.7", "2001:db8::1",
            "my_service",
        ])
    func `host names and addresses are accepted`(name: String) throws { try DevelopmentCredentials.check(name: name) }
}
