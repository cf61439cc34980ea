import APNSModel
import APNSProvider
import Doctor
import DoctorProbes
import Foundation
import ProviderToken
import QueueProbes
import SystemFiles

extension DoctorCommand {
    /// The path of a key that is not given, or not in a file.
    private static let noFile = ""
    private static let appleDateServer = APNSGateway(host: "www.apple.com")

    /// What options, variables and the profile say. Credentials that are absent or wrong are for the checks to judge.
    func settings() throws(CommandError) -> ExaminationSettings {
        var given = CredentialChoice.Given(credentials, topic: topic)
        var variables = CredentialChoice.Given.variables
        var keyText: String?
        if let value = variables.key, KeyMaterial.isIn(value) {
            keyText = value
            variables.key = DoctorCommand.noFile
        }
        let profile = try credentials.profiles.chosen()
        let levels = [given, variables, profile?.given ?? CredentialChoice.Given()]
        let isLocal = try levels.first { $0.namesDestination }?.isLocal ?? false
        if !isLocal, !levels.contains(where: \.namesIdentity) { given.key = DoctorCommand.noFile }
        let choice = try CredentialChoice.find(given, variables: variables, profile: profile)

        var settings = ExaminationSettings(
            identity: DoctorCommand.identity(choice.identity, keyText), gateway: choice.gateway
        ) { WallClock.secondsSince1970 }
        if let path = choice.caPath {
            settings.trust = .authorities(
                pem: try CredentialChoice.read(path, "the authorities (--ca) that the gateway is verified with"))
        }
        settings.proxy = choice.proxy
        settings.topic = choice.topic
        settings.deviceToken = token
        settings.isOffline = offline
        settings.timeout = timeout
        settings.tokenFolder = DoctorCommand.tokenFolder(System.environment)
        if let environment = Destination(host: choice.gateway.host, port: choice.gateway.port).environment {
            settings.other = APNSGateway(environment.other, port: .init(rawValue: choice.gateway.port) ?? .standard)
            settings.dateServer = DoctorCommand.appleDateServer
        }
        if let url = queue ?? System.environment(DoctorCommand.queueVariable) {
            settings.queue = EngineProbe.make(url: url, environment: ProcessInfo.processInfo.environment)
            guard settings.queue != nil else {
                throw CommandError(
                    "\(DoctorCommand.queueVariable) must begin with redis://, rediss://, postgres:// or postgresql://",
                    .badArguments)
            }
        }
        if let dateURL {
            settings.dateServer = APNSGateway(url: dateURL)
            settings.dateTrust = settings.trust
        }
        return settings
    }

    private static func identity(
        _ identity: CredentialChoice.Identity, _ keyText: String?
    ) -> ExaminationSettings.Identity {
        switch identity {
        case .certificate(let path, let keyPath):
            return .certificate(
                path: path, keyPath: keyPath, passphrase: System.environment(CredentialVariable.passphraseName))
        case .token(noFile, let keyID, let teamID):
            guard let keyText else { return .none }
            return .key(.variable(name: CredentialVariable.key.name, text: keyText), keyID: keyID, teamID: teamID)
        case .token(let path, let keyID, let teamID): return .key(.file(path: path), keyID: keyID, teamID: teamID)
        }
    }

    /// Where provider tokens are kept; nil where no folder of the user is known.
    ///
    /// - Parameter variable: The value of an environment variable; nil for an absent or empty one.
    static func tokenFolder(_ variable: (String) -> String?) -> String? {
        func absolute(_ name: String) -> String? { variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { "\($0)/.local/state" }
        return state.map { "\($0)/\(folderName)" }
    }
}
