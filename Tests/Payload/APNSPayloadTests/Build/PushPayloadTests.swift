import APNSModel
import APNSPayload
import Foundation
import TestSeeds
import Testing

struct PushPayloadTests {
    private func text(_ payload: some PushPayload) -> String { String(decoding: payload.encoded(), as: UTF8.self) }

    @Test(arguments: 0..<RandomPushes.kinds, TestSeed.all(1...10))
    func `no rule finds anything in a built payload`(kind: Int, seed: TestSeed) {
        var pushes = RandomPushes(seed: seed)
        var validator = Validator()
        for _ in 0..<20 {
            let push = pushes.next(kind)
            let findings = push.findings(with: &validator)
            #expect(findings.isEmpty, "\(String(decoding: push.encoded(), as: UTF8.self)): \(findings)")
        }
    }

    @Test(arguments: 0..<RandomPushes.kinds, TestSeed.all(1...5))
    func `a built payload is compact JSON with a fixed order of keys`(kind: Int, seed: TestSeed) throws {
        var pushes = RandomPushes(seed: seed)
        for _ in 0..<10 {
            let bytes = pushes.next(kind).encoded()
            #expect(try JSONSerialization.jsonObject(with: Data(bytes)) is [String: Any])
            // Reading and writing sorts every key, so only the order of Apple's keys can differ.
            let again = try PayloadValue(json: bytes).encoded()
            #expect(again.sorted() == bytes.sorted())
        }
    }

    @Test func `every push type has a payload type`() {
        var pushes = RandomPushes(seed: TestSeed(1))
        let types = (0..<RandomPushes.kinds).map { type(of: pushes.next($0)).pushType }
        #expect(Set(types) == Set(PushType.known))
    }

    @Test func `keys of aps and of an alert are in the order of the table`() throws {
        var push = AlertPush(
            Alert(
                title: .localized("T", ["1"]), subtitle: .localized("S", ["2"]), body: .localized("B", ["3"]),
                launchImage: "i", mutableContent: true),
            badge: 1, sound: .critical("a.caf", volume: 0.5), custom: ["z": 1, "a": 2, "é": 3, "B": 4])
        push.threadID = "t"
        push.category = "c"
        push.contentAvailable = true
        push.targetContentID = "w"
        push.interruptionLevel = .critical
        push.relevanceScore = 1
        push.filterCriteria = "f"
        #expect(
            text(push)
                == #"{"aps":{"alert":{"launch-image":"i","title-loc-key":"T","title-loc-args":["1"],"#
                + #""subtitle-loc-key":"S","subtitle-loc-args":["2"],"loc-key":"B","loc-args":["3"]},"#
                + #""badge":1,"sound":{"critical":1,"name":"a.caf","volume":0.5},"thread-id":"t","category":"c","#
                + #""content-available":1,"mutable-content":1,"target-content-id":"w","#
                + #""interruption-level":"critical","relevance-score":1,"filter-criteria":"f"},"#
                + #""B":4,"a":2,"z":1,"é":3}"#)
        let aps = PayloadKey.all(in: .aps).map(\.name)
        let written = aps.filter { text(push).contains("\"\($0)\":") }
        let places = written.compactMap { text(push).range(of: "\"\($0)\":")?.lowerBound }
        #expect(written.count == 11)
        #expect(places == places.sorted())
    }

    @Test func `an alert is escaped only where it must be`() {
        #expect(text(AlertPush("Hi")) == #"{"aps":{"alert":"Hi"}}"#)
        #expect(
            text(AlertPush(Alert(title: "T", body: "a\"\\\n\u{1}é/")))
                == #"{"aps":{"alert":{"title":"T","body":"a\"\\\n\u0001é/"}}}"#)
    }

    @Test func `a push without text has a badge or a sound`() {
        #expect(text(AlertPush(badge: 0)) == #"{"aps":{"badge":0}}"#)
        #expect(text(AlertPush(sound: .file("bell.caf"))) == #"{"aps":{"sound":"bell.caf"}}"#)
    }

