import APNSModel

/// A background push (docs/reference/apns.md 6.7).
extension DeviceConduct {
    func background(in situation: DeviceSituation) -> String {
        guard facts.isContentAvailable else {
            return "Nothing: aps lacks \"content-available\":1, so the app is not woken."
        }
        return switch situation {
        case .foreground:
            "application(_:didReceiveRemoteNotification:fetchCompletionHandler:) gets it, without the limits below."
        case .background:
            "The system gives it to application(_:didReceiveRemoteNotification:fetchCompletionHandler:) when it suits power and "
                + "network. The app has 30 s, and must call the completion handler."
        case .suspended:
            "The system resumes the app when it suits, or launches it in the background if it had ended it; then as in the "
                + "background."
        case .forceQuit:
            "The app is not launched. The push waits until the user opens the app; one that the system already held when the "
                + "user quit the app is lost."
        case .lowPowerMode:
            "It waits until the mode ends or the app is opened, because the mode suspends background refresh."
        case .backgroundRefreshOff: "It waits until background refresh is on or the app is opened."
        }
    }

    var backgroundNotes: [String] {
        guard facts.isContentAvailable else { return [] }
        var notes = [
            "The user sees nothing of it, and needs not allow notifications.",
            "Apple advises not more than two or three an hour; the system holds or drops more, without an error.",
            "While the app cannot take one, only the newest is held.",
            "The limits are lifted while the app runs from Xcode, so test without it.",
        ]
        let visible = ["alert", "badge", "sound"].filter { facts.has($0) }
        if !visible.isEmpty {
            notes.insert(
                "aps has \(visible.joined(separator: " and ")), which a background push must not have: the system may delay or "
                    + "drop it. Send it with the push type alert.", at: 0)
        }
        return notes
    }
}
