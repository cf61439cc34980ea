import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ServicePort.StartError {
    /// NIO's error of a failed bind, as a sentence with the port in it.
    package init(binding host: String, _ port: Int, _ error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            // The system may give a high port to any connection, and keeps it for a minute after the connection has ended.
            self.init(
                description: "port \(port) on \(host) is in use by another program, or by a connection that is open or "
                    + "ended less than a minute ago; stop that program, wait, or pass another --port: --port 0 takes a "
                    + "free one")
        case EACCES, EPERM:
            self.init(
                description: "port \(port) on \(host) is only for privileged processes; pass a --port from 1024 on, or "
                    + "0 for a free one")
        case EADDRNOTAVAIL:
            self.init(
                description: "\(host) is not an address of this machine; pass another --host, such as 127.0.0.1")
        default:
            self.init(
                description: "port \(port) on \(host) cannot be opened: \(error); pass another --host or --port")
        }
    }
}
