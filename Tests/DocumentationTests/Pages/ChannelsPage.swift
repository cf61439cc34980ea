import APNSModel
import APNSProvider

/// Creates a channel, sends the score to all of its subscribers, and deletes it.
func announce(_ score: [UInt8], for app: Topic, with configuration: ProviderConfiguration) async throws {
    let channels = try ChannelManager(configuration)
    let channel = try await channels.create(for: app, storing: .mostRecentMessage)
    let provider = try PushProvider(configuration)
    let reply = try await provider.send(APNSBroadcast(to: channel, of: app, expiration: .once, payload: score))
    if let reason = reply.reason { print("refused: \(reason)") }
    try await channels.delete(channel, of: app)
    await provider.close()
    await channels.close()
}

/// Sends to a new channel.
func broadcast(
    _ payload: [UInt8], of app: Topic, _ provider: PushProvider, _ configuration: ProviderConfiguration
) async throws -> Reply {
    let channels = try ChannelManager(configuration)
    let channel = try await channels.create(for: app, storing: .mostRecentMessage)
    let reply = try await provider.send(APNSBroadcast(to: channel, of: app, expiration: .once, payload: payload))
    await channels.close()
    return reply
}

/// Sends through a proxy from now on.
func useProxy(_ password: String, in configuration: inout ProviderConfiguration) {
    configuration.proxy = .http(
        host: "proxy.example.com", port: 3128, credentials: ProxyCredentials(user: "push", password: password))
}
