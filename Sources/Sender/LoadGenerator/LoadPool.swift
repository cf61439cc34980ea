package import APNSModel

/// The notifications that a load run sends repeatedly, one for each device token. They are made before the run starts.
package enum LoadPool {
    /// A payload of `bytes` bytes: silent for a background push, otherwise an alert.
    ///
    /// - Parameter bytes: At least 64.
    package static func payload(for pushType: PushType, bytes: Int) -> [UInt8] {
        let start = pushType == .background ? #"{"aps":{"content-available":1},"filler":""# : #"{"aps":{"alert":""#
        let end = pushType == .background ? #""}"# : #""}}"#
        let filler = max(0, bytes - start.utf8.count - end.utf8.count)
        return Array(start.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: filler) + Array(end.utf8)
    }

    /// - Parameters:
    ///   - topic: The app's bundle id. The suffix of the push type is added.
    ///   - deviceTokens: The number of different device tokens, each of 32 bytes.
    ///   - seed: The same seed makes the same device tokens.
    package static func notifications(
        topic: Topic, pushType: PushType, payloadBytes: Int, deviceTokens: Int, seed: UInt64
    ) -> [APNSNotification] {
        var generator = SeededGenerator(seed: seed)
        let payload = payload(for: pushType, bytes: payloadBytes)
        return (0..<deviceTokens).map { _ in
            APNSNotification(
                to: deviceToken(using: &generator), topic: topic.topic(for: pushType), pushType: pushType,
                priority: pushType == .background ? .powerConsiderate : .immediate, expiration: .once, payload: payload)
        }
    }

    private static func deviceToken(using generator: inout SeededGenerator) -> DeviceToken {
        let digits = Array("0123456789abcdef")
        let hex = (0..<4).flatMap { _ in
            let word = generator.next()
            return (0..<16).map { digits[Int(word >> (4 * UInt64($0)) & 15)] }
        }
        guard let token = DeviceToken(String(hex)) else {
            preconditionFailure("64 hexadecimal digits are a device token")
        }
        return token
    }
}
