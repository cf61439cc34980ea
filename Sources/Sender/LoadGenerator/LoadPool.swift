package import APNSModel

/// The notifications that a load run sends over and over, made before it begins: one for each device token.
package enum LoadPool {
    /// What a payload of `bytes` bytes looks like: silent for a background push, otherwise an alert.
    ///
    /// - Parameter bytes: At least 64.
    package static func payload(for pushType: PushType, bytes: Int) -> [UInt8] {
        let start = pushType == .background ? #"{"aps":{"content-available":1},"filler":""# : #"{"aps":{"alert":""#
        let end = pushType == .background ? #""}"# : #""}}"#
        let filler = max(0, bytes - start.utf8.count - end.utf8.count)
        return Array(start.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: filler) + Array(end.utf8)
    }

    /// - Parameters:
    ///   - topic: The app; the suffix that the push type asks for is put behind its bundle id.
    ///   - deviceTokens: How many different ones, each 32 bytes long.
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
