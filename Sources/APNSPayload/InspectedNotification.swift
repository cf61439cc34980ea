import APNSModel
import PayloadJSON

/// What a rule looks at: an envelope with what several rules would otherwise each have to find out.
///
/// It is never copied, because on the hot path the counting of references to its many texts would cost more than the
/// rules do.
package struct InspectedNotification: ~Copyable {
    package let envelope: Envelope
    /// Nil when it is absent or unknown, which `envelope.knowsItsHeaders` tells apart.
    let pushType: PushType?
    /// Why the payload is not JSON.
    private(set) var syntaxError: JSONSyntaxError?
    /// The payload; only for rules that ask to see the values, since before it is read this is some older one.
    private(set) var document: JSONDocument
    /// The value of `aps` if it is an object.
    private(set) var aps: JSONIndex?
    /// What stands for `content-available` in `aps`.
    private(set) var contentAvailable = ContentAvailable.absent

    /// - Parameter memory: What to read the payload into; lent until `finish()` gives it back.
    init(_ envelope: consuming Envelope, memory: consuming JSONDocument) {
        pushType = envelope.pushType.map { PushType(rawValue: $0) }
        self.envelope = envelope
        document = memory
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
        (aps, contentAvailable) = InspectedNotification.look(into: document)
        return true
    }

    /// Apart, so that the document is handed over once and not for every question.
    private static func look(into document: borrowing JSONDocument) -> (aps: JSONIndex?, ContentAvailable) {
        guard let aps = document.member("aps", of: .root), document.kind(of: aps) == .object else {
            return (nil, .absent)
        }
        return (aps, ContentAvailable(in: aps, of: document))
    }

    consuming func finish() -> JSONDocument { document }

    /// The value of a key of `aps`. A null is taken for absent, as the device most likely does.
    func apsMember(_ key: StaticString) -> JSONIndex? {
        guard let aps, let value = document.member(key, of: aps), document.kind(of: value) != .null else { return nil }
        return value
    }

    /// Whether nothing in `aps` asks for something that a person sees or hears.
    var isSilent: Bool { apsMember("alert") == nil && apsMember("badge") == nil && apsMember("sound") == nil }

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
