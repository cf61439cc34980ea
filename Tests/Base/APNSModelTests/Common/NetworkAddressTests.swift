import APNSModel
import Testing

struct NetworkAddressTests {
    @Test func `a port is a number from 1 to 65535`() {
        #expect(NetworkAddress.port("1") == 1 && NetworkAddress.port("65535") == 65535)
        for text in ["", "0", "65536", "-1", "+443", " 443", "443 ", "4.4", "99999999999999999999", "٣"] {
            #expect(NetworkAddress.port(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        "localhost", "a", "api.push.apple.com", "api.push.apple.com.", "a_b.example", "a-b.example", "3com.example",
        "xn--bcher-kva.example", "127.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "2001:db8::1",
        "1:2:3:4:5:6:7:8", "::ffff:127.0.0.1", "1::8",
    ])
    func `names and addresses can be hosts`(host: String) { #expect(NetworkAddress.isHost(host)) }

    @Test(arguments: [
        "", ".", "a..b", ".a", "-a", "a-", "a b", "a\r\nb", "a/b", "a?b", "u@a", "bücher.example", "256.1.1.1",
        "1.2.3", "1.2.3.4.5", "1.2.3.4.", "123", "[::1]", ":", ":::", "1:2", "::1::", "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::", "12345::", "g::", "::1.2.3.256", "1.2.3.4::", "fe80::1%", "::1:",
        String(repeating: "a", count: 64), String(repeating: "a.", count: 127) + "a",
    ])
    func `anything else cannot`(host: String) { #expect(!NetworkAddress.isHost(host)) }
}
