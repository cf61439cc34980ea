import APNSModel
import ProviderToken

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One request on its way through the checks, with what they have read in it so far. A later check trusts what an earlier
/// one put here.
struct Inspection: ~Copyable {
    private let complete: CompleteRequest
    let body: [UInt8]
    let omittedBytes: Int
    /// What stands behind `/3/device/`; nil for another path.
    let pathToken: Substring?
    /// Milliseconds since 1970.
    let now: Int64

    /// What the header says, before its signature was checked.
    var readToken: ProviderToken?
    var tokenFault: ProviderTokenFault?
    var token: VerifiedToken?
    /// Whether the provider token is the one that this connection accepted last, while no key changed: then only time can
    /// have made it bad.
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
    /// Whether it came by the control API, and not from a provider.
    var isFromControl = false
    /// What a broadcast or a request about channels asks for; nil for a send to a device.
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
        // A text that was not made from bytes of the wire may lie in pieces.
        guard starts ?? path.hasPrefix("\(prefix)") else { return nil }
        return path[utf8.index(path.startIndex, offsetBy: prefix.utf8CodeUnitCount)...]
    }
}
