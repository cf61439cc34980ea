import PayloadJSON

/// A JSON value for the app's own data in a payload.
///
/// There is no null: a device treats a null member as absent, and some versions of the system drop the whole push
/// (docs/reference/apns.md 6.2). Integers and fractions are separate cases, because a decoder of `Int` refuses `1.0`.
public indirect enum PayloadValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case number(FiniteNumber)
    case boolean(Bool)
    case array([PayloadValue])
    case object([String: PayloadValue])

    /// The value in compact JSON.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    func append(to bytes: inout [UInt8]) {
        switch self {
        case .string(let text): JSONWriter.append(text, to: &bytes)
        case .integer(let number): bytes += String(number).utf8
        case .number(let number): bytes += number.value.description.utf8
        case .boolean(let isTrue): bytes += (isTrue ? "true" : "false").utf8
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes += PayloadWriter.object { writer in
                for (key, value) in PayloadValue.sorted(members) { writer.write(key, value) }
            }
        }
    }

    /// Sorted by the bytes of the keys, so that the order is always the same.
    static func sorted(_ members: [String: PayloadValue]) -> [(key: String, value: PayloadValue)] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}

extension PayloadValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral text: String) { self = .string(text) }
    public init(integerLiteral number: Int64) { self = .integer(number) }
    public init(floatLiteral number: Double) { self = .number(FiniteNumber(floatLiteral: number)) }
    public init(booleanLiteral isTrue: Bool) { self = .boolean(isTrue) }
    public init(arrayLiteral elements: PayloadValue...) { self = .array(elements) }
    public init(dictionaryLiteral members: (String, PayloadValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}
