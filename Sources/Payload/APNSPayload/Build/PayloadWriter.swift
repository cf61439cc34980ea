import PayloadJSON

/// Writes one JSON object, member by member in the order of the calls.
struct PayloadWriter {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]
    private var isEmpty = true

    /// The object that `body` writes.
    static func object(_ body: (inout PayloadWriter) -> Void) -> [UInt8] {
        var writer = PayloadWriter()
        body(&writer)
        return writer.bytes + [UInt8(ascii: "}")]
    }

    /// Writes nothing for nil.
    mutating func write(_ key: String, _ value: PayloadValue?) {
        guard let value else { return }
        start(key)
        value.append(to: &bytes)
    }

    mutating func write(_ key: String, _ text: String?) { write(key, text.map { .string($0) }) }

    /// Writes the number 1 for true and nothing for false.
    mutating func write(_ key: String, flag: Bool) { write(key, flag ? .integer(1) : nil) }

    /// Writes whole seconds since 1970.
    mutating func write(_ key: String, _ date: PushDate?) { write(key, date.map { .integer($0.secondsSince1970) }) }

    /// Writes an array of strings; nothing if it is empty.
    mutating func write(_ key: String, strings: [String]) {
        write(key, strings.isEmpty ? nil : .array(strings.map { .string($0) }))
    }

    mutating func write(_ key: String, _ body: (inout PayloadWriter) -> Void) {
        start(key)
        bytes += PayloadWriter.object(body)
    }

    mutating func write(_ custom: CustomData) {
        for (key, value) in PayloadValue.sorted(custom.values) { write(key, value) }
    }

    private mutating func start(_ key: String) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        JSONWriter.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}
