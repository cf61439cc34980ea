import APNSModel
import Testing

@testable import PayloadGuide

struct PastedDeviceTokenTests {
    private static let hex = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    private static let numbers =
        "0, 252, 19, 173, 255, 120, 81, 34, 180, 173, 40, 128, 154, 52, 32, 152, 35, 65, 36, 20, 33, 52, 128, 151, 135, 142, "
        + "87, 124, 153, 29, 232, 240"
    private static let packedNumbers = numbers.filter { $0 != " " }

    @Test(arguments: [
        (hex, PastedDeviceToken.Kind.deviceToken), ("  \(hex)\n", .deviceToken),
        ("APwTrf94USK0rSiAmjQgmCNBJBQhNICXh45XfJkd6PA=", .base64),
        ("APwTrf94USK0rSiAmjQgmCNBJBQhNICXh45XfJkd6PA", .base64),
        ("<00fc13ad ff785122 b4ad2880 9a342098 23412414 21348097 878e577c 991de8f0>", .dataDescription),
        ("00fc13ad ff785122 b4ad2880 9a342098 23412414 21348097 878e577c 991de8f0", .decorated),
        ("\"\(hex)\"", .decorated), ("0x\(hex)", .decorated), ("Optional(\"\(hex)\")", .decorated),
        ("{length = 32, bytes = 0x\(hex)}", .dataDescription), ("[\(numbers)]", .byteList),
        (packedNumbers, .byteList), ("deviceToken: \(hex)", .decorated), ("Device Token = \"\(hex)\"", .decorated),
        ("token: Optional(\"\(hex)\")", .decorated), ("a: token = \(hex)", .decorated),
        // Each label was read three times, and so was each behind it.
        (String(repeating: "x:", count: 400) + hex, .decorated),
    ])
    func `a device token in another form is shown in hexadecimal digits`(text: String, kind: PastedDeviceToken.Kind) {
        let pasted = PastedDeviceToken(text)
        #expect(pasted.kind == kind)
        #expect(pasted.deviceToken?.hex == Self.hex)
        #expect(pasted.byteCount == 32)
        #expect((pasted.advice == nil) == (kind == .deviceToken))
    }

    @Test(arguments: [
        ("fGh1:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx", PastedDeviceToken.Kind.firebase, "apnsToken"),
        ("ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]", .expo, "getDevicePushTokenAsync"),
        ("{length = 32, bytes = 0x740f4707 bebcf74f … }", .shortened, "digits are missing"),
        ("00fc…e8f0", .shortened, "digits are missing"), ("00fc13ad...", .shortened, "digits are missing"),
        ("5eb5a37e-b458-11e3-ac11-000c2940e62c", .uuid, "OneSignal"),
        (#"{"endpoint":"https://web.push.apple.com/Q","keys":{"p256dh":"BE","auth":"8e"}}"#, .webPush, "VAPID"),
        (#"{"endpoint": "https://push.example.com/1", "expirationTime": null}"#, .webPush, "VAPID"),
        ("https://fcm.googleapis.com/fcm/send/abc:APA91b", .webPush, "VAPID"),
        ("https://wns2-by3p.notify.windows.com/w/?token=x", .webPush, "VAPID"),
        ("https://example.com/abc", .url, "not an address"),
        ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJYIn0.c2ln", .providerToken, "apns token show"),
        ("\(hex) \(hex)", .several, "2 device tokens"), ("\(hex),\(hex)\n", .several, "2 device tokens"),
        ("[\"\(hex)\", \"\(hex)\",\"\(hex)\"]", .several, "3 device tokens"),
        (String(hex.dropLast()), .damaged, "one was lost"), ("", .empty, "hexadecimal digits"),
        (#"{"aps":{}}"#, .other, "hexadecimal digits"), ("hello world!", .other, "hexadecimal digits"),
    ])
    func `what is not a device token is named, with what to do`(
        text: String, kind: PastedDeviceToken.Kind, says: String
    ) {
        let pasted = PastedDeviceToken(text)
        #expect(pasted.kind == kind, "\(pasted)")
        #expect(pasted.deviceToken == nil)
        #expect(pasted.sentence.contains(says), "\(pasted.sentence)")
    }

    @Test(arguments: [(31, "cut off"), (101, "joined")])
    func `a length that no known device token has is doubted`(bytes: Int, says: String) {
        let pasted = PastedDeviceToken(String(repeating: "ab", count: bytes))
        #expect(pasted.kind == .deviceToken && pasted.deviceToken != nil)
        #expect(pasted.advice?.contains(says) == true, "\(pasted.sentence)")
    }

    @Test func `the sentence never quotes the text, and JSON has the device token`() {
        let pasted = PastedDeviceToken("0x\(Self.hex)")
        #expect(!pasted.sentence.contains("00fc13"))
        #expect(
            pasted.json.hasPrefix(#"{"kind":"decorated","device-token":"\#(Self.hex)","bytes":32,"description":"#),
            "\(pasted.json)")
        #expect(PastedDeviceToken("?").json.contains(#""device-token":null,"bytes":null"#))
    }
}
