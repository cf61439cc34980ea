import APNSModel
import APNSPayload
import APNSProvider
import Logging
import WorkerCore
import WorkerRuntime

/// Reads the credentials of a worker: those of the command line, and those of the tenants.
struct WorkerTenants {
    var credentials: CredentialOptions
    var topic: String?
    var path: String?
    var connections: Int
    var timeout: Duration

    /// Called at the start, and again after SIGHUP.
    ///
    /// - Parameter note: Takes notes about the choice. After the start nothing may wait for their reader.
    func read(note: (String) -> Void = { Output.standard.note($0) }) throws(CommandError) -> [WorkerTenant] {
        let given = CredentialChoice.Given(credentials, topic: topic)
        let variables = CredentialChoice.Given.variables
        let profile = try credentials.profiles.chosen()
        let file = try path.map { path throws(CommandError) in try WorkerTenantFile(path: path) }
        let idleTimeout = WorkerTenants.idleTimeout(tenants: file?.tenants.count ?? 1)
        var tenants: [WorkerTenant] = []
        let levels = [given, variables, profile?.given ?? CredentialChoice.Given()]
        var isNamed = levels.contains { $0.namesIdentity }
        // Only the one that decides: the credentials of a gateway that is not taken are not used.
        if let source = levels.first(where: { $0.namesDestination }), try source.isLocal { isNamed = true }
        if isNamed || file == nil {
            if let path, let file { try WorkerTenants.checkNames(file.tenants.map(\.name), in: path) }
            let choice = try CredentialChoice(options: given, variables: variables, profile: profile) {
                name throws(CommandError) in try LocalGateway.find(name)
            }
            for text in choice.notes { note(text) }
            tenants.append(try tenant(nil, choice, idleTimeout, rate: nil))
        }
        let destination = TenantDestination(options: given, variables: variables, profile: profile)
        for tenant in file?.tenants ?? [] {
            let label = tenant.name
            do throws(CommandError) {
                let choice = try destination.choice(tenant.given) { name throws(CommandError) in
                    try LocalGateway.find(name)
                }
                tenants.append(
                    try self.tenant(
                        label, choice, idleTimeout, rate: tenant.rate, environment: tenant.given.environment))
            } catch {
                throw CommandError("the tenant \(PlainText.safe(label)): \(error.message)", error.status)
            }
        }
        return tenants
    }

    /// Logs, metrics and limits name the tenant of the command line too, so no other may have that name beside it.
    static func checkNames(_ names: [String], in path: String) throws(CommandError) {
        guard names.contains(TenantSettings.labelWithoutName) else { return }
        throw CommandError(
            "\(PlainText.safe(path)) has a tenant \(TenantSettings.labelWithoutName), which is what logs and metrics "
                + "call the credentials of the command line: rename it in the file and in its jobs, or start the "
                + "worker without credentials in options, variables or a profile, and without --gateway local")
    }

    /// After how long without a push a connection is closed. APNs wants connections to stay open, but each one is an open file, and
    /// of many tenants most send seldom.
    static func idleTimeout(tenants: Int) -> Duration? { tenants > 16 ? .seconds(60) : nil }

    /// The files that decide beside the gateway whether a connection can be opened. Tenants with the same ones share a breaker.
    static func connecting(_ choice: CredentialChoice) -> String {
        var certificate = ""
        if case .certificate(let path, _) = choice.identity { certificate = path }
        return certificate + "\n" + (choice.caPath ?? "")
    }

    private func tenant(
        _ name: String?, _ choice: CredentialChoice, _ idleTimeout: Duration?, rate: Int?, environment: String? = nil
    ) throws(CommandError) -> WorkerTenant {
        var configuration = try choice.configuration()
        configuration.connections = connections
        configuration.timeout = timeout
        configuration.connectAttempts = 4
        configuration.idleTimeout = idleTimeout
        // The worker checks what it reads.
        configuration.validates = false
        let isProduction = choice.gateway.host == APNSEnvironment.production.host
        return WorkerTenant(
            settings: TenantSettings(
                name: name, host: choice.gateway.description, connecting: WorkerTenants.connecting(choice),
                environment: environment ?? (isProduction ? "production" : "sandbox"), rate: rate),
            defaults: EnvelopeDefaults(topic: try choice.checkedTopic(), pushType: .alert),
            open: { [configuration] () throws(ProviderConfigurationError) in
                try PushProvider(configuration, logger: .silent("apns.worker"))
            })
    }
}
