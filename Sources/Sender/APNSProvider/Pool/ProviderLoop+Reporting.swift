import APNSModel
import Logging
import ProviderMetrics
import ProviderToken

/// What an event loop reports: metrics, and log lines. Neither has a device token or a provider token.
extension ProviderLoop {
    /// Logs a notification that was not accepted.
    func logFailure(_ resolution: Core.Resolution) {
        if resolution.status == 403 { logRefusal(of: resolution) }
        if shared.logger.logLevel <= .debug { log(resolution) }
    }

    /// Passes the metrics on.
    func reportMetrics() {
        let levels = MetricsLevels(
            queued: core.queued, inFlight: core.underWay, connections: core.openConnections)
        metrics?.report(levels, waiting: inbox.waiting, loop: index)
    }

    /// Passes them on where no timer will.
    func reportIdleMetrics() {
        if timer == nil { reportMetrics() }
    }

    var gatewayName: String { shared.configuration.gateway.description }

    func metadata(of connection: ProviderConnectionDelegate) -> Logger.Metadata {
        // With several event loops, the number of the loop comes first.
        let number = shared.loops > 1 ? "\(index).\(connection.index)" : "\(connection.index)"
        return ["gateway": "\(gatewayName)", "connection": "\(number)"]
    }

    /// The gateway refuses the credentials: once for each provider token and reason, because it does so for each
    /// notification.
    private func logRefusal(of resolution: Core.Resolution) {
        guard case .refused(let refusal) = resolution.outcome,
            loggedRefusal?.reason != refusal.reason.code || loggedRefusal?.tokenNumber != resolution.tokenNumber
        else { return }
        loggedRefusal = (refusal.reason.code, resolution.tokenNumber)
        var metadata: Logger.Metadata = ["gateway": "\(gatewayName)", "reason": "\(refusal.reason.code)"]
        if let keyID = shared.tokens?.keyID { metadata["key-id"] = "\(keyID)" }
        shared.logger.warning("the gateway refuses the credentials", metadata: metadata)
    }

    private func log(_ resolution: Core.Resolution) {
        var metadata: Logger.Metadata = [
            "apns-id": "\(resolution.submission.apnsID)", "outcome": "\(resolution.outcome.name)",
        ]
        switch resolution.outcome {
        case .accepted: return
        case .refused(let refusal): metadata["reason"] = "\(refusal.reason.code)"
        case .unsent(let error), .unknown(let error): metadata["error"] = "\(error)"
        }
        shared.logger.debug("not accepted", metadata: metadata)
    }
}
