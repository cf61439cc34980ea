import APNSModel

/// Push types that the app or the system handles without looking at `aps` (docs/reference/apns.md 6.8).
extension DeviceConduct {
    func voip(in situation: DeviceSituation) -> String {
        switch situation {
        case .foreground, .background:
            "pushRegistry(_:didReceiveIncomingPushWith:for:completion:) gets it at once, and has to report a call to CallKit before "
                + "it calls the completion handler."
        case .suspended: "The system resumes or launches the app; then as in the background."
        case .forceQuit: "As suspended: a call launches the app."
        case .lowPowerMode: lowPower("It comes at once.")
        case .backgroundRefreshOff: "It comes as usual."
        }
    }

    var voipNotes: [String] {
        [
            "If the app reports no call, the system ends it, and after repeats gives it no more VoIP pushes.",
            "It goes to the device token of PushKit, not to that of alerts.",
            "A call that is late is of no use: send it with expiration 0 or a few seconds.",
        ]
    }

    func other(in situation: DeviceSituation) -> String {
        guard let action else { return "This push type is not documented, so what the device does is not known." }
        return switch situation {
        case .foreground: action
        case .background, .suspended, .forceQuit: "The same: \(whoActs)."
        case .lowPowerMode: lowPower("It comes at once.")
        case .backgroundRefreshOff: "It comes as usual."
        }
    }

    /// What happens when it arrives; nil for a push type that is not documented.
    private var action: String? {
        switch pushType {
        case .complication:
            "PushKit gives it to the app on the watch, which updates its complication; the complication has to be on the current "
                + "watch face."
        case .controls: "The system reloads the controls of the app, within a budget."
        case .widgets: "The system reloads all widgets of the app, within a budget."
        case .fileprovider:
            "The system signals that the container \(facts.container ?? "(missing)") has changed, and the File Provider extension "
                + "lists it anew."
        case .location:
            "The system runs the location push service extension of the app, which has about 30 s to answer with the location."
        case .mdm: "The device connects to its MDM server and asks for commands."
        case .pushtotalk:
            "The delegate of the channel manager gets it, and has to return who speaks, or leave the channel."
        default: nil
        }
    }

    private var whoActs: String {
        switch pushType {
        case .complication, .pushtotalk: "the system wakes the app for it"
        case .fileprovider, .location: "the system runs the extension"
        case .mdm: "no app takes part"
        default: "the system, not the app, reacts to it"
        }
    }

    var otherNotes: [String] {
        switch pushType {
        case .complication: ["At most 50 a day are delivered; the system drops more."]
        case .location: ["About 360 a day are delivered to a device.", "It needs an entitlement of Apple."]
        case .mdm: ["The payload has nothing but mdm, the push magic of the device."]
        case .pushtotalk:
            ["It goes to the device token of the channel that the user has joined, with priority 10 and expiration 0."]
        case .widgets: ["Widgets get pushes since iOS 26; the device token comes from the widget push handler."]
        case .controls: ["Controls get pushes since iOS 18; the device token comes from the control push handler."]
        case .fileprovider: ["It goes to the device token that PushKit gives for the type fileProvider."]
        default: []
        }
    }
}
