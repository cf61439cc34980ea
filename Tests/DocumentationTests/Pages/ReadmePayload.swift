import APNSPayload
import Testing

@Test func `the payload of the README is what the README says`() {
    let push = AlertPush(Alert(title: "Parcel", body: "It is at your door"), sound: .standard, custom: ["parcel": 77])
    let body = push.encoded()
    // {"aps":{"alert":{"title":"Parcel","body":"It is at your door"},"sound":"default"},"parcel":77}
    let remaining = push.remainingBytes  // 4002 of 4096
    let findings = push.findings()  // what the rules find: nothing

    let said = #"{"aps":{"alert":{"title":"Parcel","body":"It is at your door"},"sound":"default"},"parcel":77}"#
    #expect(String(decoding: body, as: UTF8.self) == said)
    #expect(remaining == 4002 && findings.isEmpty)
}
