import APNSModel
package import GatewayCore

/// Rates as users write them: `10/1m` is ten per minute, `off` means no limit.
package enum RateText {
    package static let off = "off"
    /// The expected form, for messages.
    package static let form = "a count and a duration such as 10/1m, or off"

    /// - Returns: An inner nil for `off`, nil for a string that is not a rate. The count may be 0, which refuses
    ///   everything.
    package static func rate(of text: some StringProtocol) -> WorldSettings.DeviceRate?? {
        if text == off { return .some(nil) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].hasPrefix("+"), let count = Int(parts[0]), count >= 0,
            let period = TimeText.milliseconds(ofDuration: parts[1]), period > 0
        else { return nil }
        return WorldSettings.DeviceRate(count: count, period: period)
    }

    package static func text(_ rate: WorldSettings.DeviceRate?) -> String {
        rate.map { "\($0.count)/\(TimeText.duration($0.period))" } ?? off
    }
}
