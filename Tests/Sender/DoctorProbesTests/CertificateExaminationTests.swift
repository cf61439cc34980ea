import APNSModel
import DevelopmentCredentials
import Doctor
import Foundation
import GatewayServer
import GatewayTesting
import TLSSession
import TestSupport
import Testing

@testable import DoctorProbes

@Suite(.timeLimit(.minutes(10))) struct CertificateExaminationTests {
    /// A run with a client certificate of this kind, with its key in the same file.
    private func examined(
        _ kind: CertificateKind, environment: APNSEnvironment = .sandbox, contested: [String: String] = [:],
        topic: String? = nil
    ) async throws -> Examined {
        var result: Examined?
        try await withExamination(environment: environment, contested: contested) { gateway, settings in
            let identity = try gateway.running.credentials.certificate(kind)
            try await withTemporaryFolder { folder in
                let file = folder.appendingPathComponent("push.pem")
                try Data(try identity.certificatePEM + identity.privateKeyPEM).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
                var settings = settings
                settings.identity = .certificate(path: file.path, keyPath: nil, passphrase: nil)
                settings.topic = topic ?? settings.topic
                settings.timeout = .seconds(3)
                result = await Examined(settings)
            }
        }
        return try #require(result)
    }

    @Test func `a certificate that is accepted passes, and the checks of keys are skipped`() async throws {
        let examined = try await examined(.universal)
        #expect(examined.failed == [], "\(examined.results)")
        #expect(examined["identity"] == .pass && examined["certificate-topic"] == .pass)
        #expect(examined["key-form"] == .skip && examined["provider-token"] == .skip)
    }

    @Test(arguments: [["certificate-fault": "goaway"], ["certificate-fault": "response"]])
    func `an expired certificate is found in its dates and by the gateway`(_ contested: [String: String]) async throws {
        let examined = try await examined(.expired, contested: contested)
        #expect(examined.failed == ["certificate-dates", "identity"], "\(examined.results)")
        #expect(examined.message("identity").contains("BadCertificate"))
    }

    @Test func `a certificate of another authority is refused by the gateway`() async throws {
        #expect(try await examined(.untrusted).failed == ["identity"])
    }

    @Test func `a certificate of production in the sandbox is for another environment`() async throws {
        let examined = try await examined(.production)
        #expect(examined.failed == ["identity", "key-environment"], "\(examined.results)")
        #expect(examined.message("identity").contains("BadCertificateEnvironment"))
    }

    @Test func `a certificate of another app is found offline`() async throws {
        #expect(try await examined(.universal, topic: "com.example.other").failed == ["certificate-topic"])
    }

    @Test func `a certificate without its key, and a file that is none, fail with a reason`() async throws {
        try await withExamination { gateway, settings in
            let identity = try gateway.running.credentials.certificate(.universal)
            try await withTemporaryFolder { folder in
                let file = folder.appendingPathComponent("push.pem")
                for bytes in [try identity.certificatePEM, Array("nothing".utf8)] {
                    try Data(bytes).write(to: file)
                    var settings = settings
                    settings.identity = .certificate(path: file.path, keyPath: nil, passphrase: nil)
                    let examined = await Examined(settings)
                    #expect(examined.failed == ["certificate-form"], "\(examined.results)")
                    #expect(examined["identity"] == .skip)
                }
                var settings = settings
                settings.identity = .certificate(path: folder.path + "/none.p12", keyPath: nil, passphrase: nil)
                #expect(await Examined(settings).message("certificate-form").contains("cannot be read"))
            }
        }
    }
}
