import APNSModel
import PayloadJSON

/// What a rule looks at: an envelope with what several rules would otherwise each have to find out.
///
/// It is never copied, because on the hot path the counting of references to its many texts would cost more than the
/// rules do.
package struct InspectedNotification: ~Copyable {
    package private(set) var envelope = Envelope(kind: .payload, payload: [])
    /// The present, in seconds since 1970; nil where it is not known.
    package var now: Int64?
    /// Nil when it is absent or unknown, which `envelope.hasKnownHeaders` tells apart.
    private(set) var pushType: PushType?
    /// The push type as one element of a set.
    private(set) var pushTypes = PushTypes.absent
    /// Why the payload is not JSON.
    private(set) var syntaxError: JSONSyntaxError?
    /// The payload; only for rules that ask to see the values, since before it is read this is some older one.
    private(set) var document = JSONDocument()
    /// The known keys of the payload; as old as the document.
    private var index = KeyIndex()
    /// The known keys of the payload and the facts about it; before it is read, only what is true of every one.
    private(set) var keys = KeySet.everything
    /// The forms of the values of the known keys; as old as the document.
    var forms: JSONForms { index.forms }
    /// The value of `aps` if it is an object.
    private(set) var aps: JSONIndex?
    /// What stands for `content-available` in `aps`.
    private(set) var contentAvailable = ContentAvailable.absent

    /// Turns to another notification, whose payload is not read yet. Reuses the memory that the last one was read into.
    mutating func begin(_ envelope: consuming Envelope) {
        pushType = envelope.pushType.map { PushType(rawValue: $0) }
        pushTypes = PushTypes(of: pushType)
        self.envelope = envelope
        isBare = false
        syntaxError = nil
        keys = .everything
        aps = nil
        contentAvailable = .absent
    }

    /// The same for a bare payload with these headers, which most often are those of the one before.
    ///
    /// - Returns: Whether it is JSON; then it is read.
    mutating func begin(bare text: UnsafeRawBufferPointer, topic: String?, pushType: String?) -> Bool {
        if envelope.kind != .payload || envelope.topic != topic || envelope.pushType != pushType || !isBare {
            begin(Envelope(kind: .payload, topic: topic, pushType: pushType, payload: []))
            isBare = true
        }
        syntaxError = nil
        do throws(JSONSyntaxError) {
            try document.parse(copying: text)
        } catch {
            syntaxError = error
            envelope.payload = Array(text)
            keys = .everything
            return false
        }
        lookIntoDocument()
        envelope.payload = document.bytes
        return true
    }

    /// Whether the text that was read is an envelope or a file for the simulator.
    var isWrapped: Bool { index.isWrapped }

    /// Whether the envelope is one that `begin(bare:)` made.
    private var isBare = false

    /// Lets go of the payload, so that its memory can be used again.
    mutating func end() {
        if isBare { envelope.payload = [] } else { envelope = Envelope(kind: .notification, payload: []) }
    }

    /// Reads the payload; afterwards rules of every stage can look.
    ///
    /// - Returns: Whether it is JSON.
    mutating func readPayload() -> Bool {
        do throws(JSONSyntaxError) {
            try document.parse(envelope.payload)
        } catch {
            syntaxError = error
            return false
        }
        lookIntoDocument()
        return true
    }

    private mutating func lookIntoDocument() {
        index.read(document)
        keys = index.found
        aps = self[.aps].flatMap { document.isObject($0) ? $0 : nil }
        contentAvailable = ContentAvailable(index[.contentAvailable], of: document)
    }

    /// The value of a known key, in the object that it belongs to; of a repeated key the last. A null is taken for absent,
    /// as the device most likely does.
    subscript(key: KnownKey) -> JSONIndex? { index.isNull(key) ? nil : index[key] }

    /// The same with nulls.
    func written(_ key: KnownKey) -> JSONIndex? { index[key] }

    /// Whether one of these keys and facts is in the payload.
    func has(_ keys: KeySet) -> Bool { self.keys.intersects(keys) }

    /// Whether nothing in `aps` asks for something that a person sees or hears.
    var isSilent: Bool { self[.alert] == nil && self[.badge] == nil && self[.sound] == nil }

    /// The push type is one that app notifications use, or may be one.
    var isAppNotification: Bool {
        guard let pushType else { return Topic(envelope.topic ?? "").map { $0.suffix.isEmpty } ?? true }
        return pushType == .alert || pushType == .background
    }

    func place(ofValue index: JSONIndex) -> Finding.Place {
        .pointer(document.pointer(to: index), document.range(of: index))
    }

    func place(ofKeyOf value: JSONIndex) -> Finding.Place {
        .pointer(document.pointer(to: value), document.range(of: document.key(of: value)))
    }

    /// The place of an object that lacks something: its opening bracket, which is shorter to show than all of it.
    func place(ofMissingIn object: JSONIndex) -> Finding.Place {
        let start = document.range(of: object).lowerBound
        return .pointer(document.pointer(to: object), start..<start + 1)
    }

    /// A value as a message shows it: at most 32 characters.
    func shown(_ index: JSONIndex) -> String {
        let source = document.source(of: index)
        return source.unicodeScalars.count > 32 ? String(source.unicodeScalars.prefix(31)) + "…" : source
    }
}
