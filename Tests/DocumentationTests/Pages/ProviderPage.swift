import APNSModel
import APNSPayload
import APNSProvider
import Foundation
import ProviderToken

/// Needs Apple's gateway and a key of a team, so it is compiled and not run.
func sendOne() async throws {
    let key = try SigningKey(p8: [UInt8](Data(contentsOf: URL(filePath: "AuthKey_ABC123DEFG.p8"))))
    let provider = try PushProvider(
        ProviderConfiguration(
            gateway: APNSGateway(.sandbox),
            credentials: .token(key: key, keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!)))

    let reply = try await provider.send(
        APNSNotification(AlertPush("Hello"), to: DeviceToken("00112233…")!, of: Topic("com.example.agent")!))

    switch reply {
    case .accepted(let apnsID, _): print("accepted as", apnsID)
    case .refused(let refusal): print("refused:", refusal.reason, "try again:", refusal.reason.retry)
    }
    await provider.close()
}

/// Needs Apple's gateway too.
func sendFromTwo(key: SigningKey, keyID: KeyID, teamID: TeamID, nextKey: SigningKey, nextKeyID: KeyID) async throws {
    let tokens = ProviderTokenSource(key: key, keyID: keyID, teamID: teamID)
    let production = try PushProvider(
        ProviderConfiguration(gateway: APNSGateway(.production), credentials: .tokens(tokens)))
    let sandbox = try PushProvider(
        ProviderConfiguration(gateway: APNSGateway(.sandbox), credentials: .tokens(tokens)))

    tokens.replaceKey(nextKey, keyID: nextKeyID)
    await production.close()
    await sandbox.close()
}
