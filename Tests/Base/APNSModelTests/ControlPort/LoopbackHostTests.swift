import APNSModel
import Testing

struct LoopbackHostTests {
    @Test(arguments: [
        "localhost", "LOCALHOST", "localhost.", "a.localhost", "a.b.localhost", "127.0.0.1", "127.255.255.255",
        "127.1.2.3",
        "::1", "[::1]",
    ])
    func `these names and addresses are this machine`(host: String) {
        #expect(LoopbackHost.isLoopback(host))
    }

    @Test(arguments: [
        "", "example.com", "localhost.example.com", "xlocalhost", "0.0.0.0", "::", "128.0.0.1", "127.0.0",
        "127.0.0.1.2",
        "127.0.0.256", "127.0.0.x", "127..0.1", "127.0.0.0001", "127.0.0.+1", "10.127.0.1", "::ffff:127.0.0.1", "[::2]",
        "127.0.0.1.example.com", "1", "0x7f.0.0.1",
    ])
    func `these are not, or not surely`(host: String) {
        #expect(!LoopbackHost.isLoopback(host))
    }

    @Test(arguments: [
        ("localhost:8080", "localhost"), ("localhost", "localhost"), ("[::1]:80", "[::1]"), ("[::1]", "[::1]"),
        ("127.0.0.1:1", "127.0.0.1"), ("", ""), (":80", ""),
    ])
    func `the port is removed`(authority: String, host: String) {
        #expect(LoopbackHost.withoutPort(authority) == host)
    }

    @Test(arguments: [
        ("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("::1", "::1"), ("[::1]", "[::1]"), ("10.0.0.1", "10.0.0.1"),
    ])
    func `an address that means all interfaces is reached by the loopback address`(host: String, address: String) {
        #expect(LoopbackHost.address(reaching: host) == address)
    }

    @Test(arguments: [
        ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("[::1]", "[::1]"), ("fe80::1", "[fe80::1]"),
        ("localhost", "localhost"), ("10.0.0.1", "10.0.0.1"),
    ])
    func `an address is written for a URL`(host: String, text: String) {
        #expect(LoopbackHost.inURL(host) == text)
    }
}
