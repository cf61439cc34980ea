/// JSON being written, member by member, compact and in the given order.
package struct JSONText {
    package private(set) var bytes: [UInt8] = []

    package static func object(_ fill: (inout JSONText) -> Void) -> JSONText {
        var text = JSONText()
        text.bytes.append(UInt8(ascii: "{"))
        fill(&text)
        text.bytes.append(UInt8(ascii: "}"))
        return text
    }

    package static func array(_ elements: some Sequence<JSONText>) -> JSONText {
        var text = JSONText()
        text.bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { text.bytes.append(UInt8(ascii: ",")) }
            text.bytes += element.bytes
        }
        text.bytes.append(UInt8(ascii: "]"))
        return text
    }

    package static func string(_ value: String) -> JSONText {
        var text = JSONText()
        JSONWriter.append(value, to: &text.bytes)
        return text
    }

    package init() {}

    /// - Parameter bytes: JSON already.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    package init(number: Int64) { bytes = Array("\(number)".utf8) }

    private mutating func key(_ key: StaticString) { self.key("\(key)" as String) }

    private mutating func key(_ key: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        JSONWriter.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func add(_ name: StaticString, _ value: JSONText) {
        key(name)
        bytes += value.bytes
    }

    /// - Parameter json: A value that is JSON already.
    package mutating func add(_ name: StaticString, json: [UInt8]) {
        key(name)
        bytes += json
    }

    /// - Parameter json: A value that is JSON already.
    package mutating func add(name: String, json: [UInt8]) {
        key(name)
        bytes += json
    }

    package mutating func add(_ name: StaticString, _ value: String) {
        key(name)
        JSONWriter.append(value, to: &bytes)
    }

    /// Nothing for nil.
    package mutating func addIfAny(_ name: StaticString, _ value: String?) {
        if let value { add(name, value) }
    }

    /// `null` for nil.
    package mutating func addOrNull(_ name: StaticString, _ value: String?) {
        if let value { add(name, value) } else { add(name, json: Array("null".utf8)) }
    }

    /// `null` for nil.
    package mutating func addOrNull(_ name: StaticString, _ value: Int?) {
        add(name, json: Array((value.map { "\($0)" } ?? "null").utf8))
    }

    package mutating func add(_ name: StaticString, _ value: Bool) {
        add(name, json: Array((value ? "true" : "false").utf8))
    }

    package mutating func add(_ name: StaticString, _ value: some BinaryInteger) {
        add(name, json: Array("\(value)".utf8))
    }

    /// - Parameter value: A finite number.
    package mutating func add(_ name: StaticString, _ value: Double) { add(name, json: Array("\(value)".utf8)) }

    package mutating func add(_ name: StaticString, strings: some Sequence<String>) {
        add(name, .array(strings.map { JSONText.string($0) }))
    }
}
