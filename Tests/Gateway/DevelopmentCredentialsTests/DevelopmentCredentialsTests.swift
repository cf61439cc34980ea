import APNSModel
import DevelopmentCredentials
import Foundation
import ProviderToken
import TLSSession
import Testing

struct DevelopmentCredentialsTests {
    /// Runs `body` with the path of a folder that does not exist yet.
    private static func inFolder(_ body: (String) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "credentials-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try await body(root.path + "/certs/dev")
    }

    private static func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[.posixPermissions] as? Int ?? 0
    }

    @Test func `they are made once, private, and read again`() async throws {
        try await Self.inFolder { folder in
            let made = try DevelopmentCredentials.loadOrMake(in: folder)
            let key = try #require(made.keyFile)
            #expect(try Self.mode(folder) == 0o700)
            for file in ["\(folder)/ca.key", "\(folder)/server.key", key] { #expect(try Self.mode(file) == 0o600) }
            let read = try DevelopmentCredentials.loadOrMake(in: folder)
            #expect(read.keyID == made.keyID && read.teamID == made.teamID && read.topic == made.topic)
            #expect(read.key.publicKey == made.key.publicKey)
            #expect(read.caPEM == made.caPEM)
            #expect(read.server.certificate == made.server.certificate)
            #expect(read.topic.value == "com.example.agent")
            let index = try String(contentsOfFile: folder + "/credentials.json", encoding: .utf8)
            #expect(
                index
                    == #"{"key":"AuthKey_\#(made.keyID).p8","key-id":"\#(made.keyID)","team-id":"\#(made.teamID)","topic":"com.example.agent"}"#
                    + "\n")
            let beside = try FileManager.default.contentsOfDirectory(atPath: folder + "/..")
            #expect(beside == ["dev"])
        }
    }

    @Test func `gateways that make them at once get the same`() async throws {
        try await Self.inFolder { folder in
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { try DevelopmentCredentials.loadOrMake(in: folder).keyID.value } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            let beside = try FileManager.default.contentsOfDirectory(atPath: folder + "/..")
            #expect(beside == ["dev"])
        }
    }

    @Test(arguments: ["ca.pem", "ca.key", "server.pem", "server.key", "credentials.json", "key"])
    func `a missing or damaged file is named with what to do`(name: String) async throws {
        try await Self.inFolder { folder in
            let made = try DevelopmentCredentials.loadOrMake(in: folder)
            let path = name == "key" ? try #require(made.keyFile) : folder + "/" + name
            try Data("nonsense".utf8).write(to: URL(filePath: path))
            let damaged = #expect(throws: CredentialsError.self) { try DevelopmentCredentials.loadOrMake(in: folder) }
            try FileManager.default.removeItem(atPath: path)
            let missing = #expect(throws: CredentialsError.self) { try DevelopmentCredentials.loadOrMake(in: folder) }
            for fault in [damaged, missing] {
                #expect(fault?.code == .badCredentials)
                #expect(fault?.detail.contains((path as NSString).lastPathComponent) == true)
                #expect(fault?.detail.contains("apns credentials --force") == true)
            }
        }
    }

    @Test func `a key of another certificate is found out`() async throws {
        try await Self.inFolder { folder in
            try await Self.inFolder { other in
                _ = try DevelopmentCredentials.loadOrMake(in: folder)
                _ = try DevelopmentCredentials.loadOrMake(in: other)
                try FileManager.default.removeItem(atPath: folder + "/server.key")
                try FileManager.default.copyItem(atPath: other + "/server.key", toPath: folder + "/server.key")
                let fault = #expect(throws: CredentialsError.self) { try DevelopmentCredentials.loadOrMake(in: folder) }
                #expect(fault?.detail.contains("server.key") == true)
            }
        }
    }

    @Test func `a replacement is new and leaves nothing behind, also of damaged ones`() async throws {
        try await Self.inFolder { folder in
            let made = try DevelopmentCredentials.loadOrMake(in: folder)
            try FileManager.default.removeItem(atPath: folder + "/ca.pem")
            let replaced = try DevelopmentCredentials.replace(in: folder)
            #expect(replaced.keyID != made.keyID)
            #expect(try DevelopmentCredentials.loadOrMake(in: folder).keyID == replaced.keyID)
            let beside = try FileManager.default.contentsOfDirectory(atPath: folder + "/..")
            #expect(beside == ["dev"])
        }
    }

    @Test func `a renewed server certificate is of the same authority`() async throws {
        try await Self.inFolder { folder in
            let made = try DevelopmentCredentials.loadOrMake(in: folder)
            let facts = made.server.certificate
            let later = facts.notBefore + 3600 + 86_400
            let renewed = try DevelopmentCredentials.renewServer(in: folder, at: later)
            #expect(renewed.caPEM == made.caPEM && renewed.keyID == made.keyID)
            #expect(renewed.server.certificate.notAfter == facts.notAfter + 86_400)
            #expect(Set(facts.names).isSubset(of: renewed.server.certificate.names))
            #expect(try Self.mode(folder + "/server.key") == 0o600)
        }
    }

    @Test func `a push certificate is written beside the other files, and goes with them`() async throws {
        try await Self.inFolder { folder in
            let made = try DevelopmentCredentials.loadOrMake(in: folder)
            let files = try made.writeCertificate(.voip, days: 10, passphrase: nil)
            #expect(files.certificate == folder + "/client-com.example.agent-voip.pem" && files.pkcs12 == nil)
            #expect(files.topics == ["com.example.agent", "com.example.agent.voip"])
            #expect(files.environments == [.sandbox, .production])
            let other = try made.writeCertificate(.pass, days: 10, passphrase: "secret")
            let archive = try #require(other.pkcs12)
            for file in [files.key, other.key, archive] { #expect(try Self.mode(file) == 0o600, "\(file)") }
            _ = try DevelopmentCredentials.replace(in: folder)
            #expect(!FileManager.default.fileExists(atPath: files.certificate))
            let beside = try FileManager.default.contentsOfDirectory(atPath: folder + "/..")
            #expect(beside == ["dev"])
        }
    }

    @Test func `a folder that cannot be written is named`() async throws {
        let fault = #expect(throws: CredentialsError.self) {
            try DevelopmentCredentials.loadOrMake(in: "/proc/nothing/dev")
        }
        #expect(fault?.code == .cannotWrite)
        #expect(fault?.detail.contains("/proc/nothing/dev") == true)
    }
}
