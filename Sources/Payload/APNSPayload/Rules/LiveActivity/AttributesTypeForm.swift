import APNSModel
import PayloadJSON

extension Rule {
    public static let attributesTypeForm = Rule(
        id: "attributes-type-form", severity: .warning, layer: .device, looksAt: [.attributesType],
        summary: "An `attributes-type` is the name of a Swift type.",
        rationale: """
            The device starts the Live Activity whose attributes type has exactly this name. A string that is empty, \
            begins with a digit or contains spaces or hyphens is not the name of a type.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"start","content-state":{},"attributes-type":"VisitAttributes","#
                    + #""attributes":{},"alert":{"title":"Hi","body":"You"}}}"#, .liveactivity),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"start","content-state":{},"attributes-type":"Visit.Größe_2","#
                    + #""attributes":{},"alert":{"title":"Hi","body":"You"}}}"#, .liveactivity),
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"start","content-state":{},"attributes-type":"visit-attributes","#
                    + #""attributes":{},"alert":{"title":"Hi","body":"You"}}}"#, .liveactivity),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"start","content-state":{},"attributes-type":"","#
                    + #""attributes":{},"alert":{"title":"Hi","body":"You"}}}"#, .liveactivity),
        ]
    ) { notification, findings in
        guard let value = notification[.attributesType], let name = notification.document.string(of: value),
            !isTypeName(name), notification.consumer == .liveActivity
        else { return }
        findings.report(
            "attributes-type is \(notification.shown(value)); it must be the name of a Swift type, such as VisitAttributes",
            at: notification.place(ofValue: value))
    }

    private static func isTypeName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39 ~= first) else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), 0x80...:
                true
            default: false
            }
        }
    }
}
