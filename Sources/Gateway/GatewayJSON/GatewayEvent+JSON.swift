import GatewayCore
package import PayloadJSON

/// Events in the form for listeners and webhooks.
extension GatewayEvent {
    package var name: String {
        switch self {
        case .judged: "notification"
        case .verdict(let entry): GatewayEvent.name(of: entry.verdict)
        case .life(let event): event.stage.rawValue
        case .device(let change, _): "device-\(change.rawValue)"
        case .app: "app"
        case .key: "key"
        case .clock: "clock"
        case .fault(let change, _): "fault-\(change.rawValue)"
        case .journalEmptied: "journal-emptied"
        case .reset: "reset"
        case .settings: "settings"
        case .world(let change, _): "world-\(change.rawValue)"
        }
    }

    /// The events that are only sent on request.
    private static let namesOnRequest = [LifeEntry.Stage.accepted, .refused].map(\.rawValue)

    private static func name(of verdict: Verdict) -> String {
        verdict.isAccepted ? LifeEntry.Stage.accepted.rawValue : LifeEntry.Stage.refused.rawValue
    }

    /// What a subscriber gets for this event.
    ///
    /// - Parameter names: The events that it asked for; nil for all but those on request.
    package func events(for names: Set<String>?) -> [GatewayEvent] {
        guard let names else { return [self] }
        var events = names.contains(name) ? [self] : []
        if case .judged(let entry) = self, entry.verdict.outcome != .unprocessed,
            names.contains(GatewayEvent.name(of: entry.verdict))
        {
            events.append(.verdict(entry))
        }
        return events
    }

    /// Every event name.
    package static let names: [String] =
        ["notification"] + LifeEntry.Stage.allCases.map(\.rawValue)
        + DeviceChange.allCases.map { "device-\($0.rawValue)" }
        + ["app", "key", "clock"] + FaultChange.allCases.map { "fault-\($0.rawValue)" } + ["journal-emptied", "reset"]
        + ["settings"] + WorldChange.allCases.map { "world-\($0.rawValue)" }

    /// The events that are sent when none are named.
    package static let defaultNames = names.filter { !namesOnRequest.contains($0) }

    package var json: JSONText {
        switch self {
        case .judged(let entry): entry.json(withLife: false)
        case .verdict(let entry): entry.firstLine
        case .life(let event): event.json
        case .device(_, let device): device.json
        case .app(let app): app.json
        case .key(let key): key.json
        case .clock(let mode, let now): WorldClock.json(mode, now: now)
        case .fault(_, let fault): fault.json
        case .journalEmptied, .reset: .object { _ in }
        case .settings(let settings): settings.json
        case .world(_, let name): .object { $0.add("name", name.text) }
        }
    }
}
