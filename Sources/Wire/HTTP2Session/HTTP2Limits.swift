/// What a peer may make a session hold or do. Everything beyond is refused, told to the peer, and costs nothing more.
package struct HTTP2Limits: Hashable, Sendable {
    /// Names, values and 32 bytes for each field, as RFC 9113 counts a header list. A longer one resets its stream.
    package var headerListBytes = 8000
    /// How much of a body is handed on. The rest is counted and thrown away, so that a size can still be told.
    package var storedBodyBytes = 8192
    /// A body longer than this raises `HTTP2Event.bodyTooLong` and nothing of it is counted any more.
    package var bodyBytes = 65536
    /// CONTINUATION frames behind one HEADERS frame.
    package var continuations = 8
    /// Bytes of one compressed header block.
    package var headerBlockBytes = 65536
    /// Frames that may wait in a server for a peer that does not read them, besides one for each open stream.
    package var waitingFrames = 2000

    /// Frames of one kind that may come at once, and how many of them the passing of a second allows anew.
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
    /// PRIORITY, WINDOW_UPDATE and frames of unknown kinds.
    package var others: Rate

    /// For a server: a client that cancels a full load of streams twice is fine, one that does nothing else is not.
    package static let server = HTTP2Limits(
        resets: Rate(burst: 2000, perSecond: 200), pings: Rate(burst: 200, perSecond: 20),
        settings: Rate(burst: 100, perSecond: 10), emptyData: Rate(burst: 2000, perSecond: 200),
        others: Rate(burst: 50000, perSecond: 50000))

    /// For a client: a server may answer every notification with a reset or a change of its settings.
    package static let client = HTTP2Limits(
        resets: Rate(burst: 20000, perSecond: 20000), pings: Rate(burst: 200, perSecond: 20),
        settings: Rate(burst: 5000, perSecond: 1000), emptyData: Rate(burst: 2000, perSecond: 200),
        others: Rate(burst: 50000, perSecond: 50000))
}
