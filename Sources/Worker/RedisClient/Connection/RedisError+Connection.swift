#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif
internal import NIOCore
internal import NIOPosix
internal import TLSSession

extension RedisError {
    /// The error for a connection that could not be made, or that broke.
    init(connection error: any Error, to address: RedisAddress) {
        switch error {
        case let error as RedisError: self = error
        case let error as TLSError where error.code == .notTLS:
            self.init(.tlsFailed, "\(address) does not speak TLS; the URL of a server without TLS begins with redis://")
        case let error as TLSError where error.code == .handshakeEnded:
            self.init(
                .tlsFailed,
                "\(address) ended the connection during the TLS handshake; if nothing speaks TLS there, the URL begins with "
                    + "redis://")
        case let error as TLSError: self.init(.tlsFailed, "TLS with \(address): \(error)")
        case let error as NIOConnectionError:
            if let cause = error.connectionErrors.first?.error {
                self.init(.connectFailed, "cannot connect to \(address): \(RedisError.text(of: cause))")
            } else {
                self.init(
                    .connectFailed,
                    "cannot find the host \(address.host); check its spelling, and the DNS of this machine")
            }
        case ChannelError.connectTimeout: self.init(.connectFailed, "cannot connect to \(address): no answer in time")
        case ChannelError.eof, ChannelError.ioOnClosedChannel, ChannelError.inputClosed:
            self.init(.connectionLost, "\(address) closed the connection")
        default: self.init(.connectionLost, "the connection to \(address) broke: \(RedisError.text(of: error))")
        }
    }

    private static func text(of error: any Error) -> String {
        switch error {
        case let error as IOError where error.errnoCode == ECONNREFUSED: "connection refused, nothing listens there"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout: "no answer in time"
        default: "\(error)"
        }
    }
}
