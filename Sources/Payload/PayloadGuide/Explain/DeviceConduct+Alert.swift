import APNSModel

/// An alert push. The system shows it; with `content-available` it wakes the app as well.
extension DeviceConduct {
    func alert(in situation: DeviceSituation) -> String {
        let shown = facts.shows
        guard !shown.isEmpty || facts.isContentAvailable else {
            return facts.sound == nil
                ? "Nothing: aps has no alert text, badge or sound, so there is nothing to show or play."
                : "Nothing: a passive notification plays no sound, and aps has no alert text or badge."
        }
        guard !shown.isEmpty else { return workAlone(in: situation) }
        return switch situation {
        case .foreground:
            "The app decides: userNotificationCenter(_:willPresent:withCompletionHandler:) gets it, and the system shows "
                + "nothing unless the app returns presentation options."
                + wakes("The app's callback for background work runs, too.")
        case .background:
            "The system \(shown)." + (facts.isContentAvailable ? " \(work)" : " The app does not run.")
        case .suspended:
            "As in the background."
                + wakes("The system resumes the app for the work, or launches it if it had ended it.")
        case .forceQuit:
            (facts.showsText
                ? "As in the background; the app is launched only when the user opens the notification."
                : "As in the background.")
                + wakes("The work is not done, because a force-quit app is not woken.")
        case .lowPowerMode:
            lowPower("It comes at once.") + wakes("The work waits, because the mode suspends background refresh.")
        case .backgroundRefreshOff:
            "It is shown as usual." + wakes("The work is not done, because the app is not woken.")
        }
    }

    /// An alert push that shows and plays nothing, and wakes the app by `content-available`.
    private func workAlone(in situation: DeviceSituation) -> String {
        let nothing = "The system shows nothing."
        return switch situation {
        case .foreground: "\(nothing) The app's callback for background work runs."
        case .background: "\(nothing) \(work)"
        case .suspended:
            "As in the background. The system resumes the app for the work, or launches it if it had ended it."
        case .forceQuit: "\(nothing) The work is not done, because a force-quit app is not woken."
        case .lowPowerMode:
            lowPower(nothing) + " The work waits, because the mode suspends background refresh."
        case .backgroundRefreshOff: "\(nothing) The work is not done, because the app is not woken."
        }
    }

    var alertNotes: [String] {
        var notes: [String] = []
        if !facts.shows.isEmpty {
            notes.append("Nothing is shown or played if the user does not allow notifications of the app.")
        }
        if facts.showsText {
            let actions =
                facts.category.map { ", with the actions of the category \($0) if the app has registered it" } ?? ""
            notes.append(
                "When the user opens it, userNotificationCenter(_:didReceive:withCompletionHandler:) gets it\(actions)."
            )
        }
        if facts.isMutable {
            notes.append(
                facts.showsText
                    ? "mutable-content: the notification service extension may change it before it is shown, in about 30 s."
                    : "mutable-content has no effect, because the push shows no text.")
        }
        switch facts.interruptionLevel {
        case "passive" where facts.showsText:
            notes.append("passive: it is listed, without lighting up the screen and without a sound.")
        case "passive":
            notes.append(
                facts.sound == nil
                    ? "passive has no effect, because the push shows no text." : "passive: the sound is not played.")
        case "time-sensitive":
            notes.append("time-sensitive: it may be shown during a Focus; it needs an entitlement.")
        case "critical": notes.append("critical: it sounds on a muted device, too; it needs an entitlement of Apple.")
        default: break
        }
        if let thread = facts.threadID { notes.append("It is grouped with others of the thread \(thread).") }
        return notes
    }

    private func wakes(_ sentence: String) -> String { facts.isContentAvailable ? " \(sentence)" : "" }

    private var work: String {
        "content-available wakes the app for up to 30 s of work in "
            + "application(_:didReceiveRemoteNotification:fetchCompletionHandler:), if the system allows it now."
    }
}

extension PayloadFacts {
    /// What the system does at once, after "The system"; empty for nothing.
    var shows: String {
        var parts: [String] = []
        let texts = [
            title.map { "title \($0)" }, subtitle.map { "subtitle \($0)" }, body.map { "text \($0)" },
        ].compactMap(\.self)
        if !texts.isEmpty { parts.append("shows the " + texts.joined(separator: ", the ")) }
        switch interruptionLevel == "passive" ? nil : sound {
        case .standard: parts.append("plays the default sound")
        case .file(let name): parts.append("plays \(name), or the default sound if the app has no such file")
        case .critical: parts.append("plays a critical sound")
        case nil: break
        }
        switch badge {
        case 0: parts.append("removes the badge of the app")
        case let number?: parts.append("sets the badge of the app to \(number)")
        case nil: break
        }
        guard let last = parts.popLast() else { return "" }
        return parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
    }

    /// The same for a device that says what it shows: `title "A", text "B", sound default, badge 1`. Nil for nothing.
    package var shownText: String? {
        let parts = [
            title.map { "title \($0)" }, subtitle.map { "subtitle \($0)" }, body.map { "text \($0)" },
            sound.map { sound in
                switch sound {
                case .standard: "the default sound"
                case .file(let name): "sound \(name)"
                case .critical: "a critical sound"
                }
            }, badge.map { "badge \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
