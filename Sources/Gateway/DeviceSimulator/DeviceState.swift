import PayloadJSON

/// A device as the gateway sees it. Nil for what the answer does not have.
public struct DeviceState: Hashable, Sendable {
    public var isOnline: Bool?
    public var isInLowPower: Bool?
    public var isInLowData: Bool?
    public var allowsBackgroundRefresh: Bool?
    public var appState: String?
    /// The channels that it subscribes to.
    public var channels: [String]

    /// Nil for a body that is not a JSON object.
    init?(_ body: [UInt8]) {
        guard let document = try? JSONDocument(body), document.kind(of: .root) == .object else { return nil }
        func flag(_ key: StaticString) -> Bool? {
            switch document.member(key, of: .root).map({ document.kind(of: $0) }) {
            case .true: true
            case .false: false
            default: nil
            }
        }
        isOnline = flag("online")
        isInLowPower = flag("low-power")
        isInLowData = flag("low-data")
        allowsBackgroundRefresh = flag("background-refresh")
        appState = document.member("app-state", of: .root).flatMap { document.string(of: $0) }
        channels =
            document.member("channels", of: .root).flatMap { channels in
                guard document.kind(of: channels) == .array else { return nil }
                return document.elements(of: channels).compactMap { document.string(of: $0) }
            } ?? []
    }
}
