import APNSModel
import APNSPayload
import Testing

struct UnknownMemberTests {
    private func messages(_ payload: String, _ pushType: PushType? = .alert) -> [String] {
        var validator = Validator()
        let kind: Envelope.Kind = pushType == nil ? .payload : .notification
        return validator.findings(
            for: Envelope(kind: kind, pushType: pushType?.rawValue, payload: Array(payload.utf8))
        ).map { "\($0.pointer ?? "") \($0.rule): \($0.message)" }
    }

    @Test func `every unknown key is reported by one rule`() {
        let payload = """
            {"aps":{"alert":{"titel":"Hi","subTitle":"You","message":"There","category":"A"},"bagde":1,"threadId":"a",\
            "body":"b","order":1,"sound":{"critical":1,"name":"a.caf","Volume":1,\
            "repeat":2}}}
            """
        #expect(
            messages(payload) == [
                "/aps/alert/titel misspelt-key: titel is not a key of alert, so the device ignores it; did you mean title?",
                "/aps/alert/subTitle key-spelling: subTitle is ignored by the device; the key is subtitle",
                "/aps/alert/message unknown-alert-key: message is not a key of alert, so the device ignores it",
                "/aps/alert/category misplaced-key: category is in alert, where the device ignores it; move it into aps",
                "/aps/bagde misspelt-key: bagde is not a key of aps, so the device ignores it; did you mean badge?",
                "/aps/threadId key-spelling: threadId is ignored by the device; the key is thread-id",
                "/aps/body misplaced-key: body is in aps, where the device ignores it; move it into alert",
                "/aps/order unknown-aps-key: order is not a key of aps, so the device ignores it; the app's own keys belong "
                    + "beside aps",
                "/aps/sound/Volume key-spelling: Volume is ignored by the device; the key is volume",
                "/aps/sound/repeat unknown-sound-key: repeat is not a key of sound, so the device ignores it; its keys are "
                    + "critical, name and volume",
            ])
    }

    @Test func `the nearest key that is missing is suggested`() {
        let near = messages(#"{"aps":{"alert":{"title-loc-arg":["A"],"title-loc-key":"T"}}}"#)
        #expect(near.map { $0.hasSuffix("did you mean title-loc-args?") } == [true])
        let twice = messages(#"{"aps":{"alert":"Hi","alrt":"Hi"}}"#)
        #expect(twice.map { $0.contains("unknown-aps-key") } == [true])
    }

    @Test(arguments: [PushType.voip, .complication, .location, .pushtotalk, PushType(rawValue: "hologram")])
    func `any key is allowed where the system does not read aps`(pushType: PushType) {
        let found = messages(#"{"aps":{"alrt":"Hi","Badge":1,"order":1,"title":"Hi"}}"#, pushType)
        #expect(found.filter { $0.hasPrefix("/aps") } == [])
    }

    @Test func `a key is shown without control characters and found despite escapes`() {
        let found = messages(#"{"aps":{"alert":"Hi","o\u001bx":1,"\u0062agde":2}}"#)
        #expect(found.count == 2)
        #expect(found.allSatisfy { !$0.contains("\u{1B}") || !$0.contains(": ") || $0.hasPrefix("/aps/o") })
        #expect(found.contains { $0.hasSuffix("did you mean badge?") })
    }

    @Test func `an object in place of aps is found only if it contains keys of aps`() {
        #expect(messages(#"{"Aps":{"alert":"Hi"}}"#, nil).map { $0.contains("key-spelling") } == [true])
        #expect(messages(#"{"app":{"alert":"Hi"}}"#, nil).map { $0.contains("misspelt-key") } == [true])
        for payload in [#"{"app":{"name":"Agent"}}"#, #"{"app":"alert"}"#] {
            #expect(messages(payload, nil).map { $0.contains("push-does-nothing") } == [true], "\(payload)")
        }
        #expect(messages(#"{"aps":{"alert":"Hi"},"app":{"alert":"Hi"}}"#, nil).isEmpty)
    }

    @Test(arguments: [#"{"APS":{"contentAvailable":1}}"#, #"{"aPS":{"Alert":"Hi"}}"#, #"{"Aps":{"THREAD_ID":"a"}}"#])
    func `a misspelt aps is found by keys that are misspelt as well`(payload: String) {
        let name = payload.split(separator: "\"")[1]
        #expect(messages(payload, nil) == ["/\(name) key-spelling: \(name) is ignored by the device; the key is aps"])
        #expect(messages(payload).contains { $0.hasPrefix("/\(name) key-spelling") })
    }

    @Test func `a very long key is not a misspelt one`() {
        let long = String(repeating: "badge", count: 100)
        #expect(messages(#"{"aps":{"alert":"Hi","\#(long)":1}}"#).map { $0.contains("unknown-aps-key") } == [true])
    }
}
