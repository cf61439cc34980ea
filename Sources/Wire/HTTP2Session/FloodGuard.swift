package import APNSModel

/// Counts the frames of a peer before nghttp2 gets them: resets, PING, SETTINGS, empty DATA, CONTINUATION and others. So
/// the limits do not depend on the version of nghttp2.
///
/// It reads only the nine bytes of each frame header, and accepts input that is cut anywhere. nghttp2 finds malformed
/// frames.
package struct FloodGuard: Sendable {
    private let limits: HTTP2Limits
    private var resets: Allowance
    private var pings: Allowance
    private var settings: Allowance
    private var emptyData: Allowance
    private var others: Allowance

    /// The bytes of the client's connection preface that have not come yet.
    private var prefaceLeft: Int
    private var header: UInt64 = 0
    private var headerCount = 0
    private var payloadLeft = 0
    private var continuations = 0
    private var headerBlockBytes = 0

    package init(limits: HTTP2Limits, isServer: Bool) {
        self.limits = limits
        resets = Allowance(limits.resets)
        pings = Allowance(limits.pings)
        settings = Allowance(limits.settings)
        emptyData = Allowance(limits.emptyData)
        others = Allowance(limits.others)
        prefaceLeft = isServer ? 24 : 0
    }

    /// Counts the frames in the next bytes of the connection.
    ///
    /// - Returns: The limit that the peer exceeded, or nil.
    package mutating func inspect(_ bytes: UnsafeRawBufferPointer, at now: MonotonicTime) -> Flood? {
        var position = min(prefaceLeft, bytes.count)
        prefaceLeft -= position
        while position < bytes.count {
            if payloadLeft > 0 {
                let skipped = min(payloadLeft, bytes.count - position)
                payloadLeft -= skipped
                position += skipped
                continue
            }
            // The nine bytes of a frame header: length (3), type, flags, stream (4). The stream is not used.
            if headerCount < 5 { header = header << 8 | UInt64(bytes[position]) }
            position += 1
            headerCount += 1
            guard headerCount == 9 else { continue }
            headerCount = 0
            payloadLeft = Int(header >> 16)
            let type = UInt8(truncatingIfNeeded: header >> 8)
            let flags = UInt8(truncatingIfNeeded: header)
            header = 0
            if let flood = count(type: type, flags: flags, length: payloadLeft, at: now) { return flood }
        }
        return nil
    }

    private mutating func count(type: UInt8, flags: UInt8, length: Int, at now: MonotonicTime) -> Flood? {
        switch type {
        case 0:  // DATA
            guard length == 0, flags & 1 == 0 else { return nil }
            return emptyData.take(at: now) ? nil : .emptyData
        case 1:  // HEADERS
            continuations = 0
            headerBlockBytes = length
            return nil
        case 3: return resets.take(at: now) ? nil : .resets
        case 4: return settings.take(at: now) ? nil : .settings
        case 6: return pings.take(at: now) ? nil : .pings
        case 9:  // CONTINUATION
            continuations += 1
            headerBlockBytes += length
            return continuations > limits.continuations || headerBlockBytes > limits.headerBlockBytes
                ? .continuations : nil
        case 7: return nil  // GOAWAY
        default: return others.take(at: now) ? nil : .others
        }
    }
}

/// A limit that a peer exceeded.
package enum Flood: String, Hashable, Sendable {
    case resets = "too many RST_STREAM frames"
    case pings = "too many PING frames"
    case settings = "too many SETTINGS frames"
    case emptyData = "too many empty DATA frames"
    case continuations = "too many CONTINUATION frames"
    case unread = "too many answers that the peer does not read"
    case others = "too many PRIORITY, WINDOW_UPDATE or unknown frames"
}

/// A token bucket: `burst` at once, refilled at `perSecond`.
private struct Allowance: Sendable {
    let rate: HTTP2Limits.Rate
    var left: Int
    var refilled: MonotonicTime?

    init(_ rate: HTTP2Limits.Rate) {
        self.rate = rate
        left = rate.burst
    }

    mutating func take(at now: MonotonicTime) -> Bool {
        if left <= 0 { refill(at: now) }
        left -= 1
        if refilled == nil { refilled = now }
        return left >= 0
    }

    private mutating func refill(at now: MonotonicTime) {
        guard let last = refilled, rate.perSecond > 0 else { return }
        let nanosecondsEach = 1_000_000_000 / Int64(rate.perSecond)
        let earned = (now.nanoseconds - last.nanoseconds) / nanosecondsEach
        guard earned > 0 else { return }
        left = Int(min(Int64(rate.burst), Int64(max(left, 0)) + earned))
        refilled = MonotonicTime(nanoseconds: last.nanoseconds + earned * nanosecondsEach)
    }
}
