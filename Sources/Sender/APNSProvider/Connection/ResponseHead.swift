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
    /// Nil when it equals the id that was sent, which is nearly always so. This saves a string for each answer.
    var apnsID: String?
    var uniqueID: String?
}

extension ResponseHead {
    /// - Parameter sentID: The id that the notification was sent with.
    init(_ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>, sentID: borrowing String) {
        batch.forEachField(fields) { name, value in
            if name.isText(":status") {
                status = value.reduce(0) { $0 * 10 + Int($1) - 48 }
            } else if name.isText("apns-id") {
                if !value.isText(sentID) { apnsID = String(decoding: value, as: UTF8.self) }
            } else if name.isText("apns-unique-id") {
                uniqueID = String(decoding: value, as: UTF8.self)
            }
        }
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
