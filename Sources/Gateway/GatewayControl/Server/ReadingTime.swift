package import NIOCore

/// How long a client may take to read an answer that waits in memory for it. It grows with the answer, so that a slow
/// connection gets every answer, and a client that reads a little from time to time keeps no memory for longer.
package struct ReadingTime: Hashable, Sendable {
    /// What an answer of any size gets.
    package var base: TimeAmount
    /// What a client has to read each second beyond that. Slow mobile connections are faster.
    package var bytesPerSecond: Int

    package init(base: TimeAmount = .seconds(60), bytesPerSecond: Int = 4 << 10) {
        self.base = base
        self.bytesPerSecond = bytesPerSecond
    }

    /// From the moment when the first byte is sent until the connection is closed.
    func limit(forBytes bytes: Int) -> TimeAmount {
        base + .milliseconds(Int64(bytes) * 1000 / Int64(bytesPerSecond))
    }
}
