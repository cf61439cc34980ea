import APNSModel
import APNSPayload
import Testing

@testable import PayloadGuide

struct ExpoMessageTests {
    private static let token = String(repeating: "ab", count: 32)

    @Test func `each key has its place in the envelope`() throws {
        let made = try Converted(
            #"""
            {"to": "ExponentPushToken[x]", "title": "Visit", "subtitle": "Today", "body": "14:30", "sound": "default",
             "badge": 1, "data": {"visit": 7}, "ttl": 3600, "priority": "normal", "categoryId": "visit",
             "mutableContent": true, "interruptionLevel": "passive", "_contentAvailable": true}
            """#, app: "com.example.agent")
        #expect(
            made.lines == [
                #"{"apns-topic":"com.example.agent","apns-push-type":"alert","apns-priority":5,"apns-expiration":1800003600,"#
                    + #""payload":{"aps":{"alert":{"title":"Visit","subtitle":"Today","body":"14:30"},"#
                    + #""sound":"default","badge":1,"category":"visit","mutable-content":1,"#
                    + #""interruption-level":"passive","content-available":1},"body":{"visit":7}}}"#
            ])
        #expect(made.notes == ["lost /to", "changed /data", "changed /ttl"])
        #expect(made.findings.isEmpty, "\(made.findings)")
    }

    @Test func `a text that is not a string is lost, and said to be`() throws {
        let made = try Converted(#"{"to":"\#(Self.token)","title":"A","subtitle":["B"],"body":7}"#)
        #expect(made.lines.first?.contains(#""alert":{"title":"A"}"#) == true, "\(made.lines)")
        #expect(made.notes == ["lost /subtitle", "lost /body"])
        #expect(made.findings.isEmpty, "\(made.findings)")
    }

    @Test func `keys keep the order of the body`() throws {
        let made = try Converted(#"{"data":{"a":1},"badge":2,"body":"B","sound":"default","title":"A"}"#, from: .expo)
        #expect(
            made.lines.first?.hasSuffix(
                #""payload":{"body":{"a":1},"aps":{"badge":2,"alert":{"body":"B","title":"A"},"sound":"default"}}}"#)
                == true, "\(made.lines)")
    }

    @Test func `an empty text is lost, and said to be`() throws {
        let made = try Converted(#"{"to":"\#(Self.token)","title":"","subtitle":"","body":"B"}"#)
        #expect(made.lines.first?.contains(#""aps":{"alert":{"body":"B"}}"#) == true, "\(made.lines)")
        #expect(made.notes == ["lost /title", "lost /subtitle"])
        let none = try Converted(#"{"to":"\#(Self.token)","title":"","badge":1}"#)
        #expect(none.lines.first?.contains(#""payload":{"aps":{"badge":1}}"#) == true, "\(none.lines)")
    }

    @Test func `there is an envelope for each device token, and one without if there is none`() throws {
        let other = String(repeating: "cd", count: 32)
        let made = try Converted(#"{"to":["\#(Self.token)","ExpoPushToken[x]","\#(other)"],"body":"A"}"#)
        #expect(made.lines.count == 2 && made.lines[0].contains(Self.token) && made.lines[1].contains(other))
        #expect(made.notes == ["lost /to/1"])
        #expect(made.texts.contains("push token of Expo"))
    }

    @Test func `an array has several messages, with the places of each`() throws {
        let made = try Converted(
            #"[{"to":"\#(Self.token)","title":"A","channelId":"x"},{"to":"\#(Self.token)","title":"B","icon":"y","ttl":0}]"#
        )
        #expect(made.lines.count == 2 && made.lines[1].contains(#""apns-expiration":0"#))
        #expect(made.notes == ["lost /0/channelId", "lost /1/icon"])
    }

    @Test func `a message of an array that cannot be read does not stop the others`() throws {
        let made = try Converted(
            #"[{"to":"\#(Self.token)","title":"A"},5,{"to":"\#(Self.token)","title":"B"},{"x":1}]"#)
        #expect(made.lines.count == 2 && made.lines[1].contains(#""title":"B""#), "\(made.lines)")
        #expect(made.failures.count == 2, "\(made.failures)")
        #expect(made.failures.first == "87 a body is a JSON object", "\(made.failures)")
    }

    @Test func `a value of another kind than Expo takes is lost, and said to be`() throws {
        let made = try Converted(
            #"""
            {"to":[5,"\#(Self.token)"],"title":"A","_contentAvailable":"yes","mutableContent":0,"collapseId":[],
             "expiration":true}
            """#)
        #expect(made.notes == ["lost /to/0", "lost /_contentAvailable", "lost /collapseId", "lost /expiration"])
        #expect(
            made.lines == [
                #"{"token":"\#(Self.token)","apns-push-type":"alert","payload":{"aps":{"alert":{"title":"A"}}}}"#
            ])
    }

    @Test func `a critical sound is an object as APNs wants it`() throws {
        let made = try Converted(#"{"to":"x","title":"A","sound":{"critical":true,"volume":0.5}}"#)
        #expect(made.lines.first?.contains(#""sound":{"critical":1,"volume":0.5,"name":"default"}"#) == true)
        #expect(made.findings.isEmpty, "\(made.findings)")
    }

    @Test func `ttl wins over expiration, and a priority that Expo does not know is lost`() throws {
        let made = try Converted(#"{"to":"x","title":"A","ttl":60,"expiration":1800009999,"priority":"urgent"}"#)
        #expect(made.lines.first?.contains(#""apns-expiration":1800000060"#) == true, "\(made.lines)")
        #expect(made.notes == ["lost /to", "changed /ttl", "lost /expiration", "lost /priority"])
        let time = try Converted(#"{"to":"x","title":"A","expiration":1800009999,"sound":null}"#)
        #expect(time.lines.first?.contains(#""apns-expiration":1800009999"#) == true, "\(time.lines)")
    }

    @Test func `expiration counts where ttl cannot be used`() throws {
        for ttl in ["-5", "1.5", #""60""#, "null"] {
            let made = try Converted(#"{"to":"\#(Self.token)","title":"A","expiration":1798761600,"ttl":\#(ttl)}"#)
            #expect(made.lines.first?.contains(#""apns-expiration":1798761600"#) == true, "\(made.lines)")
            #expect(made.notes == (ttl == "null" ? [] : ["lost /ttl"]))
        }
    }

    @Test func `of a repeated key the last value counts, and the others are lost`() throws {
        let made = try Converted(
            #"{"to":"\#(Self.token)","title":"A","title":"B","sound":{"name":"a","name":"b"},"ttl":60,"ttl":90}"#)
        #expect(
            made.lines == [
                #"{"token":"\#(Self.token)","apns-push-type":"alert","apns-expiration":1800000090,"#
                    + #""payload":{"aps":{"alert":{"title":"B"},"sound":{"name":"b"}}}}"#
            ])
        #expect(made.notes == ["lost /title", "lost /ttl", "lost /sound/name", "changed /ttl"])
    }

    @Test func `--from with the other service is refused with what the body is`() throws {
        for (body, format, says) in [
            (#"[{"to":"ExponentPushToken[x]","title":"A","data":{"k":1}}]"#, BodyFormat.firebase, "a body of Expo"),
            (#"[{"message":{"notification":{"title":"A"}}}]"#, BodyFormat.expo, "a body of Firebase HTTP v1"),
        ] {
            let made = try Converted(body, from: format)
            #expect(made.lines.isEmpty && made.notes.isEmpty)
            #expect(made.failures.first?.contains(says) == true, "\(made.failures)")
        }
    }

    @Test func `--from names what is not recognized`() throws {
        let made = try Converted(#"{"title":"A","body":"B"}"#, from: .expo)
        #expect(made.lines == [#"{"apns-push-type":"alert","payload":{"aps":{"alert":{"title":"A","body":"B"}}}}"#])
    }
}
