/// An environment variable that counts when its option is absent.
///
/// The values, the sentences in `--help` and the messages about variables come from `all`.
struct CredentialVariable: Sendable {
    let name: String
    /// With the hyphens.
    let option: String
    let field: any WritableKeyPath<CredentialChoice.Given, String?> & Sendable

    static let gateway = CredentialVariable(name: "APNS_GATEWAY", option: "--gateway", field: \.gateway)
    static let key = CredentialVariable(name: "APNS_KEY", option: "--key", field: \.key)
    static let keyID = CredentialVariable(name: "APNS_KEY_ID", option: "--key-id", field: \.keyID)
    static let teamID = CredentialVariable(name: "APNS_TEAM_ID", option: "--team-id", field: \.teamID)
    static let topic = CredentialVariable(name: "APNS_TOPIC", option: "--topic", field: \.topic)
    static let ca = CredentialVariable(name: "APNS_CA", option: "--ca", field: \.ca)
    static let certificate = CredentialVariable(
        name: "APNS_CERTIFICATE", option: "--certificate", field: \.certificate)

    static let all = [gateway, key, keyID, teamID, topic, ca, certificate]

    /// A variable without an option, so that a passphrase is not visible in the list of processes.
    static let passphraseName = "APNS_CERTIFICATE_PASSPHRASE"

    /// Those whose value is the path of a file.
    static let paths = [key, ca, certificate]

    /// Option and variable, for a message about a value of which either may be the source.
    var both: String { "\(option) (or \(name))" }

    var value: String? { System.environment(name) }

    /// The sentence about variables in `--help`.
    static func help(_ variables: [CredentialVariable]) -> String {
        "ENVIRONMENT, when the option is absent: \(variables.map(\.name).joined(separator: ", "))."
    }
}
