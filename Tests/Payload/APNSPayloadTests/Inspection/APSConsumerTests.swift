import APNSModel
import PayloadJSON
import Testing

@testable import APNSPayload

struct APSConsumerTests {
    private func consumer(_ payload: String, _ pushType: PushType?, topic: String?) -> APSConsumer {
        let envelope = Envelope(topic: topic, pushType: pushType?.rawValue, payload: Array(payload.utf8))
        var notification = InspectedNotification()
        notification.begin(envelope)
        _ = notification.readPayload()
        return notification.consumer
    }

    @Test(arguments: [
        (PushType?.some(.alert), String?.none, APSConsumer.notifications), (.background, nil, .notifications),
        (.liveactivity, nil, .liveActivity), (.controls, nil, .reload), (.widgets, nil, .reload), (.voip, nil, .app),
        (.mdm, nil, .app), (PushType(rawValue: "hologram"), nil, .app), (nil, nil, .notifications),
        (nil, "com.example.agent", .notifications), (nil, "com.example.agent.voip", .app),
        (nil, "com.example.agent.push-type.liveactivity", .liveActivity),
        (nil, "com.example.agent.push-type.widgets", .reload), (nil, "not a topic", .notifications),
        (nil, "com.apple.mgmt.External.5b7e3c52", .app), (.alert, "com.example.agent.voip", .notifications),
    ])
    func `the push type determines what uses aps, otherwise the topic`(
        pushType: PushType?, topic: String?, wanted: APSConsumer
    ) {
        #expect(consumer(#"{"aps":{"alert":"Hi"}}"#, pushType, topic: topic) == wanted)
    }

    @Test(arguments: [#""event":"end""#, #""content-state":{}"#, #""attributes-type":"A""#])
    func `keys of a Live Activity determine it if nothing else does`(member: String) {
        let payload = "{\"aps\":{\(member)}}"
        #expect(consumer(payload, nil, topic: nil) == .liveActivity)
        #expect(consumer(payload, .alert, topic: nil) == .notifications)
        #expect(consumer(payload, nil, topic: "com.example.agent.voip") == .app)
    }
}
