package import APNSModel

/// Counts the frames of a peer before nghttp2 gets them: resets, PING, SETTINGS, empty DATA, CONTINUATION, WINDOW_UPDATE and
/// others. So the limits do not depend on the version of nghttp2. In a server it also finds frames on streams that the
/// client has ended.
///
/// It reads only the nine bytes of each frame header, and accepts input that is cut anywhere. nghttp2 finds malformed
/// frames.
package struct FloodGuard: Sendable {
    private let limits: HTTP2Limits
    private var resets: Allowance
    private var pings: Allowance
    private var settings: Allowance
    private var emptyData: Allowance
    private var windowUpdates: Allowance
    private var goAways: Allowance
    private var others: Allowance
    /// Nil in a client.
    private var streams: PeerStreams?
    /// Where whole HEADERS frames are in the bytes of the last call, if they hold a whole header block and no padding, and are
    /// not larger than every peer may send. A client has none.
    private(set) var heads: [Range<Int>] = []

    /// The bytes of the client's connection preface that have not come yet.
    private var prefaceLeft: Int
    /// The last bytes of the header that is being read, without the last byte of its stream id.
    private var header: UInt64 = 0
    private var headerCount = 0
    private var payloadLeft = 0
    private var isInHeaderBlock = false
    private var continuations = 0
    private var headerBlockBytes = 0

    /// The largest frame that each peer may send (RFC 9113, 4.2).
    private static let frameBytes = 16384

    package init(limits: HTTP2Limits, isServer: Bool) {
        self.limits = limits
        resets = Allowance(limits.resets)
        pings = Allowance(limits.pings)
        settings = Allowance(limits.settings)
        emptyData = Allowance(limits.emptyData)
        windowUpdates = Allowance(limits.windowUpdates)
        goAways = Allowance(limits.goAways)
        others = Allowance(limits.others)
        streams = isServer ? PeerStreams() : nil
        prefaceLeft = isServer ? 24 : 0
    }

    /// Counts the frames in the next bytes of the connection.
    ///
    /// - Returns: The limit that the peer exceeded or the rule that it broke, or nil.
    package mutating func inspect(_ bytes: UnsafeRawBufferPointer, at now: MonotonicTime) -> FrameViolation? {
        heads.removeAll(keepingCapacity: true)
        var position = min(prefaceLeft, bytes.count)
        prefaceLeft -= position
        while position < bytes.count {
            if payloadLeft > 0 {
                let skipped = min(payloadLeft, bytes.count - position)
                payloadLeft -= skipped
                position += skipped
                continue
            }
            // The nine bytes of a frame header: length (3), type, flags, stream (4).
            let start = position
            if headerCount == 0, bytes.count - position >= 9 {
                header = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                position += 8
                headerCount = 8
            } else if headerCount < 8 {
                header = header << 8 | UInt64(bytes[position])
                position += 1
                headerCount += 1
                continue
            }
            let id = UInt32(truncatingIfNeeded: header << 8) | UInt32(bytes[position])
            position += 1
            headerCount = 0
            payloadLeft = Int(header >> 40)
            let type = UInt8(truncatingIfNeeded: header >> 32)
            let flags = UInt8(truncatingIfNeeded: header >> 24)
            header = 0
            if let violation = count(type: type, flags: flags, length: payloadLeft, at: now) { return violation }
            // Within a header block nothing but CONTINUATION may come. nghttp2 finds anything else.
            if !isInHeaderBlock || type == 9 {
                if let violation = streams?.frame(type: type, endsStream: flags & 1 != 0, id: id & 0x7fff_ffff) {
                    return violation
                }
            }
            if type == 1, flags & 12 == 4, !isInHeaderBlock, position - start == 9,
                payloadLeft <= min(bytes.count - position, FloodGuard.frameBytes), streams != nil
            {
                heads.append(start..<(position + payloadLeft))
            }
            if type == 1 || type == 9 { isInHeaderBlock = flags & 4 == 0 }
        }
        return nil
    }

    private mutating func count(type: UInt8, flags: UInt8, length: Int, at now: MonotonicTime) -> FrameViolation? {
        switch type {
        case 0:  // DATA
            guard length == 0 else {
                windowUpdates.add(limits.windowUpdatesForData)
                return nil
            }
            guard flags & 1 == 0 else { return nil }
            return emptyData.take(at: now) ? nil : .emptyData
        case 1:  // HEADERS
            windowUpdates.add(limits.windowUpdatesForData)
            continuations = 0
            headerBlockBytes = length
            return nil
        case 3: return resets.take(at: now) ? nil : .resets
        case 4: return settings.take(at: now) ? nil : .settings
        case 5 where streams == nil: return .pushPromise
        case 6: return pings.take(at: now) ? nil : .pings
        case 7: return goAways.take(at: now) ? nil : .goAways
        case 8: return windowUpdates.take(at: now) ? nil : .windowUpdates
        case 9:  // CONTINUATION
            continuations += 1
            headerBlockBytes += length
            return continuations > limits.continuations || headerBlockBytes > limits.headerBlockBytes
                ? .continuations : nil
        default: return others.take(at: now) ? nil : .others
        }
    }
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

    /// Adds to the allowance, up to its burst.
    mutating func add(_ count: Int) { left = min(rate.burst, left + count) }

    private mutating func refill(at now: MonotonicTime) {
        guard let last = refilled, rate.perSecond > 0 else { return }
        let nanosecondsEach = 1_000_000_000 / Int64(rate.perSecond)
        let earned = (now.nanoseconds - last.nanoseconds) / nanosecondsEach
        guard earned > 0 else { return }
        left = Int(min(Int64(rate.burst), Int64(max(left, 0)) + earned))
        refilled = MonotonicTime(nanoseconds: last.nanoseconds + earned * nanosecondsEach)
    }
}
