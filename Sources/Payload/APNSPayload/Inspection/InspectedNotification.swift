import APNSModel
import PayloadJSON

/// The notification that rules inspect: an envelope with derived values that several rules need.
///
/// It is not copyable. Each copy on the hot path would retain and release its many strings, which takes longer than the
/// rules.
package struct InspectedNotification: ~Copyable {
    package private(set) var envelope = Envelope(kind: .payload, payload: [])
    /// The current time in seconds since 1970; nil if unknown.
    package var now: Int64?
    /// Nil if it is absent or unknown; `envelope.hasKnownHeaders` distinguishes the two.
    private(set) var pushType: PushType?
    /// The push type as one element of a set.
    private(set) var pushTypes = PushTypes.absent
    /// Why the payload is not JSON; nil if it is.
    private(set) var syntaxError: JSONSyntaxError?
    /// The payload. Only for rules of the stage `document`: before the payload is read, this is an earlier one.
    private(set) var document = JSONDocument()
    /// The known keys of `document`.
    private var index = KeyIndex()
    /// The known keys of the payload and the facts about it; before it is read, only what is true of every payload.
    private(set) var keys = KeySet.everything
    /// The forms of the values of the known keys of `document`.
    var forms: JSONForms { index.forms }
    /// The value of `aps` if it is an object.
    private(set) var aps: JSONIndex?
    /// The value of `content-available` in `aps`.
    private(set) var contentAvailable = ContentAvailable.absent

    /// Starts with another notification and does not read its payload yet. Reuses the memory of the previous payload.
    mutating func begin(_ envelope: consuming Envelope) {
        pushType = envelope.pushType.map { PushType(rawValue: $0) }
        pushTypes = PushTypes(of: pushType)
        self.envelope = envelope
        isBare = false
        keepsHeaders = false
        syntaxError = nil
        keys = .everything
        aps = nil
        contentAvailable = .absent
    }

    /// Starts with a bare payload and reads it. The headers are usually those of the previous payload. For an envelope or a
    /// simulator file, only `isWrapped` is known then.
    ///
    /// - Returns: Whether the payload is JSON.
    mutating func begin(bare text: UnsafeRawBufferPointer, topic: String?, pushType: String?) -> Bool {
        guard read(text, topic: topic, pushType: pushType) else { return false }
        begin(bareWith: topic, pushType)
        return true
    }

    /// Reads a text into `document`. If it is JSON, `begin(bareWith:)` has to follow.
    ///
    /// - Returns: Whether it is JSON.
    mutating func read(_ text: UnsafeRawBufferPointer, topic: String?, pushType: String?) -> Bool {
        do throws(JSONSyntaxError) {
            try document.parse(copying: text)
        } catch {
            beginBare(topic, pushType)
            syntaxError = error
            envelope.payload = Array(text)
            keys = .everything
            return false
        }
        return true
    }

    /// Starts with the bare payload that `read` has read, unless it `isWrapped`.
    mutating func begin(bareWith topic: String?, _ pushType: String?) {
        index.read(document, endsAtWrapped: true)
        guard !isWrapped else { return }
        beginBare(topic, pushType)
        takeIndex()
        envelope.payload = document.bytes
    }

    private mutating func beginBare(_ topic: String?, _ pushType: String?) {
        if !isBare || envelope.topic != topic || envelope.pushType != pushType {
            begin(Envelope(kind: .payload, topic: topic, pushType: pushType, payload: []))
            isBare = true
        }
        syntaxError = nil
    }

    /// Starts with a notification whose headers are kept: `begin(payload:)` can replace its payload by others.
    mutating func keepHeaders(of envelope: consuming Envelope) {
        begin(envelope)
        keepsHeaders = true
    }

    /// Starts with another payload for the headers that are kept, and reads it.
    ///
    /// - Returns: Whether the payload is JSON.
    mutating func begin(payload: [UInt8]) -> Bool {
        syntaxError = nil
        envelope.payload = payload
        return readPayload()
    }

    /// Whether the JSON that was read is an envelope or a simulator file.
    var isWrapped: Bool { index.isWrapped }

    /// Whether `begin(bare:)` made the envelope.
    private var isBare = false
    /// Whether `begin(payload:)` can be called.
    private(set) var keepsHeaders = false

    /// Releases the payload, so that its memory can be reused.
    mutating func end() {
        guard !envelope.payload.isEmpty else { return }
        if isBare || keepsHeaders {
            envelope.payload = []
        } else {
            envelope = Envelope(kind: .notification, payload: [])
        }
    }

    /// Reads the payload. After this, rules of every stage can run.
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

    /// Starts with the payload of an envelope for the headers that are kept.
    ///
    /// - Parameter line: The document of the envelope.
    mutating func begin(payload: JSONIndex, of line: borrowing JSONDocument) {
        syntaxError = nil
        document.become(payload, of: line)
        lookIntoDocument()
        envelope.payload = document.bytes
    }

    private mutating func lookIntoDocument() {
        index.read(document)
        takeIndex()
    }

    private mutating func takeIndex() {
        keys = index.found
        aps = self[.aps].flatMap { document.isObject($0) ? $0 : nil }
        contentAvailable = ContentAvailable(index[.contentAvailable], of: document)
    }

    /// The value of a known key in its object; the last value of a repeated key. A null counts as absent, as it
    /// probably does for a device.
    subscript(key: KnownKey) -> JSONIndex? { index.isNull(key) ? nil : index[key] }

    /// Whether a string is one of the documented values of a key.
    func isWord(_ value: JSONIndex, of key: KnownKey) -> Bool { index.isWord(value, of: key, in: document) }

    /// The value of a known key, also a null.
    func written(_ key: KnownKey) -> JSONIndex? { index[key] }

    /// Whether the payload has at least one of these keys or facts.
    func has(_ keys: KeySet) -> Bool { self.keys.intersects(keys) }

    /// Whether `aps` has no alert, badge or sound.
    var isSilent: Bool { self[.alert] == nil && self[.badge] == nil && self[.sound] == nil }

    /// Whether the push type is alert or background, or may be one of them.
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

    /// The place of an object in which a key is missing: its opening bracket.
    func place(ofMissingIn object: JSONIndex) -> Finding.Place {
        let start = document.range(of: object).lowerBound
        return .pointer(document.pointer(to: object), start..<start + 1)
    }

    /// A value for a message: as it is written, at most 32 characters.
    func shown(_ index: JSONIndex) -> String {
        let source = document.source(of: index)
        return source.unicodeScalars.count > 32 ? String(source.unicodeScalars.prefix(31)) + "…" : source
    }
}
