import APNSModel
import Testing

@Test func `text from outside becomes a word of APNs or nothing`() {
    var printed = 0
    func print(_ type: PushType, _ suffix: String, _ bytes: Int) { printed += 1 }

    let agent = Topic("com.example.agent")
    let device = DeviceToken("00FC13ADFF785122")
    let nothing = DeviceToken("not hexadecimal")  // nil

    for type in PushType.known {
        print(type, type.topicSuffix ?? "", type.maximumPayloadBytes)
    }

    #expect(agent != nil && device?.byteCount == 8 && nothing == nil)
    #expect(printed == PushType.known.count)
}
