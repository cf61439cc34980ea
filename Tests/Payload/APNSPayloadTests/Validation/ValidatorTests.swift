import APNSModel
import APNSPayload
import Testing

struct ValidatorTests {
    private func envelope(
        _ payload: String, _ pushType: PushType? = .background, priority: String? = "5"
    ) -> Envelope {
        Envelope(
            topic: "com.example.agent", pushType: pushType?.rawValue, priority: priority, payload: Array(payload.utf8))
    }

    @Test func `findings are sorted by place, and those about headers are first`() {
        var validator = Validator()
        let payload = #"{"aps":{"sound":"x","badge":1,"alert":"Hi","content-available":true}}"#
        let findings = validator.findings(for: envelope(payload, priority: "10"))
        #expect(
            findings.map(\.rule) == [
                "background-priority", "background-sound", "background-badge", "background-alert",
                "content-available-form",
            ])
        #expect(
            findings.map(\.pointer) == [
                "apns-priority", "/aps/sound", "/aps/badge", "/aps/alert", "/aps/content-available",
            ])
        #expect(findings[1].range == 8..<15)
    }

    @Test func `the first error is about a header before the payload, and never a warning`() {
        var validator = Validator()
        #expect(validator.firstError(for: envelope("[", priority: "10"))?.rule == "background-priority")
        #expect(validator.firstError(for: envelope(#"{"aps":{"content-available":true}}"#)) == nil)
        #expect(validator.firstError(for: envelope(#"{"aps":{"content-available":1}}"#)) == nil)
        #expect(
            validator.firstError(for: envelope(#"{"aps":{"content-available":"1"}}"#))?.rule
                == "background-content-available")
    }

    @Test func `an empty payload is not reported as invalid JSON too`() {
        var validator = Validator()
        #expect(validator.findings(for: envelope("")).map(\.rule) == ["payload-empty"])
        #expect(validator.findings(for: envelope(" ")).map(\.rule) == ["payload-json"])
    }

    @Test func `bytes that are not UTF-8 are found at their place`() throws {
        var validator = Validator()
        let payload = Array(#"{"aps":{"alert":"Z"#.utf8) + [0xFC] + Array(#"rich"}}"#.utf8)
        let finding = try #require(validator.findings(for: Envelope(kind: .payload, payload: payload)).first)
        #expect(finding.rule == "payload-json")
        #expect(finding.place == .text(18..<19))
        #expect(finding.message == "the payload is not JSON: these bytes are not UTF-8")
    }

    @Test func `one byte over is in the singular, and the limit itself passes`() {
        var validator = Validator()
        let frame = #"{"aps":{"alert":"Hi"},"xy":""#
        let payload = { (count: Int) in frame + String(repeating: "é", count: (count - frame.count - 2) / 2) + #""}"# }
        #expect(payload(4096).utf8.count == 4096)
        #expect(validator.findings(for: envelope(payload(4096), .alert)).isEmpty)
        let findings = validator.findings(for: envelope(payload(4096) + " ", .alert))
        #expect(
            findings.map(\.message) == [
                "the payload has 4097 bytes; push type alert may have 4096, so it is 1 byte over; largest parts: xy "
                    + "4073, aps.alert 12, white space 1"
            ])
    }

    @Test func `without a push type a payload is as much over, whether a VoIP push may have it or not`() {
        var validator = Validator()
        func messages(_ count: Int) -> [String] {
            let data = #"{"aps":{"alert":"Hi"},"x":""# + String(repeating: "x", count: count - 29) + #""}"#
            let findings = validator.findings(for: Envelope(kind: .payload, payload: Array(data.utf8)))
            return findings.map { "\($0.rule): \($0.message.split(separator: "; largest")[0])" }
        }
        let limits = "only push type voip or a broadcast may have 5120"
        #expect(
            messages(5120) == [
                "payload-fits-voip-only: the payload has 5120 bytes, and a push may have 4096, so it is 1024 bytes over; "
                    + limits
            ])
        #expect(
            messages(5121) == [
                "payload-too-large: the payload has 5121 bytes, and a push may have 4096, so it is 1025 bytes over; \(limits)"
            ])
    }

    @Test func `a payload cut anywhere has findings and does not crash`() {
        var validator = Validator()
        let payload = #"{"aps":{"content-available":1,"alert":{"title":"é"}},"type":"INTERACTION","recordIds":["x",7]}"#
        for count in 0..<payload.utf8.count {
            let cut = Envelope(kind: .notification, payload: Array(payload.utf8.prefix(count)))
            #expect(validator.findings(for: cut).contains { $0.severity == .error })
            #expect(validator.firstError(for: cut) != nil)
        }
    }

    @Test func `one rule can be checked alone`() {
        var validator = Validator()
        let wrong = envelope("", priority: "10")
        #expect(validator.finding(of: .payloadEmpty, for: wrong)?.rule == "payload-empty")
        #expect(validator.finding(of: .backgroundPriority, for: wrong)?.rule == "background-priority")
        #expect(validator.finding(of: .backgroundAlert, for: wrong) == nil)
        #expect(validator.finding(of: .payloadJSON, for: envelope("{"))?.rule == "payload-json")
        #expect(validator.finding(of: .payloadJSON, for: envelope("{}")) == nil)
        #expect(validator.finding(of: .apsObject, for: envelope("{")) == nil)
        #expect(validator.finding(of: .apsObject, for: envelope(#"{"aps":1}"#))?.pointer == "/aps")
    }

    @Test func `a notification is checked like its envelope`() throws {
        var validator = Validator()
        var notification = APNSNotification(
            to: try #require(DeviceToken("ab12")), topic: try #require(Topic("com.example.agent")),
            pushType: .background,
            priority: .powerConsiderate, payload: Array(#"{"aps":{"content-available":1}}"#.utf8))
        #expect(validator.firstError(for: notification) == nil)
        notification.priority = .immediate
        #expect(validator.firstError(for: notification)?.rule == "background-priority")
    }

    @Test func `no rule of another push type applies to an unknown one`() {
        var validator = Validator()
        let unknown = Envelope(kind: .payload, payload: Array(#"{"aps":{"content-available":1}}"#.utf8))
        #expect(validator.findings(for: unknown).isEmpty)
        let invented = envelope(
            #"{"aps":{"alert":"Hi","content-available":1}}"#, PushType(rawValue: "future"), priority: nil)
        #expect(validator.findings(for: invented).map(\.rule) == ["push-type-unknown"])
        #expect(validator.firstError(for: invented)?.rule == "push-type-unknown")
        var tolerant = Validator(allowsNewPushTypes: true)
        #expect(tolerant.firstError(for: invented) == nil && tolerant.findings(for: invented).isEmpty)
    }

    @Test(arguments: ["alert ", "Alert", "", " ", "alerts", "silent", "live-activity", "Hologram", "holo\tgram"])
    func `a typing error is no new push type`(text: String) {
        var tolerant = Validator(allowsNewPushTypes: true)
        let mistaken = envelope(#"{"aps":{}}"#, PushType(rawValue: text), priority: nil)
        #expect(tolerant.findings(for: mistaken).map(\.rule).contains("push-type-unknown"))
        #expect(tolerant.firstError(for: mistaken)?.rule == "push-type-unknown")
    }

    @Test func `the previous notification does not change the result`() {
        let good = APNSNotification(
            to: DeviceToken("ab12")!, topic: Topic("com.example.agent")!, pushType: .background,
            priority: .powerConsiderate, expiration: .once, payload: Array(#"{"aps":{"content-available":1}}"#.utf8))
        let changes: [(String?, @Sendable (inout APNSNotification) -> Void)] = [
            (nil, { $0.deviceToken = DeviceToken("cd34")! }), (nil, { $0.id = NotificationID() }),
            (nil, { $0.collapseID = CollapseID("c") }), ("background-priority", { $0.priority = .immediate }),
            ("background-alert", { $0.payload = Array(#"{"aps":{"content-available":1,"alert":"Hi"}}"#.utf8) }),
            ("payload-json", { $0.payload = Array(#"{"aps":{"content-available":1}"#.utf8) }),
            ("payload-empty", { $0.payload = [] }), (nil, { $0.pushType = .alert }),
        ]
        var validator = Validator()
        for (rule, change) in changes {
            #expect(validator.firstError(for: good) == nil)
            var changed = good
            change(&changed)
            #expect(validator.firstError(for: changed)?.rule == rule)
            #expect(validator.firstError(for: changed)?.rule == rule, "and again, when it was the previous one")
        }
    }

    @Test func `a copy of a validator is independent`() {
        var first = Validator()
        #expect(first.findings(for: envelope("[")).map(\.rule) == ["payload-json"])
        var second = first
        #expect(second.findings(for: envelope(#"{"aps":1}"#)).map(\.rule).contains("aps-object"))
        #expect(first.findings(for: envelope(#"{"aps":{"content-available":1}}"#)).isEmpty)
        #expect(second.findings(for: envelope("")).map(\.rule) == ["payload-empty"])
    }
}
