import GatewayConfiguration
import NIOCore
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@testable import GatewayRuntime

struct GatewayErrorBindingTests {
    @Test(arguments: [8443, 40_123])
    func `a port in use is another program's, or that of a connection`(port: Int) {
        let error = GatewayError(
            binding: "127.0.0.1", port, option: "--port", IOError(errnoCode: EADDRINUSE, reason: "bind"))
        #expect(error.code == .portTaken)
        #expect(
            error.detail
                == "port \(port) on 127.0.0.1 is in use by another program, or by a connection that is open or ended less "
                + "than a minute ago; stop that program, wait, or pass another --port: --port 0 takes a free one")
    }
}
