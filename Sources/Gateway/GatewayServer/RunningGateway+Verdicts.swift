import APNSModel
import GatewayCore
import GatewayJSON
import GatewayRuntime

extension RunningGateway {
    /// A readable line about each notification that is judged from now on, and about what happens to it, until the
    /// reading task is cancelled. A slow reader misses lines; senders never wait.
    package func verdicts() -> AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
            guard let subscription = try? state.subscribeToEvents(disconnect: {}) else { return continuation.finish() }
            let task = Task {
                for await item in subscription.items {
                    guard case .event(let event, _, _) = item, let line = event.line else { continue }
                    continuation.yield(line)
                }
                continuation.finish()
            }
            continuation.onTermination = { [state] _ in
                task.cancel()
                state.unsubscribe(subscription.id)
            }
        }
    }
}

extension GatewayEvent {
    /// Nil for events that are not about a notification.
    fileprivate var line: String? {
        switch self {
        case .judged(let entry):
            let target = entry.token.map { DeviceToken.shorten($0) } ?? entry.channelID ?? "-"
            let what = entry.kind == .notification ? entry.pushType ?? "-" : entry.kind.rawValue
            let verdict = entry.verdict
            let reason = verdict.reason.map { " \($0.code)" } ?? ""
            let status = verdict.status.map(String.init) ?? "---"
            let fault = entry.fault.flatMap { $0.why == verdict.why ? nil : "; \($0.why)" } ?? ""
            return "\(TimeText.text(entry.received)) \(status)\(reason) \(target) \(what): "
                + verdict.why + fault
        case .life(let event):
            return "\(TimeText.text(event.life.at)) \(event.stage.rawValue) \(event.delivery.token): \(event.life.why)"
        default: return nil
        }
    }
}
