#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The head of one request as it arrived: a property for every header that the gateway reads.
///
/// Values are kept as strings; the checks parse them.
package struct RequestHead: Hashable, Sendable {
    package var method = ""
    package var path = ""
    /// The value of `:authority`, or of `host` where there is no `:authority`.
    package var authority: String?
    /// A secret; it goes into no journal and no message.
    package var authorization: String?
    package var topic: String?
    package var pushType: String?
    package var apnsID: String?
    package var expiration: String?
    package var priority: String?
    package var collapseID: String?
    package var channelID: String?
    package var requestID: String?
    package var contentLength: String?
    /// The names of the headers that came more than once, each listed once; the first value is kept.
    package var duplicated: [String] = []
    /// A bit for the name of each header that the gateway does not read. Different names may share a bit.
    private var otherNames: UInt64 = 0
    /// Whether one of those may have come twice, so that the caller has to compare the names.
    package private(set) var mayRepeatOthers = false

    /// Name and value bytes of all fields so far plus 32 for each, as RFC 9113 counts SETTINGS_MAX_HEADER_LIST_SIZE.
    package private(set) var listBytes = 0

    package init() {}

    package init(method: String = "POST", path: String) {
        self.method = method
        self.path = path
    }

    /// What APNs announces as SETTINGS_MAX_HEADER_LIST_SIZE (docs/reference/apns.md 1.3).
    package static let maximumListBytes = 8000

    /// Whether more came than `maximumListBytes`. Fields after that were not kept, so the transport should reset the stream
    /// instead of asking for a verdict.
    package var isOversized: Bool { listBytes > RequestHead.maximumListBytes }
}

extension RequestHead {
    /// Adds one field from the wire. An unknown name costs a comparison of its length and no memory.
    ///
    /// Bytes that are not UTF-8 become replacement characters, which every check of a header refuses.
    ///
    /// - Parameter known: The last values of the connection: a value that comes again shares their memory.
    package mutating func add(
        name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, known: inout KnownValues
    ) {
        listBytes += name.count + value.count + 32
        guard !isOversized else { return }
        guard let field = KnownHeader(name) else { return noteOther(name) }
        switch field {
        case .method: method = String(decoding: value, as: UTF8.self)
        case .path: path = String(decoding: value, as: UTF8.self)
        case .authority: authority = known.authority.text(of: value)
        // A client that sends no `:authority` sends `host` (RFC 9113, 8.3.1); pseudo headers come first.
        case .host: authority = authority ?? known.authority.text(of: value)
        case .authorization:
            let text = known.authorization.text(of: value)
            RequestHead.keep(text, in: &authorization, named: "authorization", &duplicated)
        case .topic:
            RequestHead.keep(known.topic.text(of: value), in: &topic, named: "apns-topic", &duplicated)
        case .pushType: RequestHead.keep(value, in: &pushType, named: "apns-push-type", &duplicated)
        case .apnsID: RequestHead.keep(value, in: &apnsID, named: "apns-id", &duplicated)
        case .expiration: RequestHead.keep(value, in: &expiration, named: "apns-expiration", &duplicated)
        case .priority: RequestHead.keep(value, in: &priority, named: "apns-priority", &duplicated)
        case .collapseID: RequestHead.keep(value, in: &collapseID, named: "apns-collapse-id", &duplicated)
        case .channelID: RequestHead.keep(value, in: &channelID, named: "apns-channel-id", &duplicated)
        case .requestID: RequestHead.keep(value, in: &requestID, named: "apns-request-id", &duplicated)
        case .contentLength: RequestHead.keep(value, in: &contentLength, named: "content-length", &duplicated)
        }
    }

    private mutating func noteOther(_ name: UnsafeRawBufferPointer) {
        guard let first = name.first, let last = name.last else { return }
        let mixed = Int(first) &* 5 &+ Int(last) &* 11 &+ name.count &* 3
        let bit = UInt64(1) << UInt64(mixed & 63)
        if otherNames & bit != 0 { mayRepeatOthers = true }
        otherNames |= bit
    }

    /// Notes a header that the transport has found twice. The parts that HTTP/2 may divide `cookie` into are one header
    /// (RFC 9113, 8.2.3).
    package mutating func noteRepeated(_ name: UnsafeRawBufferPointer) {
        let name = String(decoding: name, as: UTF8.self)
        if name != "cookie", !duplicated.contains(name) { duplicated.append(name) }
    }

    @inline(__always)
    private static func keep(
        _ bytes: UnsafeRawBufferPointer, in field: inout String?, named name: String, _ duplicated: inout [String]
    ) {
        keep(String(decoding: bytes, as: UTF8.self), in: &field, named: name, &duplicated)
    }

    /// The same for strings, where speed does not matter.
    package mutating func add(name: String, value: String) {
        var (name, value) = (name, value)
        var known = KnownValues()
        name.withUTF8 { name in
            value.withUTF8 { value in
                add(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer(value), known: &known)
            }
        }
    }

    @inline(__always)
    private static func keep(_ text: String, in field: inout String?, named name: String, _ duplicated: inout [String])
    {
        guard field != nil else { return field = text }
        if !duplicated.contains(name) { duplicated.append(name) }
    }
}

/// The long values that come with nearly every request of a connection, so that not every request allocates them.
package struct KnownValues: Sendable {
    var authority = KnownValue()
    var authorization = KnownValue()
    var topic = KnownValue()

    package init() {}
}

struct KnownValue: Sendable {
    private var last = ""

    /// The string of some bytes: the same object as the last time if the bytes are the same.
    mutating func text(of bytes: UnsafeRawBufferPointer) -> String {
        let isSame = last.utf8.withContiguousStorageIfAvailable { last in
            guard last.count == bytes.count, let start = last.baseAddress, let other = bytes.baseAddress else {
                return last.count == bytes.count
            }
            return memcmp(start, other, bytes.count) == 0
        }
        if isSame != true { last = String(decoding: bytes, as: UTF8.self) }
        return last
    }
}
