import GatewayCore

/// How many notifications are expected.
public struct NotificationCount: Hashable, Sendable, CustomStringConvertible {
    let count: ExpectedCount

    /// Exactly this many. It is met as soon as they are there, without waiting for one more; `exactly(0)` waits for the whole
    /// time.
    public static func exactly(_ count: Int) -> NotificationCount { NotificationCount(count: .exactly(max(0, count))) }

    public static func atLeast(_ count: Int) -> NotificationCount { NotificationCount(count: .atLeast(max(0, count))) }

    /// Waits for the whole time, because one more may come until then.
    public static func atMost(_ count: Int) -> NotificationCount { NotificationCount(count: .atMost(max(0, count))) }

    public static let once = exactly(1)
    public static let never = exactly(0)

    public var description: String { count.description }
}
