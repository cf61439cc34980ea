#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A header that the gateway reads, recognized by the bytes of its name.
enum KnownHeader {
    case method, path, authority, authorization, topic, pushType, apnsID, expiration, priority, collapseID, channelID
    case requestID, contentLength, host

    /// Fails for a name that the gateway does not read. HTTP/2 names are in lower case.
    init?(_ name: UnsafeRawBufferPointer) {
        switch name.count {
        case 4 where name.spells("host"): self = .host
        case 5 where name.spells(":path"): self = .path
        case 7 where name.spells("apns-id"): self = .apnsID
        case 7 where name.spells(":method"): self = .method
        case 10 where name.spells("apns-topic"): self = .topic
        case 10 where name.spells(":authority"): self = .authority
        case 13 where name.spells("apns-priority"): self = .priority
        case 13 where name.spells("authorization"): self = .authorization
        case 14 where name.spells("apns-push-type"): self = .pushType
        case 14 where name.spells("content-length"): self = .contentLength
        case 15 where name.spells("apns-expiration"): self = .expiration
        case 15 where name.spells("apns-channel-id"): self = .channelID
        case 15 where name.spells("apns-request-id"): self = .requestID
        case 16 where name.spells("apns-collapse-id"): self = .collapseID
        default: return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are those of `word`, which has the same length.
    @inline(__always)
    fileprivate func spells(_ word: StaticString) -> Bool {
        guard let baseAddress else { return false }
        return memcmp(baseAddress, word.utf8Start, count) == 0
    }
}
