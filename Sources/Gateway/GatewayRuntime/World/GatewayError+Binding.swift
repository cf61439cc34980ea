package import GatewayConfiguration
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension GatewayError {
    /// NIO's error of a failed bind, as a sentence with the port in it.
    package init(binding host: String, _ port: Int, option: String, _ cause: any Error) {
        let error = GatewayError(describing: host, port, option: option, cause)
        let isHost = (cause as? IOError)?.errnoCode == EADDRNOTAVAIL
        let setting = isHost ? .host : GatewaySetting.named(option: option.drop { $0 == "-" })
        self = setting.map { error.about($0) } ?? error
    }

    private init(describing host: String, _ port: Int, option: String, _ error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            // The system may give a high port to any connection, and keeps it for a minute after the connection has ended.
            self.init(
                .portTaken,
                "port \(port) on \(host) is in use by another program, or by a connection that is open or ended less than "
                    + "a minute ago; stop that program, wait, or pass another \(option): \(option) 0 takes a free one")
        case EACCES, EPERM:
            self.init(
                .cannotBind,
                "port \(port) on \(host) is only for privileged processes; pass a \(option) from 1024 on, or 0 for a "
                    + "free one")
        case EADDRNOTAVAIL:
            self.init(.cannotBind, "\(host) is not an address of this machine; pass another --host, such as 127.0.0.1")
        default:
            self.init(
                .cannotBind, "port \(port) on \(host) cannot be opened: \(error); pass another --host or \(option)")
        }
    }
}
