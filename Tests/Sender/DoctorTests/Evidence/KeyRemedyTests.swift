import Foundation
import ProviderToken
import SystemFiles
import TestSupport
import Testing

@testable import Doctor

/// The commands that restore the file of a key, run by a shell as they are printed.
struct KeyRemedyTests {
    @Test(arguments: KeyChange.all)
    func `the printed command restores the file`(_ change: KeyChange) throws {
        let key = try KeyRemedyTests.keyWithSigns()
        let changed = try change.apply(String(decoding: try key.p8, as: UTF8.self))
        let (form, found) = KeyForm.read(Array(changed))
        #expect(form.oddities == change.oddities)
        #expect(form.hasKey && found?.publicKey == key.publicKey)
        let remedy = try #require(form.remedy)
        let start = try #require(remedy.range(of: ": ("))
        let command = String(remedy[remedy.index(start.lowerBound, offsetBy: 2)...])
        try withTemporaryFolder { folder in
            try changed.write(to: folder.appendingPathComponent("KEY"))
            let run = try KeyRemedyTests.shell(command, in: folder)
            #expect(run.status == 0 && run.errors.isEmpty, "\(command): \(String(decoding: run.errors, as: UTF8.self))")
            let file = folder.appendingPathComponent("AuthKey.p8")
            let (restored, again) = KeyForm.read(Array(try Data(contentsOf: file)))
            #expect(restored == KeyForm(), "\(command)")
            #expect(again?.publicKey == key.publicKey)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            // A reader that is stricter than this one.
            #expect(try KeyRemedyTests.shell("openssl pkey -in AuthKey.p8 -noout", in: folder).status == 0)
        }
    }

    /// A key whose base64 has `+` or `/`, so that base64url of it is something else.
    private static func keyWithSigns() throws -> SigningKey {
        while true {
            let key = try SigningKey.generate()
            let text = bodyOfPEM(String(decoding: try key.p8, as: UTF8.self))
            if text.contains("+") || text.contains("/") { return key }
        }
    }

    private static func shell(_ command: String, in folder: URL) throws -> ProgramOutput {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try ProgramOutput(
            of: "/bin/sh", ["-c", "cd \"$0\" && \(command)", folder.path], environment: ["PATH": path])
    }
}
