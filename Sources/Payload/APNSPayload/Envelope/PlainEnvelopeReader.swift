package import APNSModel
import PayloadJSON

/// Reads envelopes in their usual form into notifications, in one pass over the bytes: header values without escapes, each
/// key once, a payload that is an object.
///
/// It is for streams of many envelopes, where `EnvelopeReader` and its strings take longer than sending. It knows fewer
/// forms, and never disagrees: for anything unusual and for every fault it returns nil, and `EnvelopeReader` decides.
package struct PlainEnvelopeReader: Sendable {
    /// The values that an envelope does not have.
    private let defaults: EnvelopeDefaults
    private var document = JSONDocument()
    private var values = [JSONIndex](repeating: .root, count: Name.count)
    // Neighbouring envelopes usually have the same values, so the last ones are kept and only their bytes are compared.
    private var lastTopic: Topic?
    private var lastPushType: PushType?
    private var last = LastEnvelope()

    private enum Name {
        static let token = 0
        static let topic = 1
        static let pushType = 2
        static let priority = 3
        static let expiration = 4
        static let collapseID = 5
        static let apnsID = 6
        static let payload = 7
        /// Keys that make the object something else than an envelope to a device, or an envelope of another form.
        static let other = 8
        static let count = 9

        static let table = JSONKeyTable([
            ("token", 0), ("apns-topic", 1), ("apns-push-type", 2), ("apns-priority", 3), ("apns-expiration", 4),
            ("apns-collapse-id", 5), ("apns-id", 6), ("payload", 7), ("aps", 8), ("payload-base64", 8),
            ("apns-channel-id", 8), ("apns-request-id", 8), ("received", 8), ("verified", 8),
        ])
    }

    private let table = Name.table

    /// - Parameter defaults: The values that an envelope does not have.
    package init(defaults: EnvelopeDefaults) { self.defaults = defaults }

    /// The notification of an envelope; nil where `EnvelopeReader` has to read it. A line of a gateway's record is such a
    /// case.
    package mutating func notification(in text: UnsafeRawBufferPointer) -> APNSNotification? {
        if let notification = last.notification(in: text) { return notification }
        do throws(JSONSyntaxError) {
            try document.parse(copying: text)
        } catch {
            return nil
        }
        let scan = document.scan(.root, for: table, into: &values)
        guard !scan.repeatsKey, scan.nulls == 0, scan.found & 1 << UInt64(Name.other) == 0,
            let payload = value(Name.payload, scan), document.isObject(payload)
        else { return nil }
        let bytes = text.bindMemory(to: UInt8.self)

        guard let deviceToken = deviceToken(scan, bytes), let topic = topic(scan, bytes),
            let pushType = pushType(scan, bytes)
        else { return nil }
        var priority = defaults.priority
        if let value = value(Name.priority, scan) {
            priority = self.priority(value, bytes)
            guard priority != nil else { return nil }
        }
        var expiration = defaults.expiration
        if let value = value(Name.expiration, scan) {
            expiration = self.expiration(value, bytes)
            guard expiration != nil else { return nil }
        }
        var collapseID = defaults.collapseID
        if let value = value(Name.collapseID, scan) {
            collapseID = plain(value, bytes).flatMap { CollapseID(utf8: $0) }
            guard collapseID != nil else { return nil }
        }
        var id: NotificationID?
        if let value = value(Name.apnsID, scan) {
            id = plain(value, bytes).flatMap { NotificationID(utf8: $0) }
            guard id != nil else { return nil }
        }
        let range = document.range(of: payload)
        let source = UnsafeBufferPointer(rebasing: bytes[range])
        let notification = APNSNotification(
            to: deviceToken, topic: topic, pushType: pushType, priority: priority, expiration: expiration,
            collapseID: collapseID, id: id,
            payload: document.containsSpace ? CompactJSON.bytes(of: source) : Array(source))
        if let token = value(Name.token, scan), let range = document.plainRange(of: token) {
            last.keep(notification, of: text, tokenAt: range)
        }
        return notification
    }

    @inline(__always)
    private func value(_ name: Int, _ scan: JSONKeyScan) -> JSONIndex? {
        scan.found & 1 << UInt64(name) != 0 ? values[name] : nil
    }

    /// The bytes of a string; nil for any other value, and for a string with escapes.
    @inline(__always)
    private func plain(_ value: JSONIndex, _ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        document.plainRange(of: value).map { UnsafeBufferPointer(rebasing: text[$0]) }
    }

    private func deviceToken(_ scan: JSONKeyScan, _ text: UnsafeBufferPointer<UInt8>) -> DeviceToken? {
        guard let value = value(Name.token, scan) else { return defaults.deviceToken }
        return plain(value, text).flatMap { DeviceToken(utf8: $0) }
    }

    private mutating func topic(_ scan: JSONKeyScan, _ text: UnsafeBufferPointer<UInt8>) -> Topic? {
        guard let value = value(Name.topic, scan) else { return defaults.topic }
        guard let bytes = plain(value, text) else { return nil }
        if let lastTopic, lastTopic.value.hasBytes(bytes) { return lastTopic }
        lastTopic = Topic(utf8: bytes)
        return lastTopic
    }

    private mutating func pushType(_ scan: JSONKeyScan, _ text: UnsafeBufferPointer<UInt8>) -> PushType? {
        guard let value = value(Name.pushType, scan) else { return defaults.pushType }
        guard let bytes = plain(value, text) else { return nil }
        if let lastPushType, lastPushType.rawValue.hasBytes(bytes) { return lastPushType }
        lastPushType = Envelope.pushType(String(decoding: bytes, as: UTF8.self))
        return lastPushType
    }

    /// The digits of a number without fraction, or of a string; nil for anything else.
    private func digits(
        _ value: JSONIndex, _ text: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8>? {
        guard document.kind(of: value) == .integer else { return plain(value, text) }
        return UnsafeBufferPointer(rebasing: text[document.range(of: value)])
    }

    private func priority(_ value: JSONIndex, _ text: UnsafeBufferPointer<UInt8>) -> Priority? {
        guard let digits = digits(value, text) else { return nil }
        switch digits.count {
        case 1 where digits[0] == UInt8(ascii: "5"): return .powerConsiderate
        case 1 where digits[0] == UInt8(ascii: "1"): return .low
        case 2 where digits[0] == UInt8(ascii: "1") && digits[1] == UInt8(ascii: "0"): return .immediate
        default: return nil
        }
    }

    private func expiration(_ value: JSONIndex, _ text: UnsafeBufferPointer<UInt8>) -> Expiration? {
        // More digits than a time has may overflow.
        guard let digits = digits(value, text), (1...15).contains(digits.count) else { return nil }
        var seconds: Int64 = 0
        for digit in digits {
            guard digit &- UInt8(ascii: "0") < 10 else { return nil }
            seconds = seconds * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return Expiration(secondsSince1970: seconds)
    }
}

/// The envelope that was read last. Those of a campaign differ in the device token alone, so the next one mostly has the same bytes
/// before and after it.
private struct LastEnvelope: Sendable {
    private var text: [UInt8] = []
    private var token = 0..<0
    private var notification: APNSNotification?

    mutating func keep(_ notification: APNSNotification, of text: UnsafeRawBufferPointer, tokenAt token: Range<Int>) {
        self.text.removeAll(keepingCapacity: true)
        self.text.append(contentsOf: text)
        self.token = token
        self.notification = notification
    }

    /// The notification of an envelope that differs in the device token alone; nil for any other one. A token of hexadecimal digits
    /// and of the same length ends where the last one did.
    func notification(in text: UnsafeRawBufferPointer) -> APNSNotification? {
        guard text.count == self.text.count, hasSameBytes(text, 0..<token.lowerBound),
            hasSameBytes(text, token.upperBound..<text.count),
            let deviceToken = DeviceToken(utf8: UnsafeBufferPointer(rebasing: text.bindMemory(to: UInt8.self)[token])),
            let notification
        else { return nil }
        // Made from its parts: a copy would retain the device token that is replaced.
        return APNSNotification(
            to: deviceToken, topic: notification.topic, pushType: notification.pushType,
            priority: notification.priority, expiration: notification.expiration, collapseID: notification.collapseID,
            id: notification.id, payload: notification.payload)
    }

    /// Eight bytes at a time, because most of an envelope is compared.
    private func hasSameBytes(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        self.text.withUnsafeBytes { last in
            var place = range.lowerBound
            while place + 8 <= range.upperBound {
                guard
                    text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                        == last.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                else { return false }
                place += 8
            }
            while place < range.upperBound {
                guard text[place] == last[place] else { return false }
                place += 1
            }
            return true
        }
    }
}

extension String {
    /// Whether the UTF-8 of the string is these bytes.
    fileprivate func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard utf8.count == bytes.count else { return false }
        return utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes) } ?? utf8.elementsEqual(bytes)
    }
}
