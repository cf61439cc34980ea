import APNSProvider
import Doctor
import Foundation
import ProviderToken
import TestSupport
import Testing

@testable import DoctorProbes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Credentials in files that are no regular ones.
struct CredentialProbeTests {
    private func run(_ identity: ExaminationSettings.Identity, within limit: Duration) async -> Examined {
        var settings = ExaminationSettings(
            identity: identity, gateway: APNSGateway(host: "localhost", port: 1),
            now: { ExaminationSettings.machineSeconds })
        settings.isOffline = true
        settings.fileLimit = limit
        return await Examined(settings)
    }

    /// A key id in the name, and a team id.
    private func key(in folder: URL) -> (path: String, identity: ExaminationSettings.Identity) {
        let path = folder.appendingPathComponent("AuthKey_ABC123DEFG.p8").path
        return (path, .key(.file(path: path), keyID: nil, teamID: "DEF123GHIJ"))
    }

    @Test func `a pipe that nothing is written to fails one check, and is no fault of the others`() async throws {
        try await withTemporaryFolder { folder in
            let (path, identity) = key(in: folder)
            #expect(mkfifo(path, 0o600) == 0)
            for (given, check) in [
                (identity, "key-file"),
                (.certificate(path: path, keyPath: nil, passphrase: nil), "certificate-form"),
            ] as [(ExaminationSettings.Identity, String)] {
                let examined = await run(given, within: .milliseconds(10))
                #expect(examined.failed == [check], "\(examined.results)")
                #expect(examined.message(check).contains("is a pipe and no regular file, and its end did not come"))
                #expect(!examined.results.contains { $0.message.contains("the check itself failed") })
            }
        }
    }

    @Test func `a key is read out of a pipe, which is said`() async throws {
        try await withTemporaryFolder { folder in
            let (path, identity) = key(in: folder)
            #expect(mkfifo(path, 0o600) == 0)
            let text = Data(try SigningKey.generate().p8)
            Thread.detachNewThread {
                let writer = FileHandle(forWritingAtPath: path)  // waits for the reader
                try? writer?.write(contentsOf: text)
                try? writer?.close()
            }
            let examined = await run(identity, within: .seconds(15))
            #expect(examined.failed == [], "\(examined.results)")
            #expect(examined["key-form"] == .pass && examined["key-kind"] == .pass)
            #expect(examined.message("key-file").contains("it is a pipe and no regular file"))
        }
    }

    @Test func `a file of zeros, an empty one and a folder are called what they are`() async throws {
        try await withTemporaryFolder { folder in
            let (path, identity) = key(in: folder)
            for (bytes, text) in [(Data(count: 241), "241 bytes, all of them zero"), (Data(), "the file is empty")] {
                try bytes.write(to: URL(fileURLWithPath: path))
                let examined = await run(identity, within: .seconds(15))
                #expect(examined.failed == ["key-form"], "\(examined.results)")
                #expect(examined.message("key-form").contains(text))
            }
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(await run(identity, within: .seconds(15)).message("key-file").contains("Is a directory"))
        }
    }
}
