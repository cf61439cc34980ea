import APNSModel
import APNSPayload
import Testing

struct EnvelopeTests {
    private var whole: Envelope {
        Envelope(
            kind: .envelope, token: "AB12", topic: "com.example.agent", pushType: "background", priority: "5",
            expiration: "0", collapseID: "acct-001", apnsID: "9D1F0A3C-0000-4000-8000-000000000001",
            payload: Array("{}".utf8))
    }

    @Test func `an envelope with every header becomes a notification, and back`() throws {
        let notification = try whole.notification()
        #expect(notification.deviceToken.hex == "ab12")
        #expect(notification.pushType == .background)
        #expect(notification.priority == .powerConsiderate)
        #expect(notification.expiration == .once)
        var back = whole
        back.kind = .notification
        back.token = "ab12"
        #expect(Envelope(notification) == back)
    }

    @Test func `defaults are used for absent headers only`() throws {
        let defaults = EnvelopeDefaults(
            deviceToken: DeviceToken("cd34"), topic: Topic("com.example.other"), pushType: .alert, priority: .immediate,
            expiration: Expiration(secondsSince1970: 7), collapseID: CollapseID("x"))
        let bare = try Envelope(kind: .payload, payload: []).notification(defaults: defaults)
        #expect(bare.topic.value == "com.example.other")
        #expect(bare.priority == .immediate)
        #expect(bare.expiration?.secondsSince1970 == 7)
        #expect(try whole.notification(defaults: defaults) == whole.notification())
    }

    @Test(arguments: [
        (
            ["token": "xyz0123456789"],
            #"token is "xyz0…6789"; it must be an even number of hexadecimal digits; this one has "x" at character 1, which is not a hexadecimal digit"#
        ),
        (["topic": "a b"], #"apns-topic is "a b"; it must be a bundle id, with a suffix for some push types"#),
        (["pushType": ""], #"apns-push-type is ""; it must be a push type such as alert or background"#),
        (["priority": "7"], #"apns-priority is "7"; it must be 1, 5 or 10"#),
        (["expiration": "-1"], #"apns-expiration is "-1"; it must be whole seconds since 1970, or 0"#),
        (["apnsID": "1"], #"apns-id is "1"; it must be a UUID in the form 8-4-4-4-12"#),
        (
            ["collapseID": ""],
            #"apns-collapse-id is ""; it must be 1 to 64 bytes without control characters, and no white space at its ends"#
        ),
    ])
    func `a value that cannot be sent is reported with its key`(changes: [String: String], message: String) {
        let envelope = Envelope(
            kind: .envelope, token: changes["token"] ?? whole.token, topic: changes["topic"] ?? whole.topic,
            pushType: changes["pushType"] ?? whole.pushType, priority: changes["priority"],
            expiration: changes["expiration"], collapseID: changes["collapseID"], apnsID: changes["apnsID"], payload: []
        )
        let error = #expect(throws: EnvelopeError.self) { try envelope.notification() }
        #expect(error?.description == message)
    }

    @Test(arguments: ["alert\r\nx: y", " alert", "alert\t"])
    func `a push type that no header can carry is refused`(pushType: String) {
        let envelope = Envelope(token: whole.token, topic: whole.topic, pushType: pushType, payload: [])
        let error = #expect(throws: EnvelopeError.self) { try envelope.notification() }
        #expect(error?.key == "apns-push-type")
    }

    @Test func `a missing device token is reported`() {
        let error = #expect(throws: EnvelopeError.self) { try Envelope(payload: []).notification() }
        #expect(error?.key == "token")
    }
}
