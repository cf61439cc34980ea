package import PayloadJSON

extension PayloadTemplate {
    /// Why a recipient's payload cannot be rendered.
    package enum RenderingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The recipient has no value for this place, and the place has no fallback.
        case noValue(String)
        /// The value within a text is an array or an object.
        case notText(String, kind: String)
        /// The payload has more bytes than any that could be sent.
        case tooLarge(limit: Int)

        package var description: String {
            switch self {
            case .noValue(let name):
                "there is no value for {{\(name)}}; add one, or give the place a fallback: {{\(name)|…}}"
            case .notText(let name, let kind):
                "the value of {{\(name)}} is \(kind), which cannot be part of a text; name a member of it"
            case .tooLarge(let limit): "the payload has more than \(limit) bytes"
            }
        }
    }

    /// The payload of one recipient.
    ///
    /// Values are copied as they are written, in compact form: a string within a text keeps its escapes.
    ///
    /// - Parameters:
    ///   - values: The recipient's values. A null counts as absent.
    ///   - limit: Rendering stops after this many bytes.
    package func rendered(
        with values: borrowing JSONDocument, limit: Int
    ) throws(RenderingError) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(minimumBytes + 256)
        for segment in segments {
            switch segment {
            case .bytes(let bytes): payload += bytes
            case .value(let place): try append(valueOf: place, values, to: &payload)
            case .text(let place): try append(textOf: place, values, to: &payload)
            }
            guard payload.count <= limit else { throw .tooLarge(limit: limit) }
        }
        return payload
    }

    /// The places with the most bytes, the largest first, for a message about a payload that is too large.
    package func largest(with values: borrowing JSONDocument, count: Int) -> [(name: String, bytes: Int)] {
        var sizes: [(name: String, bytes: Int)] = []
        for place in places {
            guard let value = PayloadTemplate.value(of: place, values) else { continue }
            sizes.append((place.name, values.range(of: value).count))
        }
        return Array(sizes.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }.prefix(count))
    }

    private func append(
        valueOf place: Place, _ values: borrowing JSONDocument, to payload: inout [UInt8]
    ) throws(RenderingError) {
        guard let value = PayloadTemplate.value(of: place, values) else {
            guard let fallback = place.fallback else { throw .noValue(place.name) }
            payload.append(UInt8(ascii: "\""))
            payload += fallback
            payload.append(UInt8(ascii: "\""))
            return
        }
        let range = values.range(of: value)
        switch values.kind(of: value) {
        case .array, .object: payload += CompactJSON.compact(values.bytes, in: range).bytes
        default: payload += values.bytes[range]
        }
    }

    private func append(
        textOf place: Place, _ values: borrowing JSONDocument, to payload: inout [UInt8]
    ) throws(RenderingError) {
        guard let value = PayloadTemplate.value(of: place, values) else {
            guard let fallback = place.fallback else { throw .noValue(place.name) }
            payload += fallback
            return
        }
        let range = values.range(of: value)
        let kind = values.kind(of: value)
        switch kind {
        case .array, .object: throw .notText(place.name, kind: kind.inWords)
        case .string: payload += values.bytes[range.lowerBound + 1..<range.upperBound - 1]
        default: payload += values.bytes[range]
        }
    }

    /// The value at the path of a place; nil for none and for null.
    private static func value(of place: Place, _ values: borrowing JSONDocument) -> JSONIndex? {
        var index = JSONIndex.root
        for step in place.steps {
            switch values.kind(of: index) {
            case .object:
                guard let member = values.member(named: step, of: index) else { return nil }
                index = member
            case .array:
                guard let position = Int(step), position >= 0, step == "\(position)",
                    let element = element(position, of: index, values)
                else { return nil }
                index = element
            default: return nil
            }
        }
        return values.kind(of: index) == .null ? nil : index
    }

    private static func element(
        _ position: Int, of array: JSONIndex, _ values: borrowing JSONDocument
    ) -> JSONIndex? {
        var left = position
        for element in values.elements(of: array) {
            if left == 0 { return element }
            left -= 1
        }
        return nil
    }
}
