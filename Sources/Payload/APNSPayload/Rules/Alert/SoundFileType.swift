import APNSModel
import PayloadJSON

extension Rule {
    public static let soundFileType = Rule(
        id: "sound-file-type", severity: .warning, layer: .device, looksAt: soundNames, reads: soundNames,
        summary: "A sound file is an .aiff, .wav or .caf file.",
        rationale: """
            The system plays Linear PCM, MA4, µ-law and A-law in these containers. For a file of another type, such as MP3, \
            it plays the default sound. The file is in the app, or in `Library/Sounds` of its container.
            """,
        source: RuleSource.unNotificationSound,
        passes: [
            Example(#"{"aps":{"alert":"Hi","sound":"chime.caf"}}"#), Example(#"{"aps":{"sound":"default"}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":"Chime.AIFF"}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":"chime"}}"#),
            Example(#"{"aps":{"sound":"ping.mp3"}}"#, .voip), Example(#"{"aps":{"sound":"v1.2 final"}}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi","sound":"ping.mp3"}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.m4a"}}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":"T","body":"B","sound":"ping.OGG"}}}"#, .liveactivity),
        ]
    ) { notification, findings in
        guard notification.consumer != .app else { return }
        for key in notification.keys.common(with: soundNames) {
            guard let value = notification[key], let ending = notification.unplayableEnding(of: value) else { continue }
            findings.report(
                "\(key.name) is \(notification.shown(value)), and the system plays no .\(ending) file; make it an .aiff, .wav or "
                    + ".caf file", at: notification.place(ofValue: value))
        }
    }

    private static let soundNames: KeySet = [.sound, .soundName, .alertSound]
}

extension InspectedNotification {
    /// The ending of a file name that the system does not play as a sound; nil for other strings and values.
    fileprivate func unplayableEnding(of value: JSONIndex) -> String? {
        // Most are `default` or end with one of three, which the last bytes show.
        guard let range = document.plainRange(of: value), range.count > 4 else { return nil }
        let bytes = document.bytes
        let tail = max(range.lowerBound + 1, range.upperBound - 5)..<range.upperBound
        guard let dot = bytes[tail].lastIndex(of: UInt8(ascii: ".")), dot + 1 < tail.upperBound else { return nil }
        let ending = String(decoding: bytes[dot + 1..<tail.upperBound], as: UTF8.self).lowercased()
        guard !InspectedNotification.soundEndings.contains(ending), ending.utf8.allSatisfy({ $0.isLetterOrDigit })
        else {
            return nil
        }
        return ending
    }

    private static let soundEndings = ["aif", "aiff", "aifc", "wav", "wave", "caf"]
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool { (0x30...0x39).contains(self) || (0x61...0x7A).contains(self) }
}
