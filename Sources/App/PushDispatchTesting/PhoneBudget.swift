public import PushDispatch

/// How often a phone wakes an app for silent pushes while the app is not on screen.
///
/// Apple says "two or three an hour" and that wrong answers and long runs lead to fewer, without figures
/// (docs/reference/selective-sync.md 8.2, 8.3). So this is a model: wakes of the last hour count, and a wake with a
/// problem counts as several.
public struct PhoneBudget: Hashable, Sendable {
    /// Wakes in an hour; nil for no limit, as for an app that Xcode runs.
    public var wakesPerHour: Int?
    /// How many wakes a wake counts as if it was answered wrongly, late or never.
    public var costOfBadWake = 2
    /// How long the app may run for one push.
    public var runMilliseconds: Int64 = 30_000

    private struct Wake: Hashable, Sendable {
        var at: DispatchMoment
        var cost: Int
    }

    private var spent: [Wake] = []

    private static let hourMilliseconds: Int64 = 3_600_000

    public init(wakesPerHour: Int?) { self.wakesPerHour = wakesPerHour }

    /// Three wakes an hour.
    public static let standard = PhoneBudget(wakesPerHour: 3)
    public static let unlimited = PhoneBudget(wakesPerHour: nil)

    /// When the next wake is allowed; nil for at once.
    public func nextWake(at now: DispatchMoment) -> DispatchMoment? {
        guard let wakesPerHour else { return nil }
        var counted = 0
        for wake in spent.reversed() where now.milliseconds(since: wake.at) < PhoneBudget.hourMilliseconds {
            counted += wake.cost
            if counted >= max(1, wakesPerHour) { return wake.at.advanced(byMilliseconds: PhoneBudget.hourMilliseconds) }
        }
        return nil
    }

    mutating func spend(at now: DispatchMoment, isBad: Bool) {
        spent.removeAll { now.milliseconds(since: $0.at) >= PhoneBudget.hourMilliseconds }
        spent.append(Wake(at: now, cost: isBad ? max(1, costOfBadWake) : 1))
    }
}
