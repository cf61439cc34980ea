import APNSModel
import PayloadJSON

extension Rule {
    public static let broadcastStart = Rule(
        id: "broadcast-start", severity: .error, layer: .device, looksAt: [.event],
        summary: "A broadcast updates or ends a Live Activity and never starts one.",
        rationale: """
            Only a device that already has the Live Activity subscribes to its channel. To start one, send to the \
            push-to-start token of each device, with `input-push-channel` for the channel.
            """,
        source: RuleSource.broadcasts,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#, .liveactivity, priority: 5,
                expiration: 0, channelID: "dHN0LXNyY2gtY2hubA=="),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"start","attributes-type":"A","attributes":{},"#
                    + #""content-state":{},"alert":{"title":"T","body":"B"}}}"#, .liveactivity, token: "ab12"),
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"start","attributes-type":"A","attributes":{},"#
                    + #""content-state":{},"alert":{"title":"T","body":"B"}}}"#, .liveactivity, priority: 5,
                expiration: 0, channelID: "dHN0LXNyY2gtY2hubA==")
        ]
    ) { notification, findings in
        guard notification.envelope.isBroadcast, let event = notification[.event],
            notification.document.isString(event, "start")
        else { return }
        findings.report(
            "event is start; a broadcast can update or end, so send the start to each device's push-to-start token",
            at: notification.place(ofValue: event))
    }
}
