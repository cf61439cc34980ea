import Foundation
import Testing
import RepositoryFiles

/// `apns send` with push certificates, made by `certs/make`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CertificateSendTests {
    private static let make = Repository.url("certs/make").path

    private static let file = "certs/dev/client-com.example.agent.pem"
    private static let message = ["send", "--token", "0a1b", "--alert", "Hi", "--topic", "com.example.agent"]

    /// Runs `body` with a gateway and a certificate for one environment.
    private func withCertificate(
        _ environment: String, _ body: (LocalGateway, Command, [String]) async throws -> Void
    ) async throws {
        try await withLocalGateway { gateway, command in
            let made = try await command.shell(
                "'\(CertificateSendTests.make)' client com.example.agent --environment \(environment) --folder certs/dev"
            )
            try #require(made.status == 0, "\(made.text)")
            let options = ["--gateway", gateway["gateway"], "--ca", gateway["ca"]]
            try await body(gateway, command, CertificateSendTests.message + options)
        }
    }

    @Test func `a certificate in PEM sends to its topic and to no other`() async throws {
        try await withCertificate("sandbox") { gateway, command, message in
            let key = "certs/dev/client-com.example.agent.key"
            let certificate = ["--certificate", CertificateSendTests.file, "--certificate-key", key]
            let sent = try await command.run(message + certificate)
            #expect(sent.status == 0, "\(sent.text)")
            let other = try await command.run(message + certificate + ["--topic", "com.example.other"])
            #expect(other.status == 1, "\(other.text)")
            #expect(other.output.contains("(400)"))
        }
    }

    @Test func `a certificate is checked by the clock of the machine, not by that of the gateway`() async throws {
        try await withCertificate("sandbox") { gateway, command, message in
            let clock = #"{"mode":"manual","now":"2001-01-01T00:00:00Z"}"#
            #expect(try await gateway.call("PUT", "/api/clock", clock).status == 200)
            let key = "certs/dev/client-com.example.agent.key"
            let sent = try await command.run(
                message + ["--certificate", CertificateSendTests.file, "--certificate-key", key])
            #expect(sent.status == 0, "\(sent.text)")
        }
    }

    @Test func `a certificate in PKCS#12 sends, and a wrong passphrase is named`() async throws {
        try await withCertificate("both") { gateway, command, message in
            let made = try await command.shell(
                """
                openssl pkcs12 -export -in \(CertificateSendTests.file) \
                -inkey certs/dev/client-com.example.agent.key -passout pass:secret-word -out client.p12
                """)
            try #require(made.status == 0, "\(made.text)")
            let arguments = message + ["--certificate", "client.p12"]
            let sent = try await command.run(arguments, environment: ["APNS_CERTIFICATE_PASSPHRASE": "secret-word"])
            #expect(sent.status == 0, "\(sent.text)")
            let wrong = try await command.run(arguments, environment: ["APNS_CERTIFICATE_PASSPHRASE": "other-word"])
            #expect(wrong.status == 2)
            #expect(wrong.errors.contains("passphrase"), "\(wrong.errors)")
            #expect(!wrong.text.contains("other-word"))
            #expect(try await gateway.total() == 1)
        }
    }

    @Test func `a certificate of the other environment ends with the reason of the gateway`() async throws {
        try await withCertificate("production") { gateway, command, message in
            let result = try await command.run(
                message + [
                    "--certificate", CertificateSendTests.file, "--certificate-key",
                    "certs/dev/client-com.example.agent.key",
                ])
            #expect(result.status != 0)
            #expect(result.text.contains("0 accepted, 0 refused, 1 unsent, 0 unknown"), "\(result.text)")
            #expect(result.text.contains("BadCertificateEnvironment"), "\(result.text)")
        }
    }

    @Test func `a certificate without its key is named`() async throws {
        try await withCertificate("both") { gateway, command, message in
            let result = try await command.run(message + ["--certificate", CertificateSendTests.file])
            #expect(result.status == 2)
            #expect(result.errors.contains("key"), "\(result.errors)")
        }
    }
}
