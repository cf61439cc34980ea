import Foundation
import Testing

/// Push certificates of every kind, as `apns credentials` makes them and `apns send` uses them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CertificateKindTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var name: String
        /// What is sent with it, and what the gateway says: empty for accepted.
        var sends: [(topic: String, pushType: String, says: String)]
        var environment = "sandbox"
        var testDescription: String { name }
    }

    private static let app = "com.example.agent"
    private static let universal = [
        (app, "alert", ""), (app + ".voip", "voip", ""), (app + ".complication", "complication", ""),
        (app + ".push-type.liveactivity", "liveactivity", "TopicDisallowed"),
    ]

    static let kinds = [
        Kind(name: "universal", sends: universal), Kind(name: "universal", sends: universal, environment: "production"),
        Kind(name: "sandbox", sends: [(app, "alert", ""), (app + ".voip", "voip", "TopicDisallowed")]),
        Kind(name: "sandbox", sends: [(app, "alert", "BadCertificateEnvironment")], environment: "production"),
        Kind(name: "production", sends: [(app, "alert", "")], environment: "production"),
        Kind(name: "production", sends: [(app, "alert", "BadCertificateEnvironment")]),
        Kind(
            name: "voip",
            sends: [(app + ".voip", "voip", ""), (app + ".complication", "complication", "TopicDisallowed")]),
        Kind(
            name: "complication",
            sends: [(app + ".complication", "complication", ""), (app + ".voip", "voip", "TopicDisallowed")]),
        Kind(name: "liveactivity", sends: [(app + ".push-type.liveactivity", "liveactivity", "")]),
        Kind(
            name: "mdm", sends: [("com.apple.mgmt.External.9d1f0a52-6f1c-4222-8333-abcdefabcdef", "mdm", "")],
            environment: "production"),
        Kind(name: "pass", sends: [("pass." + app, "alert", "")], environment: "production"),
        Kind(
            name: "website", sends: [("web." + app, "alert", ""), (app, "alert", "TopicDisallowed")],
            environment: "production"),
        Kind(name: "expired", sends: [(app, "alert", "BadCertificate")]),
        Kind(name: "untrusted", sends: [(app, "alert", "BadCertificate")]),
    ]

    @Test(arguments: kinds)
    func `a certificate of each kind sends where Apple's would`(kind: Kind) async throws {
        try await withCommand { command in
            let made = try await command.run(["credentials", "--json", "--certificate", kind.name])
            #expect(made.status == 0, "\(made.text)")
            let facts = try JSONText.object(made.output)
            let files = try #require((facts["certificates"] as? [[String: Any]])?.first)
            let gateway = try await LocalGateway(command, ["--environment", kind.environment])
            for (index, send) in kind.sends.enumerated() {
                // A device token has one topic, so each has its own.
                let result = try await command.run(
                    [
                        "send", "--gateway", gateway["gateway"], "--ca", gateway["ca"], "--certificate",
                        files["certificate"] as? String ?? "", "--certificate-key", files["key"] as? String ?? "",
                        "--topic", send.topic, "--push-type", send.pushType, "--token", "ab0\(index)", "--payload", "-",
                        "--skip-validation",
                    ], input: #"{"aps":{"alert":"Hi"}}"#)
                #expect((result.status == 0) == send.says.isEmpty, "\(send.topic) \(result.text)")
                #expect(send.says.isEmpty || result.text.contains(send.says), "\(send.topic) \(result.text)")
            }
            await gateway.process.stop()
        }
    }

    @Test func `every kind is made at once, with private keys, and goes with a replaced authority`() async throws {
        try await withCommand { command in
            let passphrase = ["APNS_CERTIFICATE_PASSPHRASE": "secret-word"]
            let made = try await command.run(
                [
                    "credentials", "--json", "--certificate", "all", "--topic", "com.example.mail", "--p12", "--days",
                    "30",
                ],
                environment: passphrase)
            #expect(made.status == 0, "\(made.text)")
            #expect(!made.text.contains("secret-word"))
            let certificates = try #require(try JSONText.object(made.output)["certificates"] as? [[String: Any]])
            #expect(certificates.count == 11)
            for certificate in certificates {
                for (file, mode) in [("certificate", 0o644), ("key", 0o600), ("p12", 0o600)] {
                    let path = command.folder.appendingPathComponent(certificate[file] as? String ?? "").path
                    let attributes = try FileManager.default.attributesOfItem(atPath: path)
                    #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
                }
            }
            let again = try await command.run(["credentials", "--json", "--certificate", "voip"])
            #expect(again.status == 0, "\(again.text)")
            let forced = try await command.run(["credentials", "--force"])
            #expect(forced.status == 0, "\(forced.text)")
            let folder = command.folder.appendingPathComponent("certs/dev").path
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.count == 7, "\(left)")
            let beside = try FileManager.default.contentsOfDirectory(atPath: folder + "/..")
            #expect(beside == ["dev"])
        }
    }

    @Test func `a PKCS#12 file sends, and a certificate takes the place of any provider token`() async throws {
        try await withLocalGateway { gateway, command in
            let passphrase = ["APNS_CERTIFICATE_PASSPHRASE": "secret-word"]
            let made = try await command.run(
                ["credentials", "--certificate", "sandbox", "--p12"], environment: passphrase)
            #expect(made.status == 0, "\(made.text)")
            let base = "certs/dev/client-com.example.agent-sandbox"
            let sent = try await command.run(
                [
                    "send", "--gateway", gateway["gateway"], "--ca", gateway["ca"], "--certificate", base + ".p12",
                    "--topic", "com.example.agent", "--token", "ab12", "--alert", "Hi",
                ], environment: passphrase)
            #expect(sent.status == 0, "\(sent.text)")
            // With a client certificate the gateway ignores an invalid provider token.
            let both = try await command.shell(
                """
                curl -sS --http2 --cacert \(gateway["ca"]) --cert \(base).pem --key \(base).key \
                -H 'authorization: bearer nonsense' -H 'apns-topic: com.example.agent' -d '{"aps":{}}' \
                -w '%{http_code}' \(gateway["gateway"])/3/device/ab12
                """)
            #expect(both.output == "200\n" || both.output == "200", "\(both.text)")
            let alone = try await command.shell(
                """
                curl -sS --http2 --cacert \(gateway["ca"]) -H 'authorization: bearer nonsense' \
                -H 'apns-topic: com.example.agent' -d '{"aps":{}}' \(gateway["gateway"])/3/device/ab12
                """)
            #expect(alone.output.contains("InvalidProviderToken"), "\(alone.text)")
        }
    }

    static let bad: [([String], String, Int32)] = [
        (["--certificate", "gold"], "one of universal, sandbox, production", 64),
        (["--p12"], "--certificate universal", 64),
        (["--certificate", "voip", "--topic", "com.example.a.voip"], "bundle id", 64),
        (["--certificate", "voip", "--days", "0"], "--days", 64), (["--renew", "--force"], "--renew", 64),
        (["--certificate", "voip", "--p12"], "APNS_CERTIFICATE_PASSPHRASE", 2),
    ]

    @Test(arguments: bad)
    func `bad arguments are explained, and nothing is made`(arguments: [String], says: String, status: Int32)
        async throws
    {
        try await withCommand { command in
            let result = try await command.run(["credentials"] + arguments)
            #expect(result.status == status && result.errors.contains(says), "\(result.text)")
            let folder = command.folder.appendingPathComponent("certs").path
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }
}
