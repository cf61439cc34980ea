import APNSModel
import APNSPayload
import Foundation
import PayloadJSON
import RepositoryFiles
import Testing

@testable import PayloadGuide

/// An explanation of a text, as the command makes it.
func explained(
    _ text: String, _ pushType: PushType? = nil, name: String = "push.json"
) throws -> NotificationExplainer.Explained {
    var explainer = NotificationExplainer(pushType: pushType, now: 1_800_000_000)
    return try explainer.explain(SourceText(name: name, bytes: Array(text.utf8)))
}

extension PayloadExplanation {
    subscript(situation: DeviceSituation) -> String { device.first { $0.situation == situation }?.text ?? "" }
    var gatewayText: String { gateway.joined(separator: "\n") }
    var noteText: String { notes.joined(separator: "\n") }
}

struct PayloadExplanationTests {
    @Test func `an alert is shown whatever the app does, and does not run it`() throws {
        let alert = try explained(
            #"{"aps":{"alert":{"title":"Parcel","body":"At the door"},"sound":"default","badge":3},"parcel":7}"#
        ).explanation
        #expect(alert.pushType == .alert && alert.origin == .payload)
        #expect(alert[.foreground].contains("willPresent"))
        #expect(
            alert[.background]
                == "The system shows the title \"Parcel\", the text \"At the door\", plays the default sound and sets the badge "
                + "of the app to 3. The app does not run.")
        #expect(alert[.forceQuit].contains("launched only when the user opens"))
        #expect(alert[.lowPowerMode] == "It comes at once.")
        #expect(alert[.backgroundRefreshOff] == "It is shown as usual.")
        #expect(alert.noteText.contains(#"beside aps in userInfo: "parcel""#), "\(alert.noteText)")
    }

    @Test func `an alert with content-available wakes the app, but not one that was force-quit`() throws {
        let alert = try explained(#"{"aps":{"alert":"Hi","content-available":1,"mutable-content":1}}"#).explanation
        #expect(alert[.background].hasPrefix("The system shows the text \"Hi\". content-available wakes the app"))
        #expect(alert[.background].contains("30 s of work") && !alert[.background].contains("does not run"))
        #expect(alert[.suspended].contains("resumes the app"))
        for situation in [DeviceSituation.forceQuit, .backgroundRefreshOff] {
            #expect(alert[situation].contains("The work is not done"), "\(alert[situation])")
        }
        #expect(alert[.lowPowerMode].contains("suspends background refresh"))
        #expect(alert.noteText.contains("service extension may change it"))
    }

    @Test func `a passive alert plays no sound in any sentence`() throws {
        let passive = #""interruption-level":"passive","sound":"default""#
        let alert = try explained(#"{"aps":{"alert":"Hi",\#(passive)}}"#).explanation
        #expect(alert[.background] == "The system shows the text \"Hi\". The app does not run.")
        #expect(alert.noteText.contains("without a sound"))
        let sound = try explained(#"{"aps":{\#(passive)}}"#, .alert).explanation
        #expect(
            sound[.background]
                == "Nothing: a passive notification plays no sound, and aps has no alert text or badge.")
    }

    @Test func `an alert with a launch image alone has no text`() throws {
        let image = try explained(#"{"aps":{"alert":{"launch-image":"x"}}}"#, .alert).explanation
        #expect(
            image[.background]
                == "Nothing: aps has no alert text, badge or sound, so there is nothing to show or play.")
    }

    @Test func `a passive alert with content-available is listed, and its work is done`() throws {
        let passive = #""interruption-level":"passive","sound":"default","content-available":1"#
        let alert = try explained(#"{"aps":{"alert":"Hi",\#(passive)}}"#, .alert).explanation
        #expect(alert[.background].hasPrefix("The system shows the text \"Hi\". content-available wakes the app"))
        #expect(alert[.forceQuit].contains("opens the notification. The work is not done"), "\(alert[.forceQuit])")
        #expect(alert.noteText.contains("passive: it is listed"), "\(alert.noteText)")
    }

    @Test func `an alert that only wakes the app is neither shown nor opened in any sentence`() throws {
        for keys in [#""interruption-level":"passive","sound":"default","#, #""interruption-level":"passive","#, ""] {
            let alert = try explained(#"{"aps":{\#(keys)"content-available":1}}"#, .alert).explanation
            for situation in DeviceSituation.allCases {
                let text = alert[situation]
                #expect(text.contains("work"), "\(text)")
                for other in ["is shown", "opens", "comes at once"] { #expect(!text.contains(other), "\(text)") }
                let start = situation == .suspended ? "As in the background." : "The system shows nothing."
                #expect(text.hasPrefix(start), "\(text)")
            }
            for other in ["listed", "Nothing is shown"] {
                #expect(!alert.noteText.contains(other), "\(alert.noteText)")
            }
        }
    }

    @Test func `a badge alone cannot be opened`() throws {
        let alert = try explained(#"{"aps":{"badge":3}}"#, .alert).explanation
        #expect(alert[.forceQuit] == "As in the background.")
    }

    @Test func `a background push depends on the app and on power`() throws {
        let push = try explained(#"{"aps":{"content-available":1},"record":"7"}"#).explanation
        #expect(push.pushType == .background && push.origin == .payload)
        #expect(push[.foreground].contains("without the limits"))
        #expect(push[.background].contains("30 s"))
        #expect(push[.suspended].contains("resumes"))
        #expect(push[.forceQuit].contains("not launched"))
        #expect(push[.lowPowerMode].contains("until the mode ends"))
        #expect(push[.backgroundRefreshOff].contains("until background refresh is on"))
        #expect(push.gatewayText.contains("It needs the priority 5"))
        let wrong = try explained(#"{"aps":{"alert":"Hi"}}"#, .background).explanation
        for situation in DeviceSituation.allCases { #expect(wrong[situation].hasPrefix("Nothing:")) }
    }

    @Test func `a Live Activity is the system's, by its event`() throws {
        let state = #""timestamp":1800000000,"content-state":{"a":1}"#
        let update = try explained(#"{"aps":{"event":"update",\#(state)}}"#).explanation
        #expect(update.pushType == .liveactivity)
        #expect(update[.foreground].contains("new content-state"))
        #expect(update[.forceQuit].contains("not the app draws it"))
        #expect(update.noteText.contains("2027-01-15"), "\(update.noteText)")
        let end = try explained(#"{"aps":{"event":"end","dismissal-date":1800003600,\#(state)}}"#).explanation
        #expect(end[.background].contains("ends the Live Activity and removes it"))
        let none = try explained(#"{"aps":{\#(state)}}"#, .liveactivity).explanation
        #expect(none[.background].hasPrefix("Nothing: aps needs the event"))
        let start = try explained(
            #"{"aps":{"event":"start","attributes-type":"A","attributes":{},"input-push-token":1,\#(state)}}"#
        ).explanation
        #expect(start[.background].contains(#"attributes "A""#) && start.noteText.contains("push-to-start"))
    }

    @Test(arguments: PayloadSampleTests.samples)
    func `each push type has a sentence for each situation`(sample: PayloadSample) throws {
        let text = String(decoding: sample.payload, as: UTF8.self)
        let result = try explained(text, sample.pushType)
        #expect(result.findings.isEmpty && !result.hasError)
        #expect(result.explanation.device.map(\.situation) == DeviceSituation.allCases)
        for conduct in result.explanation.device {
            #expect(conduct.text.hasSuffix("."), "\(conduct)")
            #expect(!conduct.text.contains("not known") && !conduct.text.hasPrefix("Nothing"), "\(conduct)")
        }
        #expect(!result.explanation.gateway.isEmpty && !result.explanation.sections.isEmpty)
    }

    @Test func `the header decides about the push type, then the topic, then the keys`() throws {
        let header = try explained(
            #"{"apns-push-type":"voip","apns-topic":"a.b.push-type.widgets","payload":{"aps":{"alert":"Hi"}}}"#)
        #expect(header.explanation.pushType == .voip && header.explanation.origin == .header)
        let topic = try explained(#"{"apns-topic":"com.example.a.voip","payload":{"call":"1"}}"#).explanation
        #expect(topic.pushType == .voip && topic.origin == .topic && topic.maximumPayloadBytes == 4096)
        #expect(header.explanation.maximumPayloadBytes == 5120)
        let option = try explained(#"{"call":"1"}"#, .complication).explanation
        #expect(option.pushType == .complication && option[.foreground].contains("watch"))
        let unknown = try explained(#"{"call":"1"}"#).explanation
        #expect(unknown.pushType == nil && unknown.summary.hasPrefix("push type unknown"))
        #expect(unknown[.background].contains("depends on the push type"))
    }

    @Test func `of a push type that is not documented nothing is said but that`() throws {
        let document = try JSONDocument(Array(#"{"aps":{"alert":"Hi"}}"#.utf8))
        let conduct = DeviceConduct(
            PayloadGuide.PayloadFacts(document), PushType(rawValue: "hologram"), priority: nil, isRefused: false)
        let said = Set(DeviceSituation.allCases.map { conduct.text(in: $0) })
        #expect(said == ["This push type is not documented, so what the device does is not known."])
    }

    @Test(arguments: [
        (#""apns-push-type":"alret""#, "InvalidPushType (400)"),
        (#""apns-push-type":"alert","apns-topic":"com.x.voip""#, "InvalidPushType (400)"),
        (#""apns-push-type":"voip","apns-topic":"com.x""#, "DeviceTokenNotForTopic (400)"),
        (
            #""apns-push-type":"alert","apns-collapse-id":"\#(String(repeating: "x", count: 70))""#,
            "BadCollapseId (400)"
        ),
        (#""apns-push-type":"alert","apns-id":"x""#, "BadMessageId (400)"),
        (#""apns-push-type":"alert","apns-priority":7"#, "BadPriority (400)"),
        (#""apns-push-type":"alert","apns-expiration":"1h""#, "BadExpirationDate (400)"),
        (#""apns-push-type":"alert","apns-priority":7,"apns-id":"x""#, "BadPriority (400) or BadMessageId (400)"),
    ])
    func `of a notification that APNs refuses no storage or delivery is said`(headers: String, reasons: String) throws {
        let result = try explained(#"{\#(headers),"payload":{"aps":{"alert":"Hi"}}}"#)
        let push = result.explanation
        let refusals = Set(reasons.components(separatedBy: " or "))
        let said = try #require(push.gateway.first)
        #expect(said.hasPrefix("APNs refuses it: ") && said.hasSuffix("."), "\(said)")
        #expect(Set(said.dropFirst(17).dropLast().components(separatedBy: " or ")) == refusals, "\(said)")
        let rest = push.gateway.dropFirst().joined(separator: "\n")
        for other in ["refuse", "stores", "replaces", "answer", "at once"] { #expect(!rest.contains(other), "\(rest)") }
        #expect(Set(push.device.map(\.text)) == ["Nothing arrives, because APNs refuses it."])
        #expect(push.notes.isEmpty && !result.findings.isEmpty)
    }

    @Test func `what a refused notification needs is said beside the reason`() throws {
        let voip = try explained(
            #"{"apns-push-type":"voip","apns-topic":"com.x","apns-priority":7,"apns-expiration":"1h","payload":{"call":"1"}}"#
        ).explanation
        for needed in ["does not end with .voip", "the priorities 10, 5 and 1", "whole seconds since 1970"] {
            #expect(voip.gatewayText.contains(needed), "\(voip.gatewayText)")
        }
    }

    @Test(arguments: [
        (1_700_000_000, "2023-11-14T22:13:20Z is past: one attempt"), (1_800_000_000, "is past: one attempt"),
        (1_800_000_001, "until 2027-01-15"),
    ])
    func `an expiration in the past is one attempt, and nothing is stored`(expiration: Int, says: String) throws {
        let push = try explained(
            #"{"apns-push-type":"alert","apns-topic":"com.x","apns-expiration":\#(expiration),"payload":{"aps":{"alert":"x"}}}"#
        ).explanation
        #expect(push.gatewayText.contains(says), "\(push.gatewayText)")
        #expect(push.gatewayText.contains("stores") == says.hasPrefix("until"), "\(push.gatewayText)")
    }

    @Test func `content-changed does not tell controls from widgets`() throws {
        let push = try explained(#"{"aps":{"content-changed":true}}"#).explanation
        #expect(push.pushType == nil && push.origin == .unknown)
        #expect(push[.background].contains("with controls or widgets"), "\(push[.background])")
    }

    @Test(arguments: [
        ("10", "0", "at once", "one attempt"), ("5", "1800003600", "group it", "until 2027-01-15"),
        ("1", "1800003600", "does not wake", "at most 30 days"),
    ])
    func `priority and expiration say how APNs treats it`(
        priority: String, expiration: String, first: String, second: String
    ) throws {
        let text =
            #"{"apns-push-type":"alert","apns-priority":\#(priority),"apns-expiration":\#(expiration),"#
            + #""apns-collapse-id":"c","payload":{"aps":{"alert":"Hi"}}}"#
        let explanation = try explained(text).explanation
        #expect(explanation.gatewayText.contains(first), "\(explanation.gatewayText)")
        #expect(explanation.gatewayText.contains(second), "\(explanation.gatewayText)")
        #expect(explanation.gatewayText.contains(#"collapse id "c""#))
    }

    @Test func `a payload that is too large, and a broadcast, are named`() throws {
        let long = try explained(#"{"aps":{"alert":"\#(String(repeating: "x", count: 5000))"}}"#)
        #expect(long.hasError && long.explanation.gatewayText.contains("PayloadTooLarge"))
        let broadcast = try explained(
            #"{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"liveactivity","payload":{"aps":{"event":"update"}}}"#
        )
        #expect(broadcast.explanation.gatewayText.contains("channel"))
        #expect(broadcast.explanation.gatewayText.contains("no default is documented for a broadcast"))
        #expect(!broadcast.explanation.gatewayText.contains("APNs takes 10"))
        #expect(broadcast.explanation.maximumPayloadBytes == 5120)
    }

    @Test func `situations with the same text share a line`() throws {
        let widgets = try explained(#"{"aps":{"content-changed":true}}"#, .widgets).explanation
        let device = widgets.sections.first { $0.title == "Device" }
        #expect(
            device?.lines.map(\.label) == [
                "foreground", "background, suspended, force-quit", "low power mode", "background refresh off",
            ])
    }

    @Test func `findings come along, and JSON has everything`() throws {
        let result = try explained(#"{"aps":{"alert":"Hi","badge":"1"}}"#, .alert)
        #expect(result.hasError && result.findings.contains { $0.rule == "aps-key-type" }, "\(result.findings)")
        let json = try JSONDocument(Array(result.json(file: "a.json", line: 4).utf8))
        let keys = json.members(of: .root).compactMap { json.string(of: $0.key) }
        #expect(
            keys == [
                "file", "line", "push-type", "push-type-from", "payload-bytes", "maximum-payload-bytes", "gateway",
                "device",
                "notes", "findings",
            ])
    }

    @Test func `text that is not JSON has its place in the file`() throws {
        let error = #expect(throws: JSONSyntaxError.self) { try explained("{\"aps\":{}\n,}") }
        #expect(error?.offset == 11 || error?.offset == 10, "\(String(describing: error))")
    }

    @Test func `every sample of the repository is explained without an end`() throws {
        for name in ["alert-test.json", "background-simulator.apns", "broadcast-end.json", "complication-weather.json"]
        {
            let text = try String(contentsOf: Repository.url("payloads/pass/\(name)"), encoding: .utf8)
            let result = try explained(text, name: name)
            #expect(!result.explanation.device.isEmpty)
        }
    }
}
