import Doctor
import Foundation
import ProviderToken
import TestSupport
import Testing

@testable import DoctorProbes

struct TokenStoreTests {
    private let key: SigningKey
    private let keyID: KeyID
    private let teamID: TeamID
    private let now: Int64 = 1_795_773_600

    init() throws {
        key = try SigningKey.generate()
        keyID = try KeyID(parsing: "ABC123DEFG")
        teamID = try TeamID(parsing: "DEF123GHIJ")
    }

    private func token(_ folder: String?, at time: Int64) throws -> (
        token: SignedToken, evidence: ProviderTokenEvidence
    ) {
        try TokenStore(folder: folder).token(key: key, keyID: keyID, teamID: teamID, now: time)
    }

    @Test func `a token is kept for 20 minutes, in a private file of a private folder`() throws {
        try withTemporaryFolder { root in
            let folder = root.appendingPathComponent("state/doctor").path
            let first = try token(folder, at: now)
            #expect(first.evidence == ProviderTokenEvidence())
            let second = try token(folder, at: now + 1199)
            #expect(second.token.text == first.token.text)
            #expect(second.evidence == ProviderTokenEvidence(age: 1199, isKept: true))
            let third = try token(folder, at: now + 1200)
            #expect(third.token.text != first.token.text && !third.evidence.isKept)

            let file = folder + "/ABC123DEFG-DEF123GHIJ.token"
            #expect(FileFacts(path: file)?.mode == 0o600)
            #expect(FileFacts(path: folder)?.mode == 0o700)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == third.token.text)
        }
    }

    @Test func `tokens that are not sent again are removed, and other files are left alone`() throws {
        try withTemporaryFolder { root in
            _ = try token(root.path, at: now)
            let others = ["note.txt", "broken.token"]
            for name in others { try "x".write(toFile: "\(root.path)/\(name)", atomically: true, encoding: .utf8) }
            let other = TokenStore(folder: root.path)
            _ = try other.token(key: key, keyID: try KeyID(parsing: "XYZ123DEFG"), teamID: teamID, now: now + 1300)
            let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
            #expect(names == ["XYZ123DEFG-DEF123GHIJ.token", "note.txt"])
        }
    }

    @Test func `a token that cannot be kept is used, and the reason is told`() throws {
        let inFile = try token("/dev/null/x", at: now)
        #expect(inFile.evidence.notKept?.contains("/dev/null/x") == true && inFile.evidence.isSound)
        #expect(try token(nil, at: now).evidence.notKept?.contains("HOME") == true)
    }

    @Test(arguments: [(0o644, 0o700), (0o620, 0o700), (0o604, 0o700), (0o600, 0o777), (0o600, 0o720)])
    func `a token that others could read or change is replaced by a private one`(
        _ fileMode: Int, _ folderMode: Int
    ) throws {
        try withTemporaryFolder { root in
            let folder = root.appendingPathComponent("doctor").path
            let file = folder + "/ABC123DEFG-DEF123GHIJ.token"
            let first = try token(folder, at: now)
            let manager = FileManager.default
            try manager.setAttributes([.posixPermissions: fileMode], ofItemAtPath: file)
            try manager.setAttributes([.posixPermissions: folderMode], ofItemAtPath: folder)
            let second = try token(folder, at: now + 1)
            #expect(second.token.text != first.token.text && !second.evidence.isKept)
            #expect(second.evidence.exposed?.contains("had the mode") == true && second.evidence.notKept == nil)
            #expect(FileFacts(path: file)?.mode == 0o600)
            #expect(FileFacts(path: folder)?.mode == 0o700)
            let third = try token(folder, at: now + 2)
            #expect(third.token.text == second.token.text && third.evidence.exposed == nil)
        }
    }

    @Test func `a token of a private file in a folder that others may list is sent again`() throws {
        try withTemporaryFolder { root in
            let folder = root.appendingPathComponent("doctor").path
            let first = try token(folder, at: now)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            #expect(try token(folder, at: now + 1).token.text == first.token.text)
        }
    }

    @Test func `a file that somebody changed is replaced`() throws {
        try withTemporaryFolder { root in
            let first = try token(root.path, at: now)
            let file = root.path + "/ABC123DEFG-DEF123GHIJ.token"
            try (first.token.text + "x").write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try token(root.path, at: now + 1).evidence.isKept == false)
        }
    }
}
