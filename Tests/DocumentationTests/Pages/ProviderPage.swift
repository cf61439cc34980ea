import APNSSender

/// Needs Apple's gateway, so it is compiled and not run.
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
