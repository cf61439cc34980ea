package import APNSModel
package import APNSPayload
import PayloadJSON

/// What APNs and the device do with a notification, in sentences.
///
/// Source: docs/reference/apns.md 2.2, 2.3, 6.6 to 6.8, 7.1 and 13; docs/delivery.md has the same for the simulator.
package struct PayloadExplanation: Hashable, Sendable {
    /// Nil where neither headers nor payload tell it.
    package let pushType: PushType?
    package let origin: PushTypeGuess.Origin
    package let payloadBytes: Int
    package let maximumPayloadBytes: Int
    /// What APNs does.
    package let gateway: [String]
    /// What the device does, in the order of the situations.
    package let device: [Conduct]
    /// What follows for the user and the app, and what single keys do.
    package let notes: [String]

    /// What the device does in one situation.
    package struct Conduct: Hashable, Sendable {
        package let situation: DeviceSituation
        package let text: String
    }

    /// - Parameters:
    ///   - envelope: Its payload may be anything; `PayloadFacts` says whether it is an object.
    ///   - refusals: What APNs may answer by the findings; empty if it accepts the notification.
    ///   - now: Seconds since 1970-01-01 UTC.
    package init(_ envelope: Envelope, _ facts: PayloadFacts, refusals: [Reason], now: Int64) {
        let guess = PushTypeGuess(envelope, facts)
        pushType = guess.pushType
        origin = guess.origin
        payloadBytes = envelope.payload.count
        // What is only guessed does not raise the limit.
        maximumPayloadBytes = envelope.maximumPayloadBytes ?? PushType.alert.maximumPayloadBytes
        gateway =
            GatewayConduct(envelope, guess.pushType, limit: maximumPayloadBytes, refusals: refusals, now: now).sentences
        let conduct = DeviceConduct(
            facts, guess.pushType, priority: envelope.priority, isRefused: !refusals.isEmpty)
        device = DeviceSituation.allCases.map { Conduct(situation: $0, text: conduct.text(in: $0)) }
        notes = conduct.notes
    }
}

/// The state of app and device when a notification arrives.
package enum DeviceSituation: String, Hashable, Sendable, CaseIterable {
    case foreground, background, suspended
    case forceQuit = "force-quit"
    case lowPowerMode = "low-power-mode"
    case backgroundRefreshOff = "background-refresh-off"

    /// For people.
    package var title: String { rawValue == "force-quit" ? rawValue : rawValue.replacing("-", with: " ") }
}
