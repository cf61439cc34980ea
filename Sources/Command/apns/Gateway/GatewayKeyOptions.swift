import APNSModel
import ArgumentParser
import GatewayConfiguration
import ProviderToken

/// Which provider tokens the gateway accepts, beside those of the development credentials.
struct GatewayKeyOptions: GatewayOptionGroup {
    @Option(.key) var keys: [String] = []
    @Option(.teamID) var teamIDs: [String] = []
    @Flag(.anyKey) var anyKey = false

    var options: [(setting: GatewaySetting, isGiven: Bool)] {
        [(.key, !keys.isEmpty), (.teamID, !teamIDs.isEmpty), (.anyKey, anyKey)]
    }

    func validate() throws {
        guard keys.count == teamIDs.count else {
            throw ValidationError(
                "\(keys.count) --key and \(teamIDs.count) --team-id: each key needs the team that it belongs to")
        }
    }

    func apply(to configuration: inout GatewayConfiguration) throws {
        if anyKey { configuration.acceptsAnyKey = true }
        for (file, team) in zip(keys, teamIDs) { configuration.keys.append(try GatewayKeyOptions.key(file, team)) }
    }

    private static func key(_ file: String, _ team: String) throws(CommandError) -> GatewayConfiguration.Key {
        guard let team = TeamID(team) else {
            throw CommandError(
                "\(PlainText.safe(team)) is not a team id, which has ten capital letters and digits", .badArguments)
        }
        guard let id = CredentialChoice.keyID(inNameOf: file).flatMap({ KeyID($0) }) else {
            throw CommandError(
                "\(file): the key id is read from a name of the form AuthKey_XXXXXXXXXX.p8; rename the file",
                .badArguments)
        }
        let bytes = try CredentialChoice.read(
            file, "a key that provider tokens are signed with (--key), a .p8 file or a public key in PEM")
        do throws(KeyError) {
            return try GatewayConfiguration.Key(keyID: id, teamID: team, file: bytes)
        } catch {
            throw CommandError("\(file): \(error.detail)")
        }
    }
}
