import APNSModel
import APNSProvider
import Testing

@testable import apns

struct CurlCommandTests {
    private static let gateway = APNSGateway(host: "127.0.0.1", port: 8443)
    private static let key = CredentialChoice.Identity.token(
        keyPath: "my keys/AuthKey_ABC123DEFG.p8", keyID: "ABC123DEFG", teamID: "DEF123GHIJ")

    private static func command(_ identity: CredentialChoice.Identity, ca: String? = "ca.pem") -> CurlCommand {
        CurlCommand(gateway: gateway, identity: identity, caPath: ca, apns: "apns")
    }

    @Test func `one notification has a line that makes its provider token`() throws {
        let notification = try NotificationPreviewTests.notification(#"{"aps":{"alert":"It's $5"}}"#)
        let line = CurlCommandTests.command(CurlCommandTests.key).line(notification, isSingle: true)
        #expect(
            line == """
                curl -sSi --http2 --cacert ca.pem -H "authorization: bearer $(apns token make --key \
                'my keys/AuthKey_ABC123DEFG.p8' --key-id ABC123DEFG --team-id DEF123GHIJ)" \
                -H 'apns-topic: com.example.agent' -H 'apns-push-type: alert' \
                -H 'apns-id: 8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162' -H 'apns-priority: 5' \
                -H 'apns-expiration: 1800000000' -H 'apns-collapse-id: visit-7' -H content-type: \
                --data-raw '{"aps":{"alert":"It'\\''s $5"}}' https://127.0.0.1:8443/3/device/\(NotificationPreviewTests.hex)
                """)
    }

    @Test func `several notifications share a provider token`() throws {
        let command = CurlCommandTests.command(CurlCommandTests.key, ca: nil)
        #expect(
            command.assignment
                == "APNS_PROVIDER_TOKEN=$(apns token make --key 'my keys/AuthKey_ABC123DEFG.p8' --key-id ABC123DEFG "
                + "--team-id DEF123GHIJ)")
        let line = command.line(try NotificationPreviewTests.notification(), isSingle: false)
        #expect(line?.hasPrefix(#"curl -sSi --http2 -H "authorization: bearer $APNS_PROVIDER_TOKEN" -H "#) == true)
    }

    @Test(arguments: [
        ("push.p12", String?.none, "--cert-type P12 --cert push.p12 -H"),
        ("push.pem", "key.pem", "--cert push.pem --key key.pem -H"),
    ])
    func `a certificate is named by its path`(path: String, key: String?, says: String) throws {
        let command = CurlCommandTests.command(.certificate(path: path, keyPath: key))
        #expect(command.assignment == nil)
        let line = try #require(command.line(try NotificationPreviewTests.notification(), isSingle: true))
        #expect(line.contains(says) && !line.contains("authorization"), "\(line)")
    }

    @Test func `a payload that a shell cannot hold has no line`() throws {
        var notification = try NotificationPreviewTests.notification()
        for payload in [[0xff], [0x7b, 0, 0x7d]] as [[UInt8]] {
            notification.payload = payload
            #expect(CurlCommandTests.command(CurlCommandTests.key).line(notification, isSingle: true) == nil)
        }
    }
}
