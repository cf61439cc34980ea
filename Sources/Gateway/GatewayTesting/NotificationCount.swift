import GatewayCore

/// How many notifications are expected.
public struct NotificationCount: Hashable, Sendable, CustomStringConvertible {
    let count: ExpectedCount

    /// So many and no more, as far as can be said when they are there: what comes later is not waited for. None at all is
    /// watched for the whole time.
    public static func exactly(_ count: Int) -> NotificationCount { NotificationCount(count: .exactly(max(0, count))) }

    public static func atLeast(_ count: Int) -> NotificationCount { NotificationCount(count: .atLeast(max(0, count))) }

    /// Watched for the whole time, because until then one more may come.
    public static func atMost(_ count: Int) -> NotificationCount { NotificationCount(count: .atMost(max(0, count))) }

    public static let once = exactly(1)
    public static let never = exactly(0)

    public var description: String { count.description }
}
