import GatewayCore

/// Events as listeners and webhooks get them.
extension GatewayEvent {
    var name: String {
        switch self {
        case .judged: "notification"
        case .life(let event): event.stage.rawValue
        case .device(let change, _): "device-\(change.rawValue)"
        case .app: "app"
        case .key: "key"
        case .clock: "clock"
        case .fault(let change, _): "fault-\(change.rawValue)"
        case .journalEmptied: "journal-emptied"
        case .reset: "reset"
        }
    }

    /// Every name that there is.
    static let names: [String] =
        ["notification"] + LifeEntry.Stage.allCases.map(\.rawValue)
        + DeviceChange.allCases.map { "device-\($0.rawValue)" }
        + ["app", "key", "clock"] + FaultChange.allCases.map { "fault-\($0.rawValue)" } + ["journal-emptied", "reset"]

    var json: JSONText {
        switch self {
        case .judged(let entry): entry.json(withLife: false)
        case .life(let event): event.json
        case .device(_, let device): device.json
        case .app(let app): app.json
        case .key(let key): key.json
        case .clock(let mode, let now): WorldClock.json(mode, now: now)
        case .fault(_, let fault): fault.json
        case .journalEmptied, .reset: .object { _ in }
        }
    }
}
