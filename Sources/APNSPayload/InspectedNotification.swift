import APNSModel
import PayloadJSON

/// What a rule looks at: an envelope with what several rules would otherwise each have to find out.
///
/// It is never copied, because on the hot path the counting of references to its many texts would cost more than the
/// rules do.
package struct InspectedNotification: ~Copyable {
    package private(set) var envelope: Envelope
    /// Nil when it is absent or unknown, which `envelope.knowsItsHeaders` tells apart.
    let pushType: PushType?
    /// Why the payload is not JSON.
    private(set) var syntaxError: JSONSyntaxError?
    /// The payload; only for rules that ask to see the values, since before it is read this is some older one.
    private(set) var document: JSONDocument
    /// The known keys of the payload; as old as the document.
    private(set) var index: KeyIndex
    /// The push type as one element of a set.
    let pushTypes: PushTypes
    /// The value of `aps` if it is an object.
    private(set) var aps: JSONIndex?
    /// What stands for `content-available` in `aps`.
    private(set) var contentAvailable = ContentAvailable.absent

    /// What payloads are read into, kept from one to the next.
    struct Memory: Sendable {
        var document = JSONDocument()
        var index = KeyIndex()
    }

    /// - Parameter memory: What to read the payload into; lent until `finish()` gives it back.
    init(_ envelope: consuming Envelope, memory: consuming Memory) {
        pushType = envelope.pushType.map { PushType(rawValue: $0) }
        pushTypes = PushTypes(of: pushType)
        self.envelope = envelope
        document = memory.document
        index = memory.index
        keys = .everything
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

    /// Reads a payload that is not in the envelope yet, and puts it there.
    ///
    /// - Returns: Whether it is JSON and a payload by itself.
    mutating func readBarePayload(_ text: UnsafeRawBufferPointer) -> Bool {
        do throws(JSONSyntaxError) {
            try document.parse(copying: text)
        } catch {
            return false
        }
        lookIntoDocument()
        envelope.payload = document.bytes
        return !index.isWrapped
    }

    private mutating func lookIntoDocument() {
        index.read(document)
        keys = index.found
        aps = self[.aps].flatMap { document.kind(of: $0) == .object ? $0 : nil }
        contentAvailable = ContentAvailable(index[.contentAvailable], of: document)
    }

    consuming func finish() -> Memory { Memory(document: document, index: index) }

    /// The value of a known key, in the object that it belongs to; of a repeated key the last. A null is taken for absent,
    /// as the device most likely does.
    subscript(key: KnownKey) -> JSONIndex? { index.isNull(key) ? nil : index[key] }

    /// The same with nulls.
    func written(_ key: KnownKey) -> JSONIndex? { index[key] }

    /// The known keys of the payload and the facts about it; before it is read, only what is true of every one.
    private(set) var keys: KeySet

    /// Whether one of these keys and facts is in the payload.
    func has(_ keys: KeySet) -> Bool { self.keys.meets(keys) }

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
