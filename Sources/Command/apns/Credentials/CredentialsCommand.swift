import APNSModel
import ArgumentParser
import DevelopmentCredentials
import GatewayConfiguration
import PayloadJSON
import ProviderToken
import SystemFiles

/// `apns credentials`: makes development credentials.
struct CredentialsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials",
        abstract: "Makes development credentials: a CA, a server certificate, a .p8 key and push certificates.",
        discussion: """
            They are for the gateway simulator on this machine; APNs does not accept them. Private files have the mode 0600; \
            with --group the keys of senders have 0640. \
            `apns gateway` makes credentials itself when there are none.

            EXAMPLE
              apns credentials --output certs/dev
              apns credentials --certificate universal --certificate voip
              apns credentials --name gateway --name api.push.apple.com
              apns send --gateway local --token ab12 --alert 'Hello' \\
                --certificate certs/dev/client-com.example.agent-universal.pem \\
                --certificate-key certs/dev/client-com.example.agent-universal.key

            CERTIFICATES
            \(CertificateKind.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))

            ENVIRONMENT: \(CredentialVariable.passphraseName) is the passphrase of the files of --p12, here and for apns send.

            EXIT STATUS: 0 made, or already there; 2 they could not be written or are damaged; 64 bad arguments.
            """)

    @Option(name: [.customLong("output"), .customShort("o")], help: "The folder for the credentials.")
    var folder = DevelopmentCredentials.defaultFolder
    @Option(
        help: ArgumentHelp(
            "Also make a push certificate of one of the kinds above, or all for one of each; may be repeated.",
            valueName: "kind"))
    var certificate: [String] = []
    @Option(
        help: ArgumentHelp(
            "The app of the push certificates (default: the app of the credentials).", valueName: "bundle"))
    var topic: String?
    @Option(help: ArgumentHelp("For how many days push certificates are valid.", valueName: "count"))
    var days = 365
    @Flag(help: "Write push certificates as PKCS#12 files too, with the passphrase from the environment.")
    var p12 = false
    @Option(
        name: .customLong("name"),
        help: ArgumentHelp(
            "A further host name or address for the server certificate, such as gateway or api.push.apple.com; may be "
                + "repeated. An existing certificate that lacks it is renewed.", valueName: "host"))
    var names: [String] = []
    @Option(
        name: .customLong("group"),
        help: ArgumentHelp(
            "Let this group, a name or a number, read the signing key and the keys of push certificates.",
            valueName: "group"),
        transform: ArgumentReading.readers)
    var group: FileReaders?
    @Flag(help: "Replace the server certificate by a new one of the same CA.")
    var renew = false
    @Flag(help: "Replace existing credentials, including push certificates.")
    var force = false
    @Flag(help: "Print the paths and ids as one line of JSON.")
    var json = false

    func validate() throws {
        _ = try kinds()
        guard !renew || !force else {
            throw ValidationError(
                "--force replaces everything, and --renew only the server certificate; give one of them")
        }
        guard (1...36_500).contains(days) else { throw ValidationError("--days takes a number from 1 to 36500") }
        if let topic {
            guard let known = Topic(topic), known.suffix.isEmpty else {
                throw ValidationError(
                    "--topic \(topic): it must be a bundle id such as com.example.agent, without suffix")
            }
        }
        guard names.count <= GatewayConfiguration.maximumNames else {
            throw ValidationError("--name may be given \(GatewayConfiguration.maximumNames) times")
        }
        for name in names {
            do {
                try DevelopmentCredentials.check(name: name)
            } catch {
                throw ValidationError("--name: \(error)")
            }
        }
        guard !certificate.isEmpty || topic == nil && !p12 else {
            throw ValidationError("--topic and --p12 are for push certificates; name one with --certificate universal")
        }
    }

    private func kinds() throws -> [CertificateKind] {
        try certificate.flatMap { text -> [CertificateKind] in
            if text == "all" { return CertificateKind.allCases }
            guard let kind = CertificateKind(rawValue: text) else {
                let known = CertificateKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--certificate \(text): it must be one of \(known), or all")
            }
            return [kind]
        }
    }

    func run() throws {
        let kinds = try kinds()
        let passphrase = p12 ? System.environment(CredentialVariable.passphraseName) : nil
        guard !p12 || passphrase != nil else {
            throw CommandError(
                "--p12 takes the passphrase of the files from \(CredentialVariable.passphraseName), which is not set"
            )
        }
        var files: [DevelopmentCredentials.CertificateFiles] = []
        let credentials: DevelopmentCredentials
        do throws(CredentialsError) {
            credentials =
                force
                ? try .replace(in: folder, names: names)
                : renew ? try .renewServer(in: folder, names: names) : try .loadOrMake(in: folder, with: names)
            for kind in kinds {
                files.append(
                    try credentials.writeCertificate(
                        kind, bundleID: topic, days: Int64(days), passphrase: passphrase))
            }
            if let group { try credentials.allow(group) }
        } catch {
            throw CommandError(error.detail)
        }
        let output = Output.standard
        guard !json else { return output.result(credentials.summaryLine(in: folder, files)) }
        output.result("CA       \(DevelopmentCredentials.caFile(in: folder))")
        output.result("key      \(credentials.keyFile ?? "")")
        output.result("key id   \(credentials.keyID.value)")
        output.result("team id  \(credentials.teamID.value)")
        output.result("topic    \(credentials.topic.value)")
        for file in files {
            let environments = file.environments.map(\.rawValue).joined(separator: " and ")
            output.result("")
            output.result("certificate \(file.kind.rawValue), \(environments), until \(file.expires)")
            output.result("  \(file.certificate)")
            output.result("  \(file.key)")
            if let archive = file.pkcs12 { output.result("  \(archive)") }
            output.result("  topics: \(file.topics.joined(separator: ", "))")
        }
    }
}

extension DevelopmentCredentials {
    /// The keys of the ready line of `apns gateway` that concern credentials (docs/reference/interfaces.md 1.4), and the
    /// certificates that were made.
    fileprivate func summaryLine(in folder: String, _ files: [CertificateFiles]) -> String {
        var members = [
            ("ca", DevelopmentCredentials.caFile(in: folder)), ("key", keyFile ?? ""), ("key-id", keyID.value),
            ("team-id", teamID.value), ("topic", topic.value),
        ].map { "\(JSONWriter.quoted($0.0)):\(JSONWriter.quoted($0.1))" }
        if !files.isEmpty { members.append("\"certificates\":[\(files.map(\.line).joined(separator: ","))]") }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension DevelopmentCredentials.CertificateFiles {
    fileprivate var line: String {
        func list(_ texts: [String]) -> String {
            "[" + texts.map { JSONWriter.quoted($0) }.joined(separator: ",") + "]"
        }
        var members = [
            ("kind", JSONWriter.quoted(kind.rawValue)), ("certificate", JSONWriter.quoted(certificate)),
            ("key", JSONWriter.quoted(key)),
        ]
        if let pkcs12 { members.append(("p12", JSONWriter.quoted(pkcs12))) }
        members += [
            ("topics", list(topics)), ("environments", list(environments.map(\.rawValue))),
            ("expires", JSONWriter.quoted(expires)),
        ]
        return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }
}
