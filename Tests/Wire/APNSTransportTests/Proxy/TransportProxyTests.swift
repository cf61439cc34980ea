import Testing

@testable import APNSTransport

struct TransportProxyTests {
    private static let target = "api.push.apple.com:443"

    @Test func `the request names the target twice, and carries the credentials where there are some`() {
        #expect(
            TransportProxy(host: "proxy", port: 3128).request(for: "api.push.apple.com:443")
                == "CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost: api.push.apple.com:443\r\n\r\n")
        #expect(
            TransportProxy(host: "proxy", port: 3128, authorization: "Basic YTpi").request(for: "[::1]:8443")
                == "CONNECT [::1]:8443 HTTP/1.1\r\nHost: [::1]:8443\r\nProxy-Authorization: Basic YTpi\r\n\r\n")
    }

    @Test func `no description has the credentials`() {
        let proxy = TransportProxy(host: "proxy", port: 3128, authorization: "Basic YTpi")
        var dumped = ""
        dump(proxy, to: &dumped)
        for text in ["\(proxy)", String(reflecting: proxy), dumped, "\([proxy])"] {
            #expect(!text.contains("YTpi"), "\(text)")
            #expect(text.contains("proxy"))
        }
        #expect(TransportProxy(host: "::1", port: 3128).name == "[::1]:3128")
    }

    @Test(arguments: [
        (
            nil, ProxyAnswer.Failure.refused(status: 407, reason: "Proxy Authentication Required", schemes: ["basic"]),
            "the proxy p:1 wants a user and a password (status 407); give them with its address", true
        ),
        (
            "Basic x", .refused(status: 407, reason: "", schemes: []),
            "the proxy p:1 does not accept the user and the password (status 407)", true
        ),
        (
            "Basic x", .refused(status: 401, reason: "Unauthorized", schemes: []),
            "the proxy p:1 does not accept the user and the password (status 401)", true
        ),
        (
            "Basic x", .refused(status: 407, reason: "", schemes: ["negotiate", "ntlm"]),
            "the proxy p:1 does not accept the user and the password (status 407); it offers negotiate, ntlm, and only basic is supported",
            true
        ),
        (
            nil, .refused(status: 403, reason: "Forbidden", schemes: []),
            "the proxy p:1 opens no connection to api.push.apple.com:443: it answered 403 Forbidden", true
        ),
        (
            nil, .refused(status: 502, reason: "", schemes: []),
            "the proxy p:1 opens no connection to api.push.apple.com:443: it answered 502", false
        ),
        (nil, .notHTTP, "the proxy p:1 does not answer like an HTTP proxy; check its address", true),
        (nil, .tooLong, "the proxy p:1 answered with a head of more than 16384 bytes", false),
    ])
    func `a refusal names the proxy, and whether another attempt would help`(
        authorization: String?, failure: ProxyAnswer.Failure, sentence: String, isPermanent: Bool
    ) {
        let error = TransportProxy(host: "p", port: 1, authorization: authorization).error(failure, target: Self.target)
        #expect(error == TransportError(.connectFailed, sentence, isPermanent: isPermanent))
    }
}