    @Test func `the start of a Live Activity has all required keys`() throws {
        let channel = try #require(ChannelID("mUIqAGdpEfCQjwAAajWZ/w=="))
        let start = LiveActivityStart(
            at: 1_767_225_600, attributesType: "MatchAttributes", attributes: ["home": "Bern"],
            contentState: ["goals": 0],
            alert: LiveActivityAlert(
                title: .localized("KICK_OFF"), body: .localized("TEAMS", ["Bern", "Basel"]), sound: "default"),
            staleDate: 1_767_229_200, relevanceScore: 75, updates: .byChannel(channel))
        #expect(
            text(start)
                == #"{"aps":{"alert":{"title":{"loc-key":"KICK_OFF"},"body":{"loc-key":"TEAMS","#
                + #""loc-args":["Bern","Basel"]},"sound":"default"},"relevance-score":75.0,"stale-date":1767229200,"#
                + #""content-state":{"goals":0},"timestamp":1767225600,"event":"start","#
                + #""attributes-type":"MatchAttributes","attributes":{"home":"Bern"},"#
                + #""input-push-channel":"mUIqAGdpEfCQjwAAajWZ/w=="}}"#)
    }

    @Test func `a Live Activity that ends at once is dismissed in the past`() {
        let end = LiveActivityEnd(at: 1_767_225_600, contentState: [:], dismissal: .atOnce)
        #expect(
            text(end)
                == #"{"aps":{"content-state":{},"timestamp":1767225600,"event":"end","dismissal-date":1767225600}}"#)
    }

    @Test func `the other push types have the keys of their frameworks`() {
        #expect(text(VoIPPush(["call": 4])) == #"{"call":4}"#)
        #expect(text(ComplicationPush(["steps": 8421])) == #"{"steps":8421}"#)
        #expect(text(LocationPush()) == #"{"aps":{}}"#)
        #expect(text(PushToTalkPush(["speaker": "Anna"])) == #"{"aps":{},"speaker":"Anna"}"#)
        #expect(
            text(FileProviderPush(.workingSet, domain: "d"))
                == #"{"container-identifier":"NSFileProviderWorkingSetContainerItemIdentifier","domain":"d"}"#)
        #expect(text(MDMPush(pushMagic: "M")) == #"{"mdm":"M"}"#)
        #expect(text(WidgetsPush()) == #"{"aps":{"content-changed":true}}"#)
        #expect(text(ControlsPush()) == #"{"aps":{"content-changed":true}}"#)
        #expect(
            text(WebsitePush(title: "T", body: "B", action: "View", urlArguments: ["a"]))
                == #"{"aps":{"alert":{"title":"T","body":"B","action":"View"},"url-args":["a"]}}"#)
    }

    @Test func `remaining bytes count down to the limit and below`() {
        let frame = AlertPush("").encoded().count
        #expect(AlertPush(Alert(.plain(String(repeating: "x", count: 4096 - frame)))).remainingBytes == 0)
        let over = AlertPush(Alert(.plain(String(repeating: "x", count: 4097 - frame))))
        #expect(over.remainingBytes == -1)
        #expect(over.remainingBytes(for: .voip) == 1023)
        #expect(over.findings().map(\.rule) == ["payload-too-large"])
        #expect(VoIPPush(["a": "b"]).remainingBytes == 5120 - 9)
        let update = LiveActivityUpdate(at: 1_767_225_600, contentState: [:])
        #expect(update.remainingBroadcastBytes == update.remainingBytes + 1024)
    }

    @Test func `headers are those that the push type needs`() throws {
        let token = try #require(DeviceToken("ab12"))
        let app = try #require(Topic("com.example.agent"))
        let silent = APNSNotification(BackgroundPush(), to: token, of: app)
        #expect(silent.topic == app && silent.pushType == .background)
        #expect(silent.priority == .powerConsiderate && silent.expiration == nil)
        let call = APNSNotification(VoIPPush(["call": 4]), to: token, of: app)
        #expect(call.topic.value == "com.example.agent.voip")
        #expect(call.priority == .immediate && call.expiration == .once)
        let alert = APNSNotification(AlertPush("Hi"), to: token, of: app, priority: .low)
        #expect(alert.priority == .low && alert.payload == AlertPush("Hi").encoded())
        var validator = Validator()
        for notification in [silent, call, alert] {
            #expect(validator.findings(for: Envelope(notification)).isEmpty)
        }
    }
}
