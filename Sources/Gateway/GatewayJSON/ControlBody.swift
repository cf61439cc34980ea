import APNSModel
import APNSPayload
package import GatewayCore
package import PayloadJSON

/// The JSON object in the body of a control request, or an object within it, read strictly: an error is reported with
/// line and column, and an unknown key is refused, because it is usually a typing error.
package struct ControlBody {
    private let document: JSONDocument
    private let object: JSONIndex
    private let keys: [String]
    private let firstLine: Int
    /// The source of its text, if it was converted from another format.
    private let origin: PlacedJSON?

    /// The largest body, in bytes.
    package static let maximumBytes = 64 << 10
    private static let maximumDepth = 16

    /// - Parameter keys: All keys that it may have.
    package init(_ bytes: [UInt8], keys: [String]) throws(Problem) {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            // As deep as a payload that senders may send.
            document = try JSONDocument(bytes)
        } catch {
            let place = LineIndex(bytes).location(of: error.offset)
            throw .badRequest("the body is not JSON: line \(place.line), column \(place.column): \(error.description)")
        }
        guard document.kind(of: .root) == .object else {
            throw .badRequest(
                "the body is \(ControlBody.name(of: document.kind(of: .root))); "
                    + "send an object with the keys \(keys.joined(separator: ", "))")
        }
        try self.init(document, .root, keys: keys)
    }

    /// The objects of an array in a file, or the single object in it.
    ///
    /// - Parameter firstLine: The line of the file on which `bytes` begins.
    package static func objects(
        in bytes: [UInt8], firstLine: Int = 1, keys: [String]
    ) throws(Problem) -> [ControlBody] {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(bytes, maximumDepth: maximumDepth)
        } catch {
            let place = LineIndex(bytes).location(of: error.offset)
            throw .badRequest("line \(place.line + firstLine - 1), column \(place.column): \(error.description)")
        }
        let isArray = document.kind(of: .root) == .array
        var objects: [ControlBody] = []
        for element in isArray ? Array(document.elements(of: .root)) : [.root] {
            objects.append(try ControlBody(document, element, keys: keys, firstLine: firstLine))
        }
        return objects
    }

    /// The object that was converted from a part of a YAML file; messages name places in that file.
    package init(_ json: PlacedJSON, keys: [String]) throws(Problem) {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(json.bytes, maximumDepth: ControlBody.maximumDepth)
        } catch {
            let place = json.place(of: error.offset)
            throw .badRequest("line \(place.line), column \(place.column): \(error.description)")
        }
        try self.init(document, .root, keys: keys, origin: json)
    }

    private init(
        _ document: JSONDocument, _ object: JSONIndex, keys: [String], firstLine: Int = 1, origin: PlacedJSON? = nil
    ) throws(Problem) {
        self.document = document
        self.object = object
        self.keys = keys
        self.firstLine = firstLine
        self.origin = origin
        guard document.kind(of: object) == .object else {
            throw problem(
                "this is \(ControlBody.name(of: document.kind(of: object))); an object with the keys "
                    + "\(keys.joined(separator: ", ")) is expected")
        }
        for member in document.members(of: object) {
            let key = document.string(of: member.key) ?? ""
            guard !keys.contains(key) else { continue }
            throw .badRequest(
                "\(place(of: member.key)): the key \(ControlBody.quoted(key)) is not known here; "
                    + ControlBody.hint(key, keys), pointer: document.pointer(to: member.value))
        }
        if let repeated = document.repeatedKeys(of: object).first {
            throw .badRequest(
                "\(place(of: repeated)): the key \(ControlBody.quoted(document.string(of: repeated) ?? "")) appears "
                    + "twice; send it once", pointer: document.pointer(to: repeated))
        }
    }

    /// The value of a key; nil where it is absent or null.
    private func value(_ key: String) -> JSONIndex? {
        guard let value = document.member(named: key, of: object), document.kind(of: value) != .null else { return nil }
        return value
    }

    /// The keys whose value is not null.
    package var present: [String] { keys.filter { value($0) != nil } }

    /// Nil where the key is absent or null.
    package func kind(_ key: String) -> JSONKind? { value(key).map { document.kind(of: $0) } }

    /// - Parameter keys: All keys that the object may have.
    package func object(_ key: String, keys: [String]) throws(Problem) -> ControlBody? {
        guard let value = value(key) else { return nil }
        guard document.kind(of: value) == .object else {
            throw wrong(key, value, "an object with the keys \(keys.joined(separator: ", "))")
        }
        return try ControlBody(document, value, keys: keys, firstLine: firstLine, origin: origin)
    }

    package func integer(_ key: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = whole(value), range.contains(number) else {
            throw wrong(key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A whole number from 0 to 18446744073709551615, as seeds are.
    package func natural(_ key: String) throws(Problem) -> UInt64? {
        guard let value = value(key) else { return nil }
        guard let number = UInt64(document.source(of: value)) ?? whole(value).flatMap({ UInt64(exactly: $0) }) else {
            throw wrong(key, value, "a whole number from 0 to \(UInt64.max)")
        }
        return number
    }

    /// A number without a fraction, also if it is written as 5.0.
    private func whole(_ value: JSONIndex) -> Int64? {
        document.integer(of: value) ?? document.number(of: value).flatMap { Int64(exactly: $0) }
    }

    package func number(_ key: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        guard let value = value(key) else { return nil }
        guard let number = document.number(of: value), range.contains(number) else {
            throw wrong(key, value, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package func string(_ key: String) throws(Problem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = document.string(of: value) else { throw wrong(key, value, "a string") }
        return text
    }

    /// The value of a header: a string, or a number as it is written.
    package func header(_ key: String) throws(Problem) -> String? {
        guard let value = value(key) else { return nil }
        switch document.kind(of: value) {
        case .string: return document.string(of: value)
        case .integer, .fraction: return document.source(of: value)
        default: throw wrong(key, value, "a string or a number")
        }
    }

    /// A value in compact form; nil where the key is absent, and `null` where its value is null.
    package func compact(_ key: String) -> [UInt8]? {
        guard let value = document.member(named: key, of: object) else { return nil }
        return CompactJSON.compact(document.bytes, in: document.range(of: value)).bytes
    }

    /// A required string.
    package func required(_ key: String, _ example: String) throws(Problem) -> String {
        guard let text = try string(key) else {
            throw missing(key, "{\"\(key)\":\"\(example)\"}")
        }
        return text
    }

    /// Nil where the key is absent or null.
    package func match(_ key: String) throws(Problem) -> NotificationMatch? {
        guard let value = value(key) else { return nil }
        guard document.kind(of: value) == .object else {
            throw wrong(key, value, "an object such as {\"apns-topic\":\"com.example.agent\"}")
        }
        if let repeated = document.repeatedKeys(of: value).first {
            throw .badRequest(
                "\(place(of: repeated)): the key \(ControlBody.quoted(document.string(of: repeated) ?? "")) appears "
                    + "twice; send it once", pointer: document.pointer(to: repeated))
        }
        do throws(NotificationMatch.ParseError) {
            return try NotificationMatch(document, value)
        } catch {
            if let wanted = error.wanted { throw wrong(error.key, error.index, wanted) }
            throw .badRequest(
                "\(place(of: error.index)): the key \(ControlBody.quoted(error.key)) is not known here; "
                    + ControlBody.hint(error.key, NotificationMatch.keys), pointer: document.pointer(to: error.index))
        }
    }

    package func bool(_ key: String) throws(Problem) -> Bool? {
        guard let value = value(key) else { return nil }
        switch document.kind(of: value) {
        case .true: return true
        case .false: return false
        default: throw wrong(key, value, "true or false")
        }
    }

    package func strings(_ key: String) throws(Problem) -> [String]? {
        guard let value = value(key) else { return nil }
        guard document.kind(of: value) == .array else { throw wrong(key, value, "an array of strings") }
        var strings: [String] = []
        for element in document.elements(of: value) {
            guard let text = document.string(of: element) else { throw wrong(key, element, "an array of strings") }
            strings.append(text)
        }
        return strings
    }

    /// One of the raw values of an enum.
    package func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String, as type: Word.Type = Word.self
    ) throws(Problem) -> Word? {
        guard let value = value(key) else { return nil }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        guard let text = document.string(of: value), let word = Word(rawValue: text) else {
            throw wrong(key, value, "one of \(words)")
        }
        return word
    }

    /// Milliseconds since 1970.
    ///
    /// - Parameter other: What the caller takes besides, for the message.
    package func time(_ key: String, or other: String = "") throws(Problem) -> Int64? {
        guard let value = value(key) else { return nil }
        let text = document.string(of: value) ?? whole(value).map { "\($0)" }
        guard let time = text.flatMap({ TimeText.milliseconds(ofTime: $0) }) else {
            throw wrong(key, value, "a time in RFC 3339 such as 2026-11-21T07:00:00Z, or Unix seconds\(other)")
        }
        return time
    }

    /// Milliseconds.
    package func duration(_ key: String) throws(Problem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let duration = document.string(of: value).flatMap({ TimeText.milliseconds(ofDuration: $0) }) else {
            throw wrong(key, value, "a duration such as \"250ms\", \"5s\", \"55m\", \"2h\" or \"30d\"")
        }
        return duration
    }

    /// A problem with the object as a whole.
    package func problem(_ detail: String) -> Problem {
        .badRequest("\(place(of: object)): \(detail)", pointer: document.pointer(to: object))
    }

    /// A problem with a missing key.
    package func missing(_ key: String, _ example: String) -> Problem {
        .badRequest(
            "the key \"\(key)\" is missing; send for example \(example)",
            pointer: document.pointer(to: object) + "/\(key)")
    }

    /// A problem with a value that is not `wanted`.
    package func wrong(_ key: String, _ wanted: String) -> Problem { wrong(key, value(key) ?? object, wanted) }

    private func wrong(_ key: String, _ value: JSONIndex, _ wanted: String) -> Problem {
        .badRequest(
            "\(place(of: value)): \"\(key)\" must be \(wanted)",
            pointer: value == object ? document.pointer(to: object) + "/\(key)" : document.pointer(to: value))
    }

    private func place(of index: JSONIndex) -> String {
        let start = document.range(of: index).lowerBound
        if let place = origin?.place(of: start) { return "line \(place.line), column \(place.column)" }
        let place = LineIndex(document.bytes).location(of: start)
        return "line \(place.line + firstLine - 1), column \(place.column)"
    }

    private static func name(of kind: JSONKind) -> String {
        switch kind {
        case .null: "null"
        case .true, .false: "a Boolean"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        case .integer, .fraction: "a number"
        }
    }

    private static func quoted(_ key: String) -> String { JSONWriter.quoted(ShownText.cut(key, to: 64)) }

    /// Suggests the known key that differs only in case and separators, or the most similar one, or lists all keys.
    private static func hint(_ key: String, _ keys: [String]) -> String {
        let letters = key.lowercased().filter { $0.isLetter }
        let near = keys.first { $0.filter { $0.isLetter } == letters } ?? Suggestion.best(for: key, among: keys)
        if let near { return "did you mean \"\(near)\"?" }
        return keys.isEmpty ? "it takes none" : "known are \(keys.joined(separator: ", "))"
    }
}
