public import APNSModel

/// The payload of an alert push, which the user sees or hears.
///
/// ```swift
/// let push = AlertPush(Alert(title: "Parcel", body: "It is at your door"), sound: .standard, custom: ["parcel": 77])
/// ```
///
/// Source: Apple, "Generating a remote notification".
public struct AlertPush: PushPayload {
    public static let pushType = PushType.alert

    /// How urgent the notification is.
    public enum InterruptionLevel: String, Hashable, Sendable, CaseIterable {
        case passive, active
        /// Needs an entitlement, like `critical`.
        case timeSensitive = "time-sensitive"
        case critical
    }

    /// Nil in a push with only a sound or badge.
    public let alert: Alert?
    /// The number on the app's icon: 0 removes it, nil leaves it unchanged.
    public let badge: UInt32?
    public let sound: AlertSound?
    /// Groups notifications on the screen.
    public var threadID: String?
    /// A category that the app has registered.
    public var category: String?
    /// Wakes the app for background work as well.
    public var contentAvailable = false
    /// Selects the window that the app brings to the front.
    public var targetContentID: String?
    /// Nil means `active`.
    public var interruptionLevel: InterruptionLevel?
    /// The rank of the notification among several.
    public var relevanceScore: UnitFraction?
    /// The string that a Focus filter compares.
    public var filterCriteria: String?
    public var custom: CustomData

    public init(_ alert: Alert, badge: UInt32? = nil, sound: AlertSound? = nil, custom: CustomData = [:]) {
        (self.alert, self.badge, self.sound, self.custom) = (alert, badge, sound, custom)
    }

    /// A push with only a badge, with or without a sound.
    public init(badge: UInt32, sound: AlertSound? = nil, custom: CustomData = [:]) {
        (alert, self.badge, self.sound, self.custom) = (nil, badge, sound, custom)
    }

    /// A push with only a sound. The interruption level `passive` would silence it, which the validator reports.
    public init(sound: AlertSound, custom: CustomData = [:]) {
        (alert, badge, self.sound, self.custom) = (nil, nil, sound, custom)
    }

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in
            root.write("aps") { aps in
                aps.write(alert)
                aps.write("badge", badge.map { .integer(Int64($0)) })
                aps.write(sound)
                aps.write("thread-id", threadID)
                aps.write("category", category)
                aps.write("content-available", flag: contentAvailable)
                aps.write("mutable-content", flag: alert?.mutableContent ?? false)
                aps.write("target-content-id", targetContentID)
                aps.write("interruption-level", interruptionLevel?.rawValue)
                aps.write("relevance-score", relevanceScore?.json)
                aps.write("filter-criteria", filterCriteria)
            }
            root.write(custom)
        }
    }
}
