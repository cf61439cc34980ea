import EventDelivery
import Foundation

/// The notifications whose open event is in the queue. Bounded: the oldest is forgotten.
struct OpenedNotifications: Hashable, Sendable {
    static let maximumCount = 500

    /// Hashes of request ids, oldest first.
    private(set) var hashes: [UInt64]

    init(hashes: [UInt64] = []) { self.hashes = Array(hashes.suffix(OpenedNotifications.maximumCount)) }

    func contains(_ requestID: String) -> Bool { hashes.contains(OpenedNotifications.hash(requestID)) }

    mutating func insert(_ requestID: String) {
        guard !contains(requestID) else { return }
        if hashes.count >= OpenedNotifications.maximumCount { hashes.removeFirst() }
        hashes.append(OpenedNotifications.hash(requestID))
    }

    private static func hash(_ requestID: String) -> UInt64 { StableHash.of(requestID.utf8) }

    /// The id of the open event of a notification on an installation: always the same one. So an event that was queued right
    /// before the process ended, and is queued again, is dropped by the service as a repeat.
    static func eventID(_ requestID: String, installation: String) -> EventID {
        let text = Array("\(installation.utf8.count):\(installation)/\(requestID)".utf8)
        var bytes: [UInt8] = []
        for seed in [0x6f70_656e, 0x7075_7368] as [UInt64] {
            let half = mixed(StableHash.of(text, seed: seed))
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * UInt64($0))) }
        }
        // RFC 9562: version 8 is for ids that are made in an own way.
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        let uuid = UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
        return EventID(uuid)
    }

    /// Spreads the bits of a hash. Source: S. Vigna, splitmix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30).multipliedReportingOverflow(by: 0xbf58_476d_1ce4_e5b9).partialValue
        value = (value ^ value >> 27).multipliedReportingOverflow(by: 0x94d0_49bb_1331_11eb).partialValue
        return value ^ value >> 31
    }

    // MARK: Storing

    private static let header = "personalization-opened 1\n"

    /// A line for each notification, with a hash of all at the end.
    func encoded() -> [UInt8] {
        let body = OpenedNotifications.header + hashes.map { StableHash.hex($0) + "\n" }.joined()
        return Array((body + "end " + StableHash.hex(StableHash.of(body.utf8)) + "\n").utf8)
    }

    /// Fails if the bytes are not of this format, changed or cut off.
    init?(encoded bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3, lines.last == "", "\(lines[0])\n" == OpenedNotifications.header else { return nil }
        let hashes = lines[1..<(lines.count - 2)].compactMap { UInt64($0, radix: 16) }
        guard hashes.count == lines.count - 3 else { return nil }
        self.init(hashes: hashes)
        guard encoded() == bytes else { return nil }
    }
}
