import APNSModel
import APNSProvider

/// The destination and the credentials that result from options, environment variables and a profile, in this order. With
/// `--gateway local` the credentials of that gateway win over variables and the profile, because those are for another one.
struct CredentialChoice: Hashable, Sendable {
    enum Identity: Hashable, Sendable {
        case token(keyPath: String, keyID: String?, teamID: String?)
        case certificate(path: String, keyPath: String?)
    }

    var gateway: APNSGateway
    var identity: Identity
    var caPath: String?
    var topic: String?
    /// Where the topic comes from, for messages: an option, a variable or a file.
    private(set) var topicOption = CredentialVariable.topic.option
    /// What a profile says and a variable replaces; a sentence each.
    var notes: [String] = []
    var proxy: ProviderConfiguration.Proxy

    /// What options, variables or a profile give.
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
        var proxy: String?

        /// Refuses a key in place of its path before anything shows it.
        fileprivate func checkPaths() throws(CommandError) {
            for variable in CredentialVariable.paths {
                try CredentialChoice.checkPath(self[keyPath: variable.field], variable.both)
            }
            try CredentialChoice.checkPath(certificateKey, "--certificate-key")
        }

        /// The gateway; nil where an environment or nothing is given.
        var destination: String? { environment == nil ? gateway : nil }
        var namesDestination: Bool { gateway != nil || environment != nil }
        /// Whether the destination is a gateway on this machine, by name.
        var isLocal: Bool {
            get throws(CommandError) {
                try destination.flatMap { d throws(CommandError) in try LocalGatewayName(d) } != nil
            }
        }
        var namesIdentity: Bool { key != nil || certificate != nil }
    }

    /// - Parameter local: Finds the gateway on this machine. Called for `--gateway local` only.
    init(
        options: Given, variables: Given, profile: ChosenProfile? = nil,
        local: (LocalGatewayName) throws(CommandError) -> LocalGateway
    ) throws(CommandError) {
        var preset = profile?.given ?? Given()
        let isOfProfile = !options.namesDestination && !variables.namesDestination && preset.namesDestination
        notes = profile.flatMap { CredentialChoice.note($0, options, variables) }.map { [$0] } ?? []
        // Authorities belong to a gateway, so those of a profile count for its own only.
        if !isOfProfile, preset.namesDestination { preset.ca = nil }
        proxy = try CredentialChoice.proxy(options.proxy)

        let source = [options, variables, preset].first { $0.namesDestination } ?? Given()
        let levels: [Given]
        if let destination = source.destination, let name = try LocalGatewayName(destination) {
            let found = try local(name)
            gateway = found.gateway
            let development = Given(found.credentials)
            // What a profile says beside `gateway: local` was written for that gateway.
            levels =
                isOfProfile ? [options, preset, development, variables] : [options, development, variables, preset]
            notes = []
        } else {
            gateway = try CredentialChoice.gateway(source.destination, environment: source.environment)
            levels = [options, variables, preset]
        }
        let topic = levels.lazy.compactMap(\.topic).first
        self.topic = topic
        topicOption = CredentialChoice.origin(ofTopic: topic, options, variables, profile)
        caPath = levels.lazy.compactMap(\.ca).first
        for given in levels { try given.checkPaths() }

        guard let owner = levels.first(where: { $0.namesIdentity }) else {
            throw CommandError(
                "there is no key: give --key AuthKey_KEYID.p8 with --team-id, set APNS_KEY and APNS_TEAM_ID, give "
                    + "--certificate, or choose a profile with --profile")
        }
        if let path = owner.certificate {
            guard owner.key == nil else {
                throw CommandError(
                    "APNS_KEY and APNS_CERTIFICATE are both set; unset one of them, or give --key or --certificate")
            }
            identity = .certificate(path: path, keyPath: options.certificateKey ?? owner.certificateKey)
        } else {
            let path = owner.key ?? ""
            // The id and the team go with the key, so those of development credentials go with theirs only.
            identity = .token(
                keyPath: path,
                keyID: options.keyID ?? owner.keyID ?? CredentialChoice.keyID(inNameOf: path) ?? variables.keyID,
                teamID: options.teamID ?? owner.teamID ?? variables.teamID ?? preset.teamID)
        }
    }

    /// That variables replace what a profile says; nil where they do not.
    private static func note(_ profile: ChosenProfile, _ options: Given, _ variables: Given) -> String? {
        let preset = profile.given
        var winners: [CredentialVariable] = []
        if !options.namesDestination, variables.namesDestination, preset.namesDestination { winners.append(.gateway) }
        if !options.namesIdentity, variables.namesIdentity, preset.namesIdentity {
            winners.append(variables.key != nil ? .key : .certificate)
        }
        for variable in [CredentialVariable.topic, .ca] where options[keyPath: variable.field] == nil {
            guard let value = variables[keyPath: variable.field], let other = preset[keyPath: variable.field],
                value != other
            else { continue }
            winners.append(variable)
        }
        guard !winners.isEmpty else { return nil }
        let names = winners.map(\.name).joined(separator: " and ")
        return winners.count == 1
            ? "\(names) is set and wins over the profile \(profile.name); unset it to use what the profile says"
            : "\(names) are set and win over the profile \(profile.name); unset them to use what the profile says"
    }

    private static func origin(
        ofTopic topic: String?, _ options: Given, _ variables: Given, _ profile: ChosenProfile?
    ) -> String {
        guard options.topic == nil, topic != nil else { return CredentialVariable.topic.option }
        if topic == variables.topic { return CredentialVariable.topic.name }
        if let profile, topic == profile.given.topic { return "topic of the profile \(profile.name)" }
        return "topic of the gateway's credentials"
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
        guard let gateway = APNSGateway(url: destination) else {
            throw CommandError(
                "the gateway \"\(PlainText.safe(destination))\" must have the form https://HOST or https://HOST:PORT, with "
                    + "a host name or address and a port from 1 to 65535, or be local", .badArguments)
        }
        return gateway
    }

    /// - Parameter option: The value of `--proxy`; nil without it.
    private static func proxy(_ option: String?) throws(CommandError) -> ProviderConfiguration.Proxy {
        guard let option else { return .environment }
        if option == "none" { return .none }
        do throws(ProviderConfigurationError) {
            return try ProviderConfiguration.Proxy(url: option)
        } catch {
            throw CommandError("--proxy: \(error.detail)", .badArguments)
        }
    }

    /// The key id in a file name of the form `AuthKey_XXXXXXXXXX.p8`.
    static func keyID(inNameOf path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
        let id = name.dropFirst("AuthKey_".count).dropLast(".p8".count)
        return id.utf8.count == 10 ? String(id) : nil
    }
}

