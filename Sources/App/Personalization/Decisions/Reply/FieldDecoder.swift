import Foundation
import PushDispatch

/// Decodes values of a decision, with a text read as what the type asks for.
struct FieldDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from value: JSONValue, at path: [any CodingKey]
    ) throws -> Value {
        func taken(_ read: Any?, _ wanted: String) throws -> Value {
            guard let read = read as? Value else { throw mismatch(type, value, at: path, wanted) }
            return read
        }
        // Types whose own decoding knows no text.
        switch type {
        case is Date.Type: return try taken(FieldScalar.date(value), "a date of ISO 8601")
        case is Decimal.Type: return try taken(FieldScalar.decimal(value), "a number")
        case is URL.Type: return try taken(value.string.flatMap { URL(string: $0) }, "a URL")
        default: return try Value(from: FieldDecoder(value: value, codingPath: path))
        }
    }

    static func mismatch(
        _ type: Any.Type, _ value: JSONValue, at path: [any CodingKey], _ wanted: String
    ) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: path, debugDescription: "is \(value.kindInWords) that cannot be read as \(wanted)")
        return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = value.object else {
            throw FieldDecoder.mismatch([String: Any].self, value, at: codingPath, "an object")
        }
        return KeyedDecodingContainer(FieldKeyedContainer<Key>(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.array else {
            throw FieldDecoder.mismatch([Any].self, value, at: codingPath, "an array")
        }
        return FieldUnkeyedContainer(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension FieldDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try read(type, "a Boolean") { FieldScalar.flag($0) } }

    func decode(_ type: String.Type) throws -> String { try read(type, "a text") { FieldScalar.text($0) } }

    func decode(_ type: Double.Type) throws -> Double { try read(type, "a number") { FieldScalar.number($0) } }

    func decode(_ type: Float.Type) throws -> Float {
        try read(type, "a number") { FieldScalar.number($0).flatMap { Float($0).isFinite ? Float($0) : nil } }
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try FieldDecoder.decode(type, from: value, at: codingPath)
    }

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        try read(type, "a whole number of this type") { FieldScalar.integer($0).flatMap { Value(exactly: $0) } }
    }

    private func read<Value>(_ type: Value.Type, _ wanted: String, _ read: (JSONValue) -> Value?) throws -> Value {
        guard let read = read(value) else { throw FieldDecoder.mismatch(type, value, at: codingPath, wanted) }
        return read
    }
}
