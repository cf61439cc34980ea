public import APNSModel
import SystemFiles

extension Expiration {
    /// This time from now on, by the machine's clock. At most the 30 days for which APNs stores a notification.
    ///
    /// - Parameter duration: Less than a second means one attempt and no storage, as `once`.
    public static func after(_ duration: Duration) -> Expiration {
        after(duration, now: WallClock.secondsSince1970)
    }

    static func after(_ duration: Duration, now: Int64) -> Expiration {
        let seconds = min(duration.components.seconds, maximumStorageSeconds)
        guard seconds > 0 else { return .once }
        return Expiration(secondsSince1970: now + seconds) ?? .once
    }
}
