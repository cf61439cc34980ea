import APNSModel

/// What a device token is for. Each kind has its own tokens and its own topic (docs/reference/apns.md section 8).
package enum DeviceKind: String, Hashable, Sendable, CaseIterable, Codable {
    case app, voip, complication, fileprovider, location, pushtotalk, liveactivity
    case startLiveActivity = "start-liveactivity"
    case widgets, controls

    /// The suffix of the topic.
    package var topicSuffix: String {
        let pushType: PushType =
            switch self {
            case .app: .alert
            case .voip: .voip
            case .complication: .complication
            case .fileprovider: .fileprovider
            case .location: .location
            case .pushtotalk: .pushtotalk
            case .liveactivity, .startLiveActivity: .liveactivity
            case .widgets: .widgets
            case .controls: .controls
            }
        return pushType.topicSuffix ?? ""
    }

    /// The kind of device token for a topic with this suffix; for Live Activities that of a running activity.
    init(suffix: String) {
        self = DeviceKind.allCases.first { $0.topicSuffix == suffix } ?? .app
    }
}
