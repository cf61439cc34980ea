import APNSModel
import ProviderToken

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A request while the checks run, with what they have parsed so far. A later check trusts what an earlier one parsed.
struct Inspection: ~Copyable {
    private let complete: CompleteRequest
    let body: [UInt8]
    let omittedBytes: Int
    /// The rest of the path after `/3/device/`; nil for another path.
    let pathToken: Substring?
    /// Milliseconds since 1970.
    let now: Int64

    /// The provider token of the header, not yet verified.
    var readToken: ParsedToken?
    var tokenFault: ProviderTokenError?
    var token: VerifiedToken?
    /// Whether the provider token is the one that this connection accepted last, and no key has changed: then only its age
    /// has to be checked.
    var isTokenOfLastRequest = false
    /// Whether the credentials passed all checks: a certificate, or a provider token up to its update rate.
    var isProven = false
    var deviceToken: DeviceToken?
    /// Nil for a device token that is registered when the request is accepted.
    var slot: Int?
    var id: NotificationID?
    var expiration: Expiration?
    var priority = Priority.immediate
    var collapseID: CollapseID?
    var topic: ParsedTopic?
    var pushType: PushType?
    /// Whether the control API sent it, and not a provider.
    var isFromControl = false
    /// What a broadcast or a request about channels asks for; nil for a notification to a device.
    var channel: ChannelInspection?

    init(_ complete: CompleteRequest, at now: Int64) {
        self.complete = complete
        body = complete.body
        omittedBytes = complete.omittedBytes
        self.now = now
        pathToken = Inspection.pathToken(of: complete.head.path)
    }

    var head: RequestHead { _read { yield complete.head } }
    var isMisdirected: Bool { complete.isMisdirected }

    static let devicePath: StaticString = "/3/device/"

    static func pathToken(of path: String) -> Substring? {
        let (utf8, prefix) = (path.utf8, Inspection.devicePath)
        guard utf8.count >= prefix.utf8CodeUnitCount else { return nil }
        let starts = utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memcmp($0, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0 } ?? false
        }
        // A string that was not made from bytes of the wire may not be contiguous.
        guard starts ?? path.hasPrefix("\(prefix)") else { return nil }
        return path[utf8.index(path.startIndex, offsetBy: prefix.utf8CodeUnitCount)...]
    }
}
