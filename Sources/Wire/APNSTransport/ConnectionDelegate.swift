package import HTTP2Session

/// Handles the events of connections. All calls are made on the connection's event loop.
package protocol ConnectionDelegate: AnyObject, SendableMetatype {
    /// TLS begins: TCP is connected, and a server has received the first bytes.
    func connectionStarted(_ connection: Connection<Self>)

    /// A client of a `TransportServer` left or was closed before it sent a byte. There is no `Connection` for it.
    func clientLeft()

    /// TLS is established and both ends agreed on HTTP/2. The delegate starts `connection.http2` with its settings; what it
    /// submits here is sent right after them.
    func connectionOpened(_ connection: Connection<Self>)

    /// Events happened. The batch is valid during the call; what is submitted here is sent after it.
    func connection(_ connection: Connection<Self>, received batch: borrowing HTTP2EventBatch)

    /// The connection is closed. This is the last call for a connection, and there is exactly one.
    ///
    /// - Parameter error: Nil when the connection ended normally.
    func connectionClosed(_ connection: Connection<Self>, error: TransportError?)
}

extension ConnectionDelegate {
    package func connectionStarted(_ connection: Connection<Self>) {}
    package func clientLeft() {}
}
