import APNSModel
import APNSTransport
import HTTP2Session
import Logging
import NIOCore
import ProviderToken
import SystemFiles

/// The requests of an event loop, and the provider token that they carry.
extension ProviderLoop {
    func request(
        _ submission: Submission, on connection: Connection<ProviderConnectionDelegate>
    ) throws(HTTP2Error) -> HTTP2Stream {
        guard let notification = submission.notification else {
            guard let channels = submission.channels else { preconditionFailure("a submission asks for something") }
            return try requestAboutChannels(
                channels, requestID: submission.apnsID, authority: authority,
                authorization: authorization?.authorization, on: connection)
        }
        return try connection.http2.request(body: notification.payload) { fields in
            fields.add(":method", "POST")
            fields.add(":scheme", "https")
            // Path and id, and mostly the expiration, differ each time. In the dynamic table of HPACK they would evict
            // the fields that repeat.
            fields.add(":path", prefix: "/3/device/", notification.deviceToken.hex, isIndexed: false)
            fields.add(":authority", authority)
            if let authorization { fields.add("authorization", authorization.authorization) }
            // Empty in a replayed notification whose recording had none.
            if !notification.topic.value.isEmpty { fields.add("apns-topic", notification.topic.value) }
            if !notification.pushType.rawValue.isEmpty {
                fields.add("apns-push-type", notification.pushType.rawValue)
            }
            fields.add("apns-id", submission.apnsID, isIndexed: false)
            if let priority = notification.priority { fields.add("apns-priority", priority.rawValue) }
            if let expiration = notification.expiration {
                fields.add("apns-expiration", Int(expiration.secondsSince1970), isIndexed: false)
            }
            if let collapseID = notification.collapseID {
                fields.add("apns-collapse-id", collapseID.value, isIndexed: false)
            }
        }
    }

    func report(
        _ submission: Submission, _ stream: HTTP2Stream, on index: Int, to observer: (ExchangeEvent) -> Void
    ) {
        guard let notification = submission.notification else { return }
        let request = ExchangeEvent.Request(
            notification: notification, apnsID: submission.apnsID, isAuthorized: authorization != nil)
        observer(.sent(connection: index, stream: Int(stream.id), request))
    }

    /// Takes over the current provider token, at most once a second if the key is the same.
    ///
    /// - Returns: Whether there is one. False while the first one is being signed elsewhere.
    func renewAuthorization(at now: MonotonicTime) throws(KeyError) -> Bool {
        guard let tokens = shared.tokens else { return true }
        if let checked = authorizationChecked, now - checked < .seconds(1),
            authorization?.keyNumber == tokens.keyNumber
        {
            return true
        }
        guard let token = try tokens.token(now: .continuous, wallClock: WallClock.secondsSince1970) else {
            return false
        }
        authorizationChecked = now
        guard token != authorization else { return true }
        shared.logger.info(
            "a new provider token is in use", metadata: ["key-id": "\(tokens.keyID)", "gateway": "\(gatewayName)"])
        if let authorization, authorization.keyNumber != token.keyNumber { core.replaceAll(at: now) }
        authorization = token
        tokenNumber += 1
        isTokenAccepted = false
        return true
    }

    /// Reports the first acceptance of the current provider token, and each refusal that may be due to it.
    func noteTokenAnswer(_ resolution: Core.Resolution) {
        guard let tokens = shared.tokens, resolution.tokenNumber == tokenNumber, let authorization else { return }
        switch resolution.status {
        case ChannelRequest.acceptedStatuses:
            guard !isTokenAccepted else { return }
            isTokenAccepted = true
            tokens.accepted(authorization)
        case 403, 429:
            guard case .refused(let refusal) = resolution.outcome else { return }
            tokens.refused(authorization, refusal.reason)
            if refusal.reason == .expiredProviderToken { authorizationChecked = nil }
        default: break
        }
    }
}
