package import HTTP2Session

/// What one end of a connection does with what comes over it. Every call is made on the connection's event loop.
package protocol ConnectionDelegate: AnyObject, SendableMetatype {
    /// TLS begins: TCP is up, and at a server the first bytes have come.
    func connectionStarted(_ connection: Connection<Self>)

    /// A client of a `TransportServer` went away, or had to go, before it sent a byte: there never is a connection.
    func clientLeft()

    /// TLS is up and both ends agreed on HTTP/2. The delegate starts `connection.http2` with its settings; what it
    /// submits here goes out right behind them.
    func connectionOpened(_ connection: Connection<Self>)

    /// Something came in, or a stream ended. The batch is valid during the call; what is submitted here goes out after it.
    func connection(_ connection: Connection<Self>, received batch: borrowing HTTP2EventBatch)

    /// The connection is gone; nothing comes after this, and it comes exactly once for each connection.
    ///
    /// - Parameter error: Why; nil when it ended in order.
    func connectionClosed(_ connection: Connection<Self>, error: TransportError?)
}

extension ConnectionDelegate {
    package func connectionStarted(_ connection: Connection<Self>) {}
    package func clientLeft() {}
}
