import APNSModel
import APNSProvider

/// The destination and the credentials that result from options, development credentials and environment variables. An
/// option wins over certs/dev, which is read for `--gateway local` only, and that wins over a variable.
struct CredentialChoice: Hashable, Sendable {
    enum Identity: Hashable, Sendable {
        case token(keyPath: String, keyID: String?, teamID: String?)
        case certificate(path: String, keyPath: String?)
    }

    var gateway: APNSGateway
    var identity: Identity
    var caPath: String?
    var topic: String?

    /// What options, or variables, give.
    struct Given: Hashable, Sendable {
        var gateway: String?
        var environment: String?
        var key: String?
        var keyID: String?
        var teamID: String?
        var certificate: String?
        var certificateKey: String?
        var ca: String?
        var topic: String?
    }

    /// The default address of `apns gateway` on this machine.
    static let localGateway = APNSGateway(host: "127.0.0.1", port: 8443)

    /// - Parameter local: Reads certs/dev. Called for `--gateway local` only.
    init(
        options: Given, variables: Given, local: () throws(CommandError) -> LocalCredentials
    ) throws(CommandError) {
        let destination = options.environment == nil ? options.gateway ?? variables.gateway : nil
        let local = destination == "local" ? try local() : nil
        gateway = try CredentialChoice.gateway(destination, environment: options.environment)
        topic = options.topic ?? local?.topic ?? variables.topic
        caPath = options.ca ?? local?.caPath ?? variables.ca

        let teamID = options.teamID ?? local?.teamID ?? variables.teamID
        if let path = options.certificate {
            identity = .certificate(path: path, keyPath: options.certificateKey)
        } else if let path = options.key {
            identity = .token(
                keyPath: path,
                keyID: options.keyID ?? CredentialChoice.keyID(inNameOf: path) ?? variables.keyID, teamID: teamID)
        } else if let local {
            identity = .token(keyPath: local.keyPath, keyID: options.keyID ?? local.keyID, teamID: teamID)
        } else if let path = variables.key {
            guard variables.certificate == nil else {
                throw CommandError(
                    "APNS_KEY and APNS_CERTIFICATE are both set; unset one of them, or give --key or --certificate")
            }
            identity = .token(
                keyPath: path,
                keyID: options.keyID ?? variables.keyID ?? CredentialChoice.keyID(inNameOf: path), teamID: teamID)
        } else if let path = variables.certificate {
            identity = .certificate(path: path, keyPath: options.certificateKey)
        } else {
            throw CommandError(
                "there is no key: give --key AuthKey_KEYID.p8 with --team-id, set APNS_KEY and APNS_TEAM_ID, or give "
                    + "--certificate")
        }
    }

    /// The files that TLS uses, for a message that one of them cannot be used.
    var namesOfTLSFiles: String {
        var names = caPath.map { [$0] } ?? ["an authority of the system"]
        if case .certificate(let path, let keyPath) = identity { names = [path, keyPath, caPath].compactMap(\.self) }
        return names.joined(separator: " or ")
    }

    private static func gateway(_ destination: String?, environment: String?) throws(CommandError) -> APNSGateway {
        guard let destination else {
            return APNSGateway(environment.flatMap(APNSEnvironment.init(rawValue:)) ?? .sandbox)
        }
        if destination == "local" { return localGateway }
        guard let gateway = APNSGateway(url: destination) else {
            throw CommandError(
                "the gateway \"\(PlainText.safe(destination))\" must have the form https://HOST or https://HOST:PORT, with "
                    + "a host name or address and a port from 1 to 65535, or be local", .badArguments)
        }
        return gateway
    }

    /// The key id in a file name of the form `AuthKey_XXXXXXXXXX.p8`.
    static func keyID(inNameOf path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
        let id = name.dropFirst("AuthKey_".count).dropLast(".p8".count)
        return id.utf8.count == 10 ? String(id) : nil
    }
}

extension CredentialChoice.Given {
    init(_ options: CredentialOptions, topic: String?) {
        self.init(
            gateway: options.gateway, environment: options.environment, key: options.signing.key,
            keyID: options.signing.keyID, teamID: options.signing.teamID, certificate: options.certificate,
            certificateKey: options.certificateKey,
            ca: options.ca, topic: topic)
    }

    /// What the environment variables give.
    static var variables: CredentialChoice.Given {
        var given = CredentialChoice.Given()
        for variable in CredentialVariable.all { given[keyPath: variable.field] = variable.value }
        return given
    }
}
