/// The parts of a path for channels (docs/reference/apns.md 7.3 and 7.4).
struct ChannelRoute: Sendable {
    enum Resource: Sendable {
        /// `/4/broadcasts/apps/{bundle id}`
        case broadcasts
        /// `/1/apps/{bundle id}/channels`
        case channels
        /// `/1/apps/{bundle id}/all-channels`
        case allChannels
    }

    let resource: Resource
    /// As in the path, not yet checked.
    let bundleID: String

    /// Fails for every other path.
    init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts.count == 4, !path.utf8.contains(UInt8(ascii: "?")) else { return nil }
        let words = Array(parts)
        switch (words[0], words[1], words[2], words[3]) {
        case ("4", "broadcasts", "apps", let bundleID) where !bundleID.isEmpty:
            resource = .broadcasts
            self.bundleID = String(bundleID)
        case ("1", "apps", let bundleID, "channels") where !bundleID.isEmpty:
            resource = .channels
            self.bundleID = String(bundleID)
        case ("1", "apps", let bundleID, "all-channels") where !bundleID.isEmpty:
            resource = .allChannels
            self.bundleID = String(bundleID)
        default: return nil
        }
    }

    var methods: [String] {
        switch resource {
        case .broadcasts: ["POST"]
        case .channels: ["POST", "GET", "DELETE"]
        case .allChannels: ["GET"]
        }
    }

    func kind(_ method: String) -> RequestKind {
        switch (resource, method) {
        case (.broadcasts, _): .broadcast
        case (.channels, "POST"): .createChannel
        case (.channels, "GET"): .readChannel
        case (.channels, "DELETE"): .deleteChannel
        case (.allChannels, "GET"): .listChannels
        default: .unknownChannelRequest
        }
    }
}
