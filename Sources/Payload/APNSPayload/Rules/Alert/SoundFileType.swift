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
            Example(#"{"aps":{"sound":"ping 1.2"}}"#), Example(#"{"aps":{"sound":"com.example.chime"}}"#),
            Example(#"{"aps":{"sound":"ping.\u0063af"}}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi","sound":"ping.mp3"}}"#), Example(#"{"aps":{"sound":"p\u0069ng.mp3"}}"#),
            Example(#"{"aps":{"sound":"ping.mpeg4"}}"#), Example(#"{"aps":{"sound":".mp3"}}"#),
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
        // Most are `default`.
        guard document.kind(of: value) == .string, document.mayContain(value, UInt8(ascii: ".")) else { return nil }
        guard let range = document.plainRange(of: value) else {
            guard let name = document.string(of: value) else { return nil }
            return InspectedNotification.unplayableEnding(Array(name.utf8)[...])
        }
        return InspectedNotification.unplayableEnding(document.bytes[range])
    }

    private static func unplayableEnding(_ name: ArraySlice<UInt8>) -> String? {
        // The last bytes show it.
        let tail = name.suffix(longestEnding + 1)
        guard let dot = tail.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = String(decoding: tail[(dot + 1)...], as: UTF8.self).lowercased()
        let count = ending.utf8.count
        guard count > 1, !soundEndings.contains(ending), count < longestEnding || longEndings.contains(ending),
            ending.utf8.allSatisfy({ $0.isLetter || $0.isDigit }), ending.utf8.contains(where: { $0.isLetter })
        else { return nil }
        return ending
    }

    private static let soundEndings = ["aif", "aiff", "aifc", "wav", "wave", "caf"]
    /// Endings of sound files that are as long as words. Another word after a dot is a part of the name.
    private static let longEndings = ["mpeg4", "mpeg3", "mpega"]
    private static let longestEnding = 5
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    /// Whether it is a letter in lower case.
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self) }
}
