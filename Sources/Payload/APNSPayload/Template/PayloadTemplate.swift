import PayloadJSON

/// A payload with places in its strings that are filled for each recipient: `{{path}}`, or `{{path|fallback}}` with what
/// stands there for a recipient without a value.
///
/// A path is the names of members and the positions in arrays, from 0, with dots between them, such as
/// `recommendations.0.name`; or a JSON pointer, such as `/recommendations/0/name`. A string that is one place and nothing
/// else takes a value of any kind: `"badge": "{{unread}}"` becomes `"badge": 3`.
package struct PayloadTemplate: Hashable, Sendable {
    /// One place to fill.
    package struct Place: Hashable, Sendable {
        /// The path as it is written, for messages.
        package let name: String
        let steps: [String]
        /// The contents of a JSON string; nil where there is none.
        let fallback: [UInt8]?
    }

    enum Segment: Hashable, Sendable {
        case bytes([UInt8])
        /// A string that is this place only. It is replaced with its quotes.
        case value(Place)
        /// A place within a string.
        case text(Place)
    }

    let segments: [Segment]
    /// How many bytes every rendered payload has at least.
    package let minimumBytes: Int

    /// The places, each name once, in the order of the template.
    package var places: [Place] {
        var names: Set<String> = []
        return segments.compactMap { segment in
            switch segment {
            case .bytes: nil
            case .value(let place), .text(let place): names.insert(place.name).inserted ? place : nil
            }
        }
    }

    /// - Parameter payload: JSON, in the form in which it is sent.
    /// - Throws: An error with the offset of what is wrong.
    package init(_ payload: [UInt8]) throws(PayloadTemplateError) {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(payload)
        } catch {
            throw PayloadTemplateError(offset: error.offset, detail: "not JSON: \(error)")
        }
        var strings: [Range<Int>] = []
        try PayloadTemplate.collect(.root, of: document, into: &strings)
        var segments: [Segment] = []
        var start = 0
        for string in strings {
            let found = try PayloadTemplate.segments(ofString: string, in: payload)
            if case .value? = found.first {
                segments.append(.bytes(Array(payload[start..<string.lowerBound])))
                segments += found
                start = string.upperBound
            } else {
                segments.append(.bytes(Array(payload[start...string.lowerBound])))
                segments += found
                start = string.upperBound - 1
            }
        }
        segments.append(.bytes(Array(payload[start...])))
        self.segments = segments
        minimumBytes = segments.reduce(0) { count, segment in
            if case .bytes(let bytes) = segment { return count + bytes.count }
            return count
        }
    }

    private static let opening = Array("{{".utf8)
    private static let closing = Array("}}".utf8)

    /// Collects the strings with a place, in order. The recursion ends, because the reader limits the depth.
    private static func collect(
        _ index: JSONIndex, of document: borrowing JSONDocument, into strings: inout [Range<Int>]
    ) throws(PayloadTemplateError) {
        switch document.kind(of: index) {
        case .string:
            let range = document.range(of: index)
            if document.bytes[range].firstRange(of: opening) != nil { strings.append(range) }
        case .array:
            for element in document.elements(of: index) { try collect(element, of: document, into: &strings) }
        case .object:
            for member in document.members(of: index) {
                let key = document.range(of: member.key)
                guard document.bytes[key].firstRange(of: opening) == nil else {
                    throw PayloadTemplateError(
                        offset: key.lowerBound, detail: "a key has a place to fill; only values can have one")
                }
                try collect(member.value, of: document, into: &strings)
            }
        case .null, .true, .false, .integer, .fraction: break
        }
    }

    /// The parts of a string without its quotes; a single `value` for one that is a place and nothing else.
    private static func segments(
        ofString range: Range<Int>, in payload: [UInt8]
    ) throws(PayloadTemplateError) -> [Segment] {
        var rest = payload[range.lowerBound + 1..<range.upperBound - 1]
        var segments: [Segment] = []
        while let start = rest.firstRange(of: opening) {
            guard let end = rest[start.upperBound...].firstRange(of: closing) else {
                throw PayloadTemplateError(
                    offset: start.lowerBound, detail: "a place begins here with {{ and does not end with }}")
            }
            let place = try place(rest[start.upperBound..<end.lowerBound], at: start.lowerBound)
            if start.lowerBound == range.lowerBound + 1, end.upperBound == range.upperBound - 1 {
                return [.value(place)]
            }
            if start.lowerBound > rest.startIndex {
                segments.append(.bytes(Array(rest[rest.startIndex..<start.lowerBound])))
            }
            segments.append(.text(place))
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { segments.append(.bytes(Array(rest))) }
        return segments
    }

    private static func place(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(PayloadTemplateError) -> Place {
        let parts = bytes.split(separator: UInt8(ascii: "|"), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: trimmed(parts[0]), as: UTF8.self)
        guard !name.utf8.contains(UInt8(ascii: "\\")), !name.contains("{") else {
            throw PayloadTemplateError(offset: offset, detail: "a path has neither backslashes nor braces")
        }
        let steps: [String]
        if name.hasPrefix("/") {
            steps = name.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
                String($0).replacing("~1", with: "/").replacing("~0", with: "~")
            }
        } else {
            steps = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard !steps.contains("") else {
                throw PayloadTemplateError(
                    offset: offset, detail: "the path \"\(name)\" is not names with dots between them")
            }
        }
        return Place(name: name, steps: steps, fallback: parts.count > 1 ? Array(trimmed(parts[1])) : nil)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.drop { $0 == UInt8(ascii: " ") }
        return start.lastIndex { $0 != UInt8(ascii: " ") }.map { start[...$0] } ?? []
    }
}

/// What is wrong with a template.
package struct PayloadTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset in the payload.
    package var offset: Int
    package var detail: String

    package var description: String { detail }
}
