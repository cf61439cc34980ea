import APNSModel
import PayloadJSON
import Testing

@testable import APNSPayload

struct APSReaderTests {
    private func reader(_ payload: String, _ pushType: PushType?, topic: String?) -> APSReader {
        let envelope = Envelope(topic: topic, pushType: pushType?.rawValue, payload: Array(payload.utf8))
        var notification = InspectedNotification()
        notification.begin(envelope)
        _ = notification.readPayload()
        return notification.reader
    }

    @Test(arguments: [
        (PushType?.some(.alert), String?.none, APSReader.notifications), (.background, nil, .notifications),
        (.liveactivity, nil, .liveActivity), (.controls, nil, .reload), (.widgets, nil, .reload), (.voip, nil, .app),
        (.mdm, nil, .app), (PushType(rawValue: "hologram"), nil, .app), (nil, nil, .notifications),
        (nil, "com.example.agent", .notifications), (nil, "com.example.agent.voip", .app),
        (nil, "com.example.agent.push-type.liveactivity", .liveActivity),
        (nil, "com.example.agent.push-type.widgets", .reload), (nil, "not a topic", .notifications),
        (nil, "com.apple.mgmt.External.5b7e3c52", .app), (.alert, "com.example.agent.voip", .notifications),
    ])
    func `the header says who reads aps, and else the topic`(pushType: PushType?, topic: String?, wanted: APSReader) {
        #expect(reader(#"{"aps":{"alert":"Hi"}}"#, pushType, topic: topic) == wanted)
    }

    @Test(arguments: [#""event":"end""#, #""content-state":{}"#, #""attributes-type":"A""#])
    func `keys of a Live Activity say it where nothing else does`(member: String) {
        let payload = "{\"aps\":{\(member)}}"
        #expect(reader(payload, nil, topic: nil) == .liveActivity)
        #expect(reader(payload, .alert, topic: nil) == .notifications)
        #expect(reader(payload, nil, topic: "com.example.agent.voip") == .app)
    }
}
