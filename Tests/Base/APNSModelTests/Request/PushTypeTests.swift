import APNSModel
import Testing

struct PushTypeTests {
    @Test func `the known push types are those that Apple documents, each once`() {
        let names = [
            "alert", "background", "complication", "controls", "fileprovider", "liveactivity", "location", "mdm",
            "pushtotalk", "voip", "widgets",
        ]
        #expect(PushType.known.map(\.rawValue) == names)
        #expect(!PushType.known.contains { !$0.isKnown })
    }

    @Test func `an unknown push type passes through without facts`() {
        let type = PushType(rawValue: "future")
        #expect(!type.isKnown && type.topicSuffix == nil && type.maximumPayloadBytes == 4096)
        #expect("\(type)" == "future")
    }

    @Test func `a VoIP payload may have 5 KiB and any other 4 KiB`() {
        for type in PushType.known { #expect(type.maximumPayloadBytes == (type == .voip ? 5120 : 4096)) }
        #expect(PushType.maximumBroadcastPayloadBytes == 5120)
    }
}
