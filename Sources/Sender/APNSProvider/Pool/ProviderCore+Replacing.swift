import APNSModel

/// Connections that work, and are replaced because the gateway would refuse on them what it accepts on another one.
extension ProviderCore {
    /// The notification was refused. If the reason is one to send again on a new connection, this one is replaced. After
    /// `ExpiredProviderToken` it is replaced as soon as there is another provider token, because APNs has been seen to refuse
    /// everything on such a connection (docs/reference/apns.md 3.4).
    mutating func refused(_ resolution: Resolution, on index: Int, at now: MonotonicTime) {
        guard case .refused(let refusal) = resolution.outcome else { return }
        if refusal.reason == .expiredProviderToken {
            connections[index]?.expiredToken = resolution.tokenNumber
        } else if refusal.reason.retry == .onNewConnection {
            replace(index, at: now)
        }
    }

    /// Starts no new stream on a connection, so that the next notification opens another one. While the provider waits
    /// between attempts to connect, the connection stays in use: a refusal is better than no answer.
    mutating func replace(_ index: Int, at now: MonotonicTime) {
        guard connections[index]?.isOpen == true, attempts.allowsConnect(at: now) else { return }
        drain(index, at: now)
    }

    /// Starts no new stream on any connection that is open now.
    mutating func replaceAll(at now: MonotonicTime) {
        for index in connections.indices where connections[index]?.isOpen == true { drain(index, at: now) }
    }
}
