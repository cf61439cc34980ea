import APNSModel
import GatewayJSON

/// Durations of the gateway as a whole, as users write them.
package enum GatewayDurationText {
    /// The form of `GatewayConfiguration.grace`, for messages.
    package static let graceForm = "a duration such as 5s or 1m, at most 10m"

    /// Nil for other text, and for more than the maximum.
    package static func grace(_ text: some StringProtocol) -> Duration? {
        guard let milliseconds = TimeText.milliseconds(ofDuration: text) else { return nil }
        let grace = Duration.milliseconds(milliseconds)
        return GatewayConfiguration.graceRange.contains(grace) ? grace : nil
    }

    /// The form of `GatewayConfiguration.worldIdle`, for messages.
    package static let worldIdleForm = "a duration such as 10m or 2h, or off"

    /// - Returns: Milliseconds, at least 1; an inner nil for `off`, nil for other text.
    package static func worldIdle(_ text: some StringProtocol) -> Int64?? {
        if text == RateText.off { return .some(nil) }
        guard let time = TimeText.milliseconds(ofDuration: text), time > 0 else { return nil }
        return time
    }
}
