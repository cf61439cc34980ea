public import APNSModel
import HTTP2Session
public import Logging

/// Creates, reads, lists and deletes the broadcast channels of apps, at APNs or a gateway simulator.
///
/// Make one for each team and environment, and keep it: it holds a connection, as a `PushProvider` does, and has the same
/// time limits, waits and provider tokens. A channel belongs to one app and one environment; messages to it are sent with
/// `PushProvider.send(_:timeout:)`.
public final class ChannelManager: Sendable {
    private let provider: PushProvider

    /// APNs allows 10,000 channels; this is enough for ids of 400 characters.
    static let maximumBodyBytes = 4 << 20

    /// - Parameter configuration: That of a `PushProvider`. For one of Apple's hosts the manager connects to the host that
    ///   manages the channels of its environment (`APNSGateway.channelManagement`).
    /// - Throws: `ProviderConfigurationError`, as `PushProvider` does.
    public init(
        _ configuration: ProviderConfiguration, logger: Logger = Logger(label: "apns.channels")
    ) throws(ProviderConfigurationError) {
        var configuration = configuration
        configuration.gateway = configuration.gateway.channelManagement
        configuration.http2Limits.storedBodyBytes = ChannelManager.maximumBodyBytes
        configuration.http2Limits.bodyBytes = ChannelManager.maximumBodyBytes
        provider = try PushProvider(configuration, logger: logger)
    }

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - app: The app that it belongs to; only its bundle id counts.
    ///   - storage: What it stores for devices that are not connected.
    ///   - requestID: The `apns-request-id`; nil for a new one.
    /// - Returns: The id that apps subscribe to and that broadcasts name.
    /// - Throws: `ChannelError`. If its code is `unknown` the channel may have been created; `list(of:)` shows it.
    public func create(
        for app: Topic, storing storage: APNSChannel.Storage, requestID: NotificationID? = nil
    ) async throws(ChannelError) -> ChannelID {
        let request = ChannelRequest(action: .create(storage), app: app, id: requestID ?? NotificationID())
        return try await answer(to: request) { answer throws(Answer.Unreadable) in try answer.createdChannel() }
    }

    /// Reads what a channel stores.
    public func read(
        _ id: ChannelID, of app: Topic, requestID: NotificationID? = nil
    ) async throws(ChannelError) -> APNSChannel {
        let request = ChannelRequest(action: .read(id), app: app, id: requestID ?? NotificationID())
        return try await answer(to: request) { answer throws(Answer.Unreadable) in try answer.channel(id) }
    }

    /// The ids of all channels of an app.
    public func list(
        of app: Topic, requestID: NotificationID? = nil
    ) async throws(ChannelError) -> [ChannelID] {
        let request = ChannelRequest(action: .list, app: app, id: requestID ?? NotificationID())
        return try await answer(to: request) { answer throws(Answer.Unreadable) in try answer.channels() }
    }

    /// Deletes a channel, which cannot be undone. Later broadcasts to it are refused with `ChannelNotRegistered`.
    public func delete(
        _ id: ChannelID, of app: Topic, requestID: NotificationID? = nil
    ) async throws(ChannelError) {
        let request = ChannelRequest(action: .delete(id), app: app, id: requestID ?? NotificationID())
        try await answer(to: request) { _ throws(Answer.Unreadable) in }
    }

    /// Closes the connection; requests in progress end as those of `PushProvider.close()`.
    public func close() async { await provider.close() }

    /// The same, and waits no longer than `limit`.
    public func close(within limit: Duration) async { await provider.close(within: limit) }

    private func answer<Value>(
        to request: ChannelRequest, read: (Answer) throws(Answer.Unreadable) -> Value
    ) async throws(ChannelError) -> Value {
        let exchange = ChannelExchange(.management(request))
        let requestID = request.id.text
        let outcome = await provider.submit(exchange, apnsID: requestID, timeout: nil)
        switch outcome {
        case .accepted:
            do throws(Answer.Unreadable) {
                return try read(exchange.answer ?? Answer())
            } catch {
                throw ChannelError(
                    badAnswer: error.description, requestID: requestID, isSafeToRetry: request.isRepeatable)
            }
        case .refused(let refusal): throw ChannelError(refusal, requestID: requestID)
        case .unsent(let error): throw ChannelError(.unsent, error, requestID: requestID, isSafeToRetry: true)
        case .unknown(let error):
            throw ChannelError(.unknown, error, requestID: requestID, isSafeToRetry: request.isRepeatable)
        }
    }
}
