import PayloadJSON

/// A value in a body, with its place.
struct BodyPart {
    private let document: JSONDocument
    let index: JSONIndex
    private let bytes: [UInt8]

    init(_ document: JSONDocument, _ index: JSONIndex, _ bytes: [UInt8]) {
        (self.document, self.index, self.bytes) = (document, index, bytes)
    }

    /// The member of one of these names, of an object.
    subscript(names: String...) -> BodyPart? {
        for name in names {
            if let value = document.member(named: name, of: index) { return BodyPart(document, value, bytes) }
        }
        return nil
    }

    /// Whether an object has a member of this name, other than null.
    func has(_ name: String) -> Bool { self[name].map { !$0.isNull } ?? false }

    /// The members of an object in their order, a repeated key at its last place; those whose value is null are absent.
    var members: [(key: String, value: BodyPart)] { allMembers.filter(\.isLast).map { (key: $0.key, value: $0.value) } }

    /// The values before the last one of a repeated key, which `members` leaves out.
    var overridden: [BodyPart] { allMembers.filter { !$0.isLast }.map(\.value) }

    private struct Member {
        let key: String
        let value: BodyPart
        /// Whether no member after it has the same key.
        let isLast: Bool
    }

    /// Without those whose value is null.
    private var allMembers: [Member] {
        let pairs: [(key: String, value: JSONIndex)] = document.members(of: index).compactMap { member in
            guard let key = document.string(of: member.key) else { return nil }
            return (key, member.value)
        }
        // By their bytes, because strings are equal whose characters are composed otherwise.
        let last = Dictionary(pairs.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { _, later in later })
        return pairs.filter { document.kind(of: $0.value) != .null }.map {
            Member(
                key: $0.key, value: BodyPart(document, $0.value, bytes), isLast: last[Array($0.key.utf8)] == $0.value)
        }
    }

    var elements: [BodyPart] { document.elements(of: index).map { BodyPart(document, $0, bytes) } }

    var isObject: Bool { document.isObject(index) }
    var isArray: Bool { document.kind(of: index) == .array }
    var isNull: Bool { document.kind(of: index) == .null }
    var isFalse: Bool { document.kind(of: index) == .false || integer == 0 }
    var isTrue: Bool { document.kind(of: index) == .true || document.isOne(index) }
    var string: String? { document.string(of: index) }
    var integer: Int64? { document.integer(of: index) }
    /// A string, or a number as it is written.
    var text: String? {
        switch document.kind(of: index) {
        case .string: document.string(of: index)
        case .integer, .fraction: document.source(of: index)
        default: nil
        }
    }

    /// The value in compact JSON.
    var json: [UInt8] { CompactBytes.of(bytes, document.range(of: index)) }

    var offset: Int { document.range(of: index).lowerBound }
    var pointer: String { document.pointer(to: index) }

    func note(_ kind: BodyConversion.Note.Kind, _ text: String) -> BodyConversion.Note {
        BodyConversion.Note(kind: kind, pointer: pointer, offset: offset, text: text)
    }
}
