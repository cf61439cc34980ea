import APNSModel

/// A push for a Live Activity (docs/reference/apns.md 6.6).
extension DeviceConduct {
    func liveActivity(in situation: DeviceSituation) -> String {
        guard let event = facts.event, let action = action(of: event) else {
            return "Nothing: aps needs the event start, update or end, and the system ignores the push without it."
        }
        return switch situation {
        case .foreground, .background, .suspended:
            "\(action) The app does not have to run for it."
        case .forceQuit: "The same, because the system and not the app draws it."
        case .lowPowerMode: lowPower("It comes at once.")
        case .backgroundRefreshOff: "The same: a Live Activity does not depend on background refresh."
        }
    }

    private func action(of event: String) -> String? {
        let alert = facts.showsText ? " It lights up the screen with the alert." : ""
        switch event {
        case "start":
            let type = facts.attributesType.map { " with the attributes \($0)" } ?? ""
            return "The system starts a Live Activity\(type) (iOS 17.2).\(alert)"
        case "update": return "The system shows the new content-state in the Live Activity.\(alert)"
        case "end": return "The system ends the Live Activity and \(dismissal)."
        default: return nil
        }
    }

    private var dismissal: String {
        guard let date = facts.dismissalDate else { return "leaves it on the lock screen for up to four hours" }
        return
            "removes it from the lock screen at \(PayloadDate.text(date)), at once if that is past, and after four hours at most"
    }

    var liveActivityNotes: [String] {
        var notes: [String] = []
        if let timestamp = facts.timestamp {
            notes.append(
                "The system ignores it if it has shown one with a later timestamp than \(PayloadDate.text(timestamp)).")
        } else {
            notes.append("It lacks timestamp, a number of seconds since 1970, so the system ignores it.")
        }
        notes.append(
            "The system ignores a content-state that does not decode into the app's ContentState; its dates are seconds since 2001."
        )
        switch facts.event {
        case "start":
            notes.append("It goes to the push-to-start token of the app, and has no effect in a channel.")
            switch facts.inputs {
            case .deviceToken: notes.append("input-push-token: the system makes a device token for updates (iOS 18).")
            case .channel: notes.append("input-push-channel: updates come over the channel (iOS 18).")
            case .none: notes.append("The app has to ask for the device token of the updates itself.")
            }
        case "update":
            if let date = facts.staleDate {
                notes.append("From \(PayloadDate.text(date)) on the content counts as out of date.")
            }
        default: break
        }
        notes.append(
            isImmediate
                ? "Priority 10 counts against a budget for each hour, beyond which updates are held; priority 5 does not."
                : "With this priority it does not count against the budget of updates for each hour.")
        return notes
    }
}

/// A date of a payload for people.
enum PayloadDate {
    /// - Parameter seconds: Since 1970-01-01 UTC; shown as it is where it is not a date in seconds.
    static func text(_ seconds: Int64) -> String {
        (0...99_999_999_999).contains(seconds)
            ? TimeText.text(seconds * 1000).replacing(".000Z", with: "Z") : "\(seconds)"
    }
}