extension CredentialChoice {
    /// The choice of a command: its options, the environment variables, its profile, and the gateways of this machine.
    /// Notes about the choice go to stderr.
    static func find(_ options: CredentialOptions, topic: String?) throws(CommandError) -> CredentialChoice {
        try find(Given(options, topic: topic), variables: .variables, profile: try options.profiles.chosen())
    }

    static func find(
        _ options: Given, variables: Given, profile: ChosenProfile?
    ) throws(CommandError) -> CredentialChoice {
        let choice = try CredentialChoice(options: options, variables: variables, profile: profile) {
            name throws(CommandError) in try LocalGateway.find(name)
        }
        for note in choice.notes { Output.standard.note(note) }
        return choice
    }
}

extension CredentialChoice.Given {
    init(_ options: CredentialOptions, topic: String?) {
        self.init(
            gateway: options.gateway, environment: options.environment, key: options.signing.key,
            keyID: options.signing.keyID, teamID: options.signing.teamID, certificate: options.certificate,
            certificateKey: options.certificateKey,
            ca: options.ca, topic: topic, proxy: options.proxy)
    }

    init(_ local: LocalCredentials) {
        self.init(
            key: local.keyPath, keyID: local.keyID, teamID: local.teamID, ca: local.caPath, topic: local.topic)
    }

    /// What the environment variables give.
    static var variables: CredentialChoice.Given {
        var given = CredentialChoice.Given()
        for variable in CredentialVariable.all { given[keyPath: variable.field] = variable.value }
        return given
    }
}
