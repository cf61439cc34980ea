import APNSModel
import APNSPayload
import Testing

@testable import PayloadGuide

struct FirebaseMessageTests {
    private static let token = String(repeating: "ab", count: 32)

    @Test func `notification and data become an alert with custom keys`() throws {
        let made = try Converted(
            #"""
            {"message": {"token": "d0x:APA91bHun4", "notification": {"title": "Visit", "body": "14:30"},
             "data": {"visit": "7"}}}
            """#, app: "com.example.agent")
        #expect(
            made.lines == [
                #"{"apns-topic":"com.example.agent","apns-push-type":"alert","payload":{"aps":{"alert":{"title":"Visit","body":"14:30"}},"visit":"7"}}"#
            ])
        #expect(made.notes == ["lost /message/token"])
        #expect(made.texts.contains("registration token of Firebase") && made.texts.contains("--token"))
        #expect(made.findings.isEmpty, "\(made.findings)")
    }

    @Test func `apns.payload wins, and its headers are kept`() throws {
        let made = try Converted(
            #"""
            {"message": {"topic": "news", "notification": {"title": "A", "image": "https://x"}, "data": {"k": "1", "aps": "x"},
             "android": {"ttl": "60s"}, "webpush": {}, "fcm_options": {"analytics_label": "l"},
             "apns": {"headers": {"apns-priority": "5", "apns-collapse-id": "c", "apns-expiration": "1800003600", "x-own": "1"},
                      "payload": {"aps": {"alert": {"title": "B"}, "badge": 2}, "k": "2"},
                      "fcm_options": {"image": "https://y"}}}, "validate_only": true}
            """#)
        #expect(
            made.lines == [
                #"{"apns-push-type":"alert","apns-priority":5,"apns-expiration":1800003600,"apns-collapse-id":"c","payload":{"aps":{"alert":{"title":"B"},"badge":2},"k":"2"}}"#
            ])
        #expect(
            made.notes.sorted() == [
                "lost /message/android", "lost /message/apns/fcm_options/image", "lost /message/apns/headers/x-own",
                "lost /message/data/aps", "lost /message/data/k", "lost /message/fcm_options",
                "lost /message/notification/image", "lost /message/notification/title", "lost /message/topic",
                "lost /message/webpush", "lost /validate_only",
            ])
        #expect(made.findings.isEmpty, "\(made.findings)")
    }

    @Test func `data alone becomes a background push, and that is said`() throws {
        let made = try Converted(#"{"message":{"token":"\#(Self.token)","data":{"record":"7"}}}"#, app: "com.example.a")
        #expect(
            made.lines == [
                #"{"token":"\#(Self.token)","apns-topic":"com.example.a","apns-push-type":"background","apns-priority":5,"payload":{"aps":{"content-available":1},"record":"7"}}"#
            ])
        #expect(made.notes == ["added /message"])
        #expect(made.findings.isEmpty, "\(made.findings)")
    }

    @Test func `a title that is not a string is lost, and said to be`() throws {
        let made = try Converted(#"{"message":{"notification":{"title":7,"body":"At the door"}}}"#)
        #expect(
            made.lines == [#"{"apns-push-type":"alert","payload":{"aps":{"alert":{"body":"At the door"}}}}"#])
        #expect(made.notes == ["lost /message/notification/title"])
        #expect(made.texts == "title has to be a string" && made.findings.isEmpty)
    }

    @Test(arguments: [
        (
            #"{"notification":{"body":"B","title":"A"},"apns":{"payload":{"aps":{"sound":"default"}}}}"#,
            #"{"aps":{"alert":{"body":"B","title":"A"},"sound":"default"}}"#
        ),
        (
            #"{"apns":{"payload":{"k":"1","aps":{"badge":2},"l":"3"}},"notification":{"title":"A"},"data":{"d":"4"}}"#,
            #"{"k":"1","aps":{"badge":2,"alert":{"title":"A"}},"l":"3","d":"4"}"#
        ),
        (#"{"data":{"k":"1"},"notification":{"title":"A"}}"#, #"{"k":"1","aps":{"alert":{"title":"A"}}}"#),
        (
            #"{"notification":{"title":"A"},"apns":{"payload":{"k":"1","aps":{"alert":"B"}}}}"#,
            #"{"k":"1","aps":{"alert":"B"}}"#
        ),
        (#"{"data":{"k":"1"}}"#, #"{"aps":{"content-available":1},"k":"1"}"#),
    ])
    func `keys keep the order of the body`(message: String, payload: String) throws {
        let made = try Converted(#"{"message":\#(message)}"#)
        #expect(made.lines.first?.hasSuffix(#""payload":\#(payload)}"#) == true, "\(made.lines)")
    }

    @Test func `an empty title is lost, and said to be; one of apns.payload is kept`() throws {
        let made = try Converted(#"{"message":{"notification":{"title":"","body":"B"}}}"#)
        #expect(made.lines == [#"{"apns-push-type":"alert","payload":{"aps":{"alert":{"body":"B"}}}}"#])
        #expect(made.notes == ["lost /message/notification/title"])
        #expect(made.texts == "it is empty, so it shows nothing")
        let none = try Converted(#"{"message":{"notification":{"title":"","body":""}}}"#)
        #expect(none.notes.last == "added /message" && none.notes.count == 3, "\(none.notes)")
        let own = try Converted(#"{"message":{"apns":{"payload":{"aps":{"alert":{"title":"","body":"B"}}}}}}"#)
        #expect(own.lines.first?.contains(#""title":"","body":"B""#) == true && own.notes.isEmpty, "\(own.lines)")
    }

    @Test func `a part of another kind than Firebase takes is lost, and said to be`() throws {
        for (body, lost) in [
            (#"{"notification":"x"}"#, "/message/notification"), (#"{"data":["x"]}"#, "/message/data"),
            (#"{"apns":"x"}"#, "/message/apns"), (#"{"apns":{"payload":[1]}}"#, "/message/apns/payload"),
            (#"{"apns":{"payload":{"aps":"x"}}}"#, "/message/apns/payload/aps"),
            (#"{"apns":{"headers":"x"}}"#, "/message/apns/headers"),
            (#"{"apns":{"headers":{"apns-priority":true}}}"#, "/message/apns/headers/apns-priority"),
            (#"{"apns":{"fcm_options":"x"}}"#, "/message/apns/fcm_options"),
            (#"{"apns":{"live_activity_token":5}}"#, "/message/apns/live_activity_token"),
            (#"{"token":5}"#, "/message/token"),
        ] {
            let made = try Converted(#"{"message":\#(body)}"#)
            #expect(made.notes == ["lost \(lost)", "added /message"], "\(body)")
        }
    }

    @Test func `of a repeated key the last value counts, and the others are lost`() throws {
        let made = try Converted(
            #"""
            {"message":{"notification":{"title":"a","title":"b"},"notification":{"title":"c","title":"d"},
             "data":{"k":null,"k":"1","k":"2","l":"3","l":null},"apns":{"headers":{"apns-priority":10,"apns-priority":5},
             "payload":{"aps":{"badge":1,"badge":2},"own":{"x":1,"x":2}}}}}
            """#)
        #expect(
            made.lines == [
                #"{"apns-push-type":"alert","apns-priority":5,"payload":{"aps":{"alert":{"title":"d"},"badge":2},"#
                    + #""k":"2","own":{"x":1,"x":2}}}"#
            ])
        #expect(
            made.notes == [
                "lost /message/notification", "lost /message/notification/title", "lost /message/data/k",
                "lost /message/data/l", "lost /message/apns/payload/aps/badge",
                "lost /message/apns/headers/apns-priority",
            ])
        #expect(made.texts.contains("the key is repeated"))
    }

    @Test func `content-changed does not tell the push type, and that is said`() throws {
        let made = try Converted(#"{"message":{"apns":{"payload":{"aps":{"content-changed":true}}}}}"#)
        #expect(made.lines == [#"{"payload":{"aps":{"content-changed":true}}}"#])
        #expect(made.notes == ["changed /message"] && made.texts.contains("controls and for widgets"))
    }

    @Test func `a message of Firebase's former API is not taken for one of Expo`() throws {
        let made = try Converted(#"{"to":"d0x:APA91bHun4","data":{"k":"1"}}"#, from: .firebase)
        #expect(made.lines.first?.contains(#""k":"1""#) == true && made.notes.contains("lost /to"), "\(made.notes)")
    }

    @Test func `an alert and a device token that are null are absent`() throws {
        let made = try Converted(
            #"""
            {"message":{"token":"\#(Self.token)","notification":{"title":"A"},
             "apns":{"live_activity_token":null,"payload":{"aps":{"alert":null}}}}}
            """#)
        #expect(
            made.lines == [
                #"{"token":"\#(Self.token)","apns-push-type":"alert","payload":{"aps":{"alert":{"title":"A"}}}}"#
            ])
        #expect(made.notes.isEmpty, "\(made.notes)")
    }

    @Test func `the header apns-topic wins over the app`() throws {
        let made = try Converted(
            #"{"message":{"notification":{"title":"A"},"apns":{"headers":{"apns-topic":"com.example.b"}}}}"#,
            app: "com.example.a")
        #expect(made.lines.first?.contains(#""apns-topic":"com.example.b""#) == true, "\(made.lines)")
    }

    @Test func `a faulty alert of apns.payload stays an alert, for the validator to report it`() throws {
        let made = try Converted(#"{"message":{"apns":{"payload":{"aps":{"alert":{"title":7}}}}}}"#)
        #expect(made.lines == [#"{"apns-push-type":"alert","payload":{"aps":{"alert":{"title":7}}}}"#])
        #expect(made.notes.isEmpty && made.findings.contains("alert-key-type"), "\(made.findings)")
    }

    @Test func `a background push gets the priority 5`() throws {
        let made = try Converted(
            #"""
            {"message":{"condition":"'a' in topics","apns":{"headers":{"apns-priority":"10"},
             "payload":{"aps":{"content-available":1}}}}}
            """#)
        #expect(made.lines.first?.contains(#""apns-priority":5"#) == true, "\(made.lines)")
        #expect(made.notes.contains("changed /message") && made.notes.contains("lost /message/condition"))
    }

    @Test func `the device token of a Live Activity is one, and its topic gets the suffix`() throws {
        let made = try Converted(
            #"""
            {"message":{"token":"d0x:APA91bHun4","apns":{"live_activity_token":"\#(Self.token)",
             "payload":{"aps":{"timestamp":1800000000,"event":"update","content-state":{"a":1}}}}}}
            """#, app: "com.example.agent")
        #expect(
            made.lines.first?.hasPrefix(
                #"{"token":"\#(Self.token)","apns-topic":"com.example.agent.push-type.liveactivity","apns-push-type":"liveactivity","#
            ) == true, "\(made.lines)")
        #expect(made.notes == ["lost /message/token"])
        #expect(made.findings.isEmpty, "\(made.findings)")
    }

    @Test func `the message alone is recognized, and null members count as absent`() throws {
        let made = try Converted(#"{"token":null,"notification":{"title":"A","body":null},"apns":{}}"#)
        #expect(made.lines == [#"{"apns-push-type":"alert","payload":{"aps":{"alert":{"title":"A"}}}}"#])
        #expect(made.notes.isEmpty)
    }

    @Test(arguments: [
        (#"{"message":{"no":1}}"#, "object message with a token"),
        (#"{"notification":{"title":"A"},"to":"x"}"#, "former HTTP API"),
        (#"{"to":"d0x:APA91bHun","data":{"order":"4711"}}"#, "former HTTP API"),
        (#"{"to":["d0x:APA91bHun"],"title":"A"}"#, "former HTTP API"),
        (#"{"to":"/topics/news","content_available":true,"data":{"a":"1"}}"#, "former HTTP API"),
        (#"{"data":{"a":"1"},"to":"d0x","priority":"high"}"#, "former HTTP API"),
        (#"{"payload":{"aps":{}}}"#, "an envelope already"), (#"{"aps":{}}"#, "a payload for APNs already"),
        (#"{"app_id":"x","contents":{}}"#, "OneSignal"),
        (##"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"##, "a message of Amazon SNS"),
        (##"{"APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"##, "take the JSON in the string /APNS"),
        (#"{"x":1}"#, "--from"), ("[]", "empty"),
        ("1", "JSON object"),
        (#"{"a":}"#, "not JSON"),
    ])
    func `what is not a body is refused with what it is`(body: String, says: String) {
        let error = #expect(throws: BodyConversionError.self) { try Converted(body) }
        #expect(error?.description.contains(says) == true, "\(String(describing: error))")
    }

    @Test func `a body of the former API that is named as one of HTTP v1 gives its data`() throws {
        let made = try Converted(#"{"to":"d0x:APA91bHun","data":{"order":"4711"}}"#, from: .firebase)
        #expect(
            made.lines.first?.contains(#""payload":{"aps":{"content-available":1},"order":"4711"}"#) == true,
            "\(made.lines)")
        #expect(made.notes.contains("lost /to"))
    }

    @Test(arguments: [
        #"{"to":"ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]","data":{"order":"4711"}}"#,
        #"{"to":"00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0","body":"B","data":{"order":"4711"}}"#,
    ])
    func `a body of Expo with data is none of Firebase's former API`(body: String) throws {
        let made = try Converted(body)
        #expect(made.lines.first?.contains(#""body":{"order":"4711"}"#) == true, "\(made.lines)")
    }
}
