import ArgumentParser

/// Where the key of a provider token comes from, besides --key.
struct TokenKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Take the key of this gateway: \(LocalGatewayName.help).", valueName: "name"),
        completion: .gateways)
    var gateway: String?

    @OptionGroup var profiles: ProfileOptions

    func validate() throws {
        guard let gateway else { return }
        let isLocal: Bool
        do throws(CommandError) {
            isLocal = try LocalGatewayName(gateway) != nil
        } catch {
            throw ValidationError("--gateway \(error.message)")
        }
        guard isLocal else {
            throw ValidationError(
                "--gateway: here it is local or local:PORT, because the key of another one is not known")
        }
    }

    /// Whether the key may come from here.
    var isGiven: Bool {
        gateway != nil || profiles.profile != nil || System.environment(ProfileOptions.nameVariable) != nil
    }

    /// The choice of key, key id and team. A destination of the variables does not count, and certificates sign nothing.
    ///
    /// - Parameter profileWins: Whether --profile wins over the key of the variables.
    func choice(_ given: CredentialChoice.Given, profileWins: Bool = false) throws(CommandError) -> CredentialChoice {
        var variables = CredentialChoice.Given.variables
        variables.gateway = nil
        variables.certificate = nil
        if profileWins, profiles.profile != nil { variables.key = nil }
        var profile = try profiles.chosen()
        profile?.given.certificate = nil
        // With another key no gateway has to run. One that --profile names is asked for its key.
        if given.key != nil || variables.key != nil && profiles.profile == nil { profile?.given.gateway = nil }
        let hasKey =
            given.key ?? variables.key ?? given.gateway ?? profile?.given.key ?? profile?.given.gateway != nil
        guard hasKey else {
            throw CommandError(
                "there is no key: give --key AuthKey_KEYID.p8 with --team-id, set APNS_KEY and APNS_TEAM_ID, or give "
                    + "--gateway local or a --profile with a key")
        }
        return try CredentialChoice.find(given, variables: variables, profile: profile)
    }
}
