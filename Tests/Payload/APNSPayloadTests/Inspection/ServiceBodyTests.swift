import APNSModel
import APNSPayload
import Testing

struct ServiceBodyTests {
    /// The messages of `other-service-body` about a payload.
    private static func messages(_ payload: String, _ pushType: PushType? = nil) -> [String] {
        var validator = Validator(rules: [.otherServiceBody])
        return validator.findings(for: Example(payload, pushType).envelope).map(\.message)
    }

    @Test(arguments: ["APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX", "APNS_MDM", "MACOS", "MACOS_SANDBOX"])
    func `a message of Amazon SNS is named with a string and with an object for a platform`(key: String) {
        let string = Self.messages(##"{"default":"Hi","\##(key)":"{\"aps\":{\"alert\":\"Hi\"}}"}"##)
        #expect(
            string == [
                "this is a message of Amazon SNS, not a payload for APNs; take the JSON in the string /\(key)"
            ])
        let object = Self.messages(#"{"\#(key)":{"aps":{"alert":"Hi"}}}"#)
        #expect(
            object == [
                "this is a message of Amazon SNS, not a payload for APNs; take the object /\(key); SNS itself wants a string "
                    + "with this JSON there"
            ])
    }

    @Test func `an object for a platform without aps counts beside another key of Amazon SNS`() {
        for other in [#""default":"Hi""#, #""GCM":"{}""#, #""ADM":{"data":{}}"#, #""APNS_VOIP_SANDBOX":{"call":"1"}"#] {
            #expect(Self.messages(#"{"APNS_VOIP":{"call":"4711"},\#(other)}"#, .voip).count == 1, "\(other)")
        }
        for own in [#""default":1"#, #""GCM":7"#, #""own":"Hi""#, #""MACOS":"own""#] {
            #expect(Self.messages(#"{"APNS_VOIP":{"call":"4711"},\#(own)}"#, .voip).isEmpty, "\(own)")
        }
    }
}
