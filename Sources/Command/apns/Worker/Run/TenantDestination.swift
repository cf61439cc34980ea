import APNSModel

/// What the tenants of a file take from options, variables and a profile: gateway, authorities and proxy. A gateway that
/// these name is for tests, so each tenant without one of its own is sent there, whatever its environment is.
struct TenantDestination {
    private let options: CredentialChoice.Given
    private let variables: CredentialChoice.Given
    private let profile: ChosenProfile?
    private let namesGateway: Bool

    init(options: CredentialChoice.Given, variables: CredentialChoice.Given, profile: ChosenProfile?) {
        let source = [options, variables, profile?.given ?? CredentialChoice.Given()].first { $0.namesDestination }
        namesGateway = source?.destination != nil
        self.options = options
        // Authorities beside a gateway are for that one, so those of a gateway that is not taken do not count.
        let isOverruled = options.namesDestination && variables.gateway != nil
        self.variables = CredentialChoice.Given(gateway: variables.gateway, ca: isOverruled ? nil : variables.ca)
        var profile = profile
        if let given = profile?.given {
            profile?.given = CredentialChoice.Given(
                gateway: given.gateway, environment: given.environment, ca: given.ca)
        }
        self.profile = profile
    }

    /// - Parameter tenant: What the file gives. Its environment chooses the destination where nothing names a gateway.
    func choice(
        _ tenant: CredentialChoice.Given, local: (LocalGatewayName) throws(CommandError) -> LocalGateway
    ) throws(CommandError) -> CredentialChoice {
        var own = tenant
        if own.gateway != nil || namesGateway {
            own.environment = nil
        } else {
            own.environment = own.environment ?? APNSEnvironment.sandbox.rawValue
        }
        var variables = variables
        if tenant.gateway != nil, variables.gateway != nil { variables.ca = nil }
        own.gateway = own.gateway ?? options.destination
        if tenant.gateway == nil || options.destination == nil { own.ca = own.ca ?? options.ca }
        own.proxy = options.proxy
        return try CredentialChoice(options: own, variables: variables, profile: profile, local: local)
    }
}
