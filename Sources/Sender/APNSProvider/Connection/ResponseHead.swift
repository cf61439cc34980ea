import APNSModel
import HTTP2Session

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The header fields of a response that a provider reads.
struct ResponseHead {
    var status = 0
    /// `apns-id` or `apns-request-id`. Nil when it equals the id that was sent, which is nearly always so; this saves a string
    /// for each answer. Nil also for a value that is not a UUID.
    var apnsID: NotificationID?
    var uniqueID: String?
    /// `apns-channel-id`, of a channel that was created.
    var channelID: String?
    /// The seconds of `retry-after`; nil without it, and for one that is a date.
    var retryAfter: Int?
}

extension ResponseHead {
    /// - Parameter sentID: The id that the notification was sent with.
    init(_ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>, sentID: borrowing String) {
        batch.forEachField(fields) { name, value in
            if name.isText(":status") {
                status = value.reduce(0) { $0 * 10 + Int($1) - 48 }
            } else if name.isText("apns-id") || name.isText("apns-request-id") {
                if !value.isText(sentID) { apnsID = NotificationID(String(decoding: value, as: UTF8.self)) }
            } else if name.isText("apns-unique-id") {
                uniqueID = String(decoding: value, as: UTF8.self)
            } else if name.isText("retry-after") {
                retryAfter = ResponseHead.seconds(value)
            } else if name.isText("apns-channel-id") {
                channelID = String(decoding: value, as: UTF8.self)
            }
        }
    }
}

extension ResponseHead {
    /// Up to nine digits, which is 31 years.
    private static func seconds(_ text: UnsafeRawBufferPointer) -> Int? {
        guard (1...9).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1) - 48 }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func isText(_ text: StaticString) -> Bool {
        isText(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    fileprivate func isText(_ text: borrowing String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { isText(UnsafeRawBufferPointer($0)) }
            ?? elementsEqual(text.utf8)
    }

    private func isText(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let base = baseAddress, let otherBase = other.baseAddress else {
            return count == other.count
        }
        return memcmp(base, otherBase, count) == 0
    }
}
