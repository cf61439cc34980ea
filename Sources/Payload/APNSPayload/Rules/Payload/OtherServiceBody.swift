import APNSModel
import PayloadJSON

extension Rule {
    public static let otherServiceBody = Rule(
        id: "other-service-body", severity: .error, layer: .device, looksAt: ServiceBody.facts,
        reads: ServiceBody.facts,
        summary: "A payload is not the body of a request to another push service.",
        rationale: """
            Firebase, OneSignal, Expo and Amazon SNS make the payload for APNs from bodies of their own. Such a body has no \
            `aps`, so APNs accepts it and the device shows nothing. It may contain the payload, as at \
            `/message/apns/payload`. Keys that an app may use too count only beside a second sign. Where the app defines \
            the payload, as for voip, only unmistakable signs count, as a push token of Expo.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi"},"notification":{"title":"own"},"message":{"token":"own"}}"#, .alert),
            Example(#"{"notification":{"title":"own"},"data":{}}"#, .voip),
            Example(#"{"notification":{"title":"own"}}"#, topic: "com.example.agent.voip"),
            Example(#"{"message":"own","data":{}}"#), Example(#"{"message":{"topic":"own","text":"own"}}"#, .alert),
            Example(#"{"message":{"token":"own","text":"own"}}"#, .voip),
            Example(#"{"to":"support","title":"own"}"#), Example(#"{"to":"user-1","data":{}}"#, .alert),
            Example(#"{"to":"+15550100","data":{"call":"4711"}}"#, .voip),
            Example(#"{"endpoint":"https://example.com/1","keys":{"auth":"own"}}"#, .voip),
            Example(#"{"app_id":"own","headings":{"en":"own"}}"#, .voip),
            Example(#"{"contents":{"en":"own"},"include_aliases":{}}"#, .voip),
            Example(#"{"registration_ids":[]}"#, .voip),
            Example(#"{"condition":"cold","data":{}}"#, .alert), Example(#"{"notification":{"id":7}}"#),
            Example(#"{"endpoint":"own"}"#), Example(#"{"token":"own","data":{}}"#),
            Example(#"{"app_id":"own","title":"own"}"#), Example(#"[{"to":"support"}]"#),
            Example(#"{"APNS":"own"}"#), Example(#"{"APNS":{"own":1},"MACOS":"own"}"#),
            Example(#"{"MACOS":{"own":1}}"#, .voip),
        ],
        fails: [
            Example(#"{"notification":{"title":"Hi","body":"You"},"data":{"order":"4711"}}"#),
            Example(
                #"{"message":{"token":"d0x","apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":"Hi"}}}}}"#
            ),
            Example(#"{"message":{"topic":"news","notification":{"title":"Hi"}}}"#, .alert),
            Example(#"{"message":{"token":"d0x","data":{"order":"4711"}}}"#, .voip),
            Example(#"{"message":{"android":{"priority":"high"}}}"#, .pushtotalk),
            Example(#"{"token":"d0x","notification":{"title":"Hi"},"apns":{"payload":{"aps":{"badge":1}}}}"#),
            Example(#"[{"message":{"token":"d0x","notification":{"title":"Hi"}}}]"#),
            Example(#"{"to":"d0x","priority":"high","data":{"order":"4711"}}"#),
            Example(#"{"to":"d0x","content_available":true}"#), Example(#"{"tokens":["d0x"],"data":{"order":"4711"}}"#),
            Example(#"{"to":"d0x","data":{"order":"4711"}}"#),
            Example(#"{"to":"d0x","data":{"order":"4711"}}"#, .alert),
            Example(#"{"to":"d0x:APA91bHun","data":{"order":"4711"}}"#, .voip),
            Example(#"{"registration_ids":["d0x"],"data":{"order":"4711"}}"#, .voip),
            Example(#"{"registration_ids":["d0x"]}"#), Example(#"{"condition":"'a' in topics","data":{}}"#),
            Example(#"{"endpoint":"https://push.example.com/1","keys":{"p256dh":"BEl","auth":"8eD"}}"#),
            Example(#"{"endpoint":"https://push.example.com/1","keys":{"p256dh":"BEl","auth":"8eD"}}"#, .voip),
            Example(#"{"endpoint":"https://push.example.com/1","expirationTime":null}"#),
            Example(#"{"subscription":{"endpoint":"https://push.example.com/1","keys":{"auth":"8eD"}}}"#),
            Example(#"{"web_push":8030,"notification":{"title":"Hi","navigate":"https://example.com"}}"#),
            Example(#"{"app_id":"5eb5a37e","contents":{"en":"Hi"},"included_segments":["All"]}"#),
            Example(#"{"app_id":"5eb5a37e","contents":{"en":"Hi"}}"#, .voip),
            Example(#"{"app_id":"5eb5a37e","include_external_user_ids":["4711"]}"#, .pushtotalk),
            Example(#"{"app_id":"5eb5a37e","include_external_user_ids":["4711"]}"#),
            Example(#"{"contents":{"en":"Hi"},"included_segments":["All"]}"#),
            Example(#"{"to":"ExponentPushToken[x]","title":"Hi","body":"You"}"#),
            Example(#"{"to":["ExponentPushToken[x]"],"sound":"default"}"#, .alert),
            Example(#"{"to":"ExponentPushToken[x]","data":{"call":"4711"}}"#, .voip),
            Example(#"[{"to":"ExponentPushToken[x]","title":"Hi"}]"#),
            Example(##"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"##),
            Example(##"{"APNS_VOIP_SANDBOX":"{\"call\":\"4711\"}"}"##, .voip),
            Example(#"{"APNS_SANDBOX":{"aps":{"alert":"Hi"}}}"#),
            Example(#"{"default":"Hi","APNS_VOIP":{"call":"4711"}}"#, .voip),
            Example(##"{"MACOS":"{\"aps\":{\"alert\":\"Hi\"}}"}"##),
        ]
    ) { notification, findings in
        guard let body = notification.serviceBody else { return }
        findings.report(
            "this is \(body.name), not a payload for APNs; \(body.advice)",
            at: body.isPart ? notification.place(ofValue: body.member) : notification.place(ofKeyOf: body.member))
    }
}
