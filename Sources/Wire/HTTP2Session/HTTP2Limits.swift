/// Limits on what a peer can make a session store or do. Anything beyond is refused and reported to the peer.
package struct HTTP2Limits: Hashable, Sendable {
    /// Names, values and 32 bytes for each field, as RFC 9113 counts a header list. A longer list resets its stream.
    package var headerListBytes = 8000
    /// How many bytes of a body are stored. The rest is counted and dropped, so that the size is still known.
    package var storedBodyBytes = 8192
    /// A longer body causes `HTTP2Event.bodyTooLong`, and the rest of it is not counted.
    package var bodyBytes = 65536
    /// Interim (1xx) answers before one answer. A further one resets its stream.
    package var interimAnswers = 100
    /// CONTINUATION frames after one HEADERS frame.
    package var continuations = 8
    /// Bytes of one compressed header block.
    package var headerBlockBytes = 65536
    /// Frames that may wait in a server for a peer that does not read, in addition to one for each open stream.
    package var waitingFrames = 2000

    /// A token bucket for frames of one kind: how many may come at once, and how many more each second allows.
    package struct Rate: Hashable, Sendable {
        package var burst: Int
        package var perSecond: Int

        package init(burst: Int, perSecond: Int) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    package var resets: Rate
    package var pings: Rate
    package var settings: Rate
    package var emptyData: Rate
    /// WINDOW_UPDATE. A peer that reads much sends many, so each of its frames with data earns `windowUpdatesForData` more.
    package var windowUpdates: Rate
    /// GOAWAY. A peer sends two to shut down.
    package var goAways = Rate(burst: 100, perSecond: 10)
    /// PRIORITY and frames of unknown kinds.
    package var others: Rate
    /// The WINDOW_UPDATE frames that a peer earns with a HEADERS frame, or a DATA frame that is not empty. Processing them
    /// takes less time than the frame that earned them.
    package var windowUpdatesForData = 16

    /// For a server. A client may cancel all of 1,000 streams twice, but not all the time.
    package static let server = HTTP2Limits(
        resets: Rate(burst: 2000, perSecond: 200), pings: Rate(burst: 200, perSecond: 20),
        settings: Rate(burst: 100, perSecond: 10), emptyData: Rate(burst: 2000, perSecond: 200),
        windowUpdates: Rate(burst: 100_000, perSecond: 50_000), others: Rate(burst: 50000, perSecond: 50000))

    /// For a client. A server may answer each notification with a reset or a change of its settings.
    package static let client = HTTP2Limits(
        resets: Rate(burst: 20000, perSecond: 20000), pings: Rate(burst: 200, perSecond: 20),
        settings: Rate(burst: 5000, perSecond: 1000), emptyData: Rate(burst: 2000, perSecond: 200),
        windowUpdates: Rate(burst: 100_000, perSecond: 50_000), others: Rate(burst: 50000, perSecond: 50000))
}
