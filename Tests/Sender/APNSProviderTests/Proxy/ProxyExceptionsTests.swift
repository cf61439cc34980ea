import Testing

@testable import APNSProvider

struct ProxyExceptionsTests {
    @Test(arguments: [
        ("*", "api.push.apple.com", true), ("", "a", false), ("a,*", "b", true), ("*:443", "a", false),
        ("push.apple.com", "push.apple.com", true), ("push.apple.com", "api.push.apple.com", true),
        ("push.apple.com", "notpush.apple.com", false), ("PUSH.Apple.com.", "api.push.apple.com", true),
        ("push.apple.com", "api.PUSH.apple.com.", true), (".apple.com", "apple.com", false),
        (".apple.com", "api.push.apple.com", true), ("*.apple.com", "api.push.apple.com", true),
        ("*.apple.com", "apple.com", false), ("api.push.apple.com:443", "api.push.apple.com", true),
        ("api.push.apple.com:2197", "api.push.apple.com", false), ("a  b\tc,,d", "c", true), ("a,b", "ab", false),
        ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.30", false), ("10.1.2.3:443", "10.1.2.3", true),
        ("10.1.2.3:444", "10.1.2.3", false), ("10.0.0.0/8", "10.200.1.1", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("10.128.0.0/9", "10.127.0.1", false), ("10.128.0.0/9", "10.128.0.1", true), ("0.0.0.0/0", "9.9.9.9", true),
        ("10.0.0.0/33", "10.0.0.1", false), ("10.0.0.0/-1", "10.0.0.1", false), ("10.0.0.0/", "10.0.0.1", false),
        ("0.0.0.0/0", "a", false), ("10.0.0.0/8", "10.example.com", false), ("2.3", "1.2.3", false),
        ("3.4", "1.2.3.4", false), ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false),
        ("0.0.0.0/0", "fd12::1", false), ("[::2]:443", "::2", true), ("[::2]:444", "::2", false), ("::2", "::2", true),
        ("[::2]", "::2", true), ("10.0.0.0/8", "::ffff:10.1.1.1", true), ("a:x", "a", false), ("a:0", "a", false),
        ("[a]", "a", false), ("[::2", "::2", false), ("a b/c d", "d", true), (".", "a", false), ("*.", "a", false),
    ])
    func `an entry covers the hosts that the usual rules say`(list: String, host: String, isCovered: Bool) {
        #expect(ProxyExceptions(list).contains(host: host, port: 443) == isCovered)
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST.", true), ("world.localhost", true), ("127.0.0.1", true), ("127.9.9.9", true),
        ("::1", true), ("::ffff:127.0.0.1", true), ("notlocalhost", false), ("localhost.example.com", false),
        ("128.0.0.1", false), ("::2", false), ("127.example.com", false),
    ])
    func `loopback has several names`(host: String, isLoopback: Bool) {
        #expect(ProxyExceptions.isLoopback(host) == isLoopback)
    }
}
