package import PushDispatch

/// What a result should be: a JSON value of which each key must be there, while the result may have more.
///
/// `"…"` stands for any value. Arrays have the same number of elements.
package struct PlayExpectation: Hashable, Sendable {
    package static let anything = "…"

    package var value: JSONValue

    package init(_ value: JSONValue) { self.value = value }

    /// Where a result differs, and how; empty if it is as expected.
    package func differences(from result: JSONValue) -> [String] {
        PlayExpectation.differences(value, result, at: "")
    }

    private static func differences(_ expected: JSONValue, _ actual: JSONValue, at place: String) -> [String] {
        guard expected != .string(anything) else { return [] }
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)):
            return expected.keys.sorted().flatMap { key -> [String] in
                let place = "\(place)/\(key)"
                guard let wanted = expected[key] else { return [] }
                guard let found = actual[key] else { return ["\(place) is missing; \(shown(wanted)) is expected"] }
                return differences(wanted, found, at: place)
            }
        case (.array(let expected), .array(let actual)):
            guard expected.count == actual.count else {
                return ["\(place) has \(actual.count) elements; \(expected.count) are expected"]
            }
            return zip(expected, actual).enumerated().flatMap { index, pair in
                differences(pair.0, pair.1, at: "\(place)/\(index)")
            }
        default:
            return expected == actual
                ? [] : ["\(place.isEmpty ? "the result" : place) is \(shown(actual)); \(shown(expected)) is expected"]
        }
    }

    private static func shown(_ value: JSONValue) -> String {
        let text = String(decoding: value.compactBytes, as: UTF8.self)
        return text.count > 200 ? text.prefix(200) + "…" : text
    }
}
