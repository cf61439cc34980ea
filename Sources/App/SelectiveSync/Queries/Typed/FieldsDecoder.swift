import Foundation
import PushDispatch

/// Decodes a `Decodable` value from JSON values.
///
/// A number decodes as every number type that has the value, a Boolean also from 1 and 0, and a number from a Boolean. Dates are
/// those of the server.
struct FieldsDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: JSONValue, _ codingPath: [any CodingKey] = []) {
        self.value = value
        self.codingPath = codingPath
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from fields: [String: JSONValue]) throws -> Value {
        try FieldsDecoder(.object(fields)).decoded(type)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(KeyedFields<Key>(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([Any].self) }
        return ListedFields(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The error names the field and the kind of its value, and not the value.
    private func mismatch(_ type: any Any.Type) -> DecodingError {
        DecodingError.typeMismatch(
            type, DecodingError.Context(codingPath: codingPath, debugDescription: "the field is \(value.kindInWords)"))
    }

    fileprivate func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch type {
        case is Date.Type: return try date() as! Value
        case is ServerDate.Type: return try serverDate() as! Value
        case is Decimal.Type: return try decimal() as! Value
        case is URL.Type: return try url() as! Value
        default: return try Value(from: self)
        }
    }

    private func serverDate() throws -> ServerDate {
        guard case .string(let text) = value, let date = FieldValue.date(text) else { throw mismatch(Date.self) }
        return date
    }

    private func date() throws -> Date {
        Date(timeIntervalSince1970: Double(try serverDate().millisecondsSince1970) / 1_000)
    }

    private func decimal() throws -> Decimal {
        switch value {
        case .integer(let integer): return Decimal(integer)
        case .number(let number):
            // By its shortest digits, so that 0.1 is 0.1.
            guard let decimal = Decimal(string: "\(number)") else { throw mismatch(Decimal.self) }
            return decimal
        default: throw mismatch(Decimal.self)
        }
    }

    private func url() throws -> URL {
        guard case .string(let text) = value, let url = URL(string: text) else { throw mismatch(URL.self) }
        return url
    }

    fileprivate func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let number: Number? =
            switch value {
            case .integer(let integer): Number(exactly: integer)
            case .number(let number): Number(exactly: number)
            case .bool(let flag): flag ? 1 : 0
            default: nil
            }
        guard let number else { throw mismatch(type) }
        return number
    }

    fileprivate func number() throws -> Double {
        switch value {
        case .integer(let integer): return Double(integer)
        case .number(let number): return number
        case .bool(let flag): return flag ? 1 : 0
        default: throw mismatch(Double.self)
        }
    }

    fileprivate func flag() throws -> Bool {
        guard let flag = value.flag else { throw mismatch(Bool.self) }
        return flag
    }

    fileprivate func text() throws -> String {
        guard case .string(let text) = value else { throw mismatch(String.self) }
        return text
    }
}

extension FieldsDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try flag() }

    func decode(_ type: String.Type) throws -> String { try text() }

    func decode(_ type: Double.Type) throws -> Double { try number() }

    func decode(_ type: Float.Type) throws -> Float { Float(try number()) }

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

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoded(type) }
}

/// A member or element with its place.
struct FieldPlace: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { (stringValue, intValue) = (name, nil) }

    init(_ index: Int) { (stringValue, intValue) = (String(index), index) }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(intValue) }
}

private struct KeyedFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decoded(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        FieldsDecoder(members["super"] ?? .null, codingPath + [FieldPlace("super")])
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> FieldsDecoder {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "the record lacks the field"))
        }
        return FieldsDecoder(value, codingPath + [key])
    }
}

private struct ListedFields: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    var count: Int? { elements.count }

    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try current(type).decoded(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try current([String: Any].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try current([Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try current((any Decoder).self)
        currentIndex += 1
        return decoder
    }

    private func current(_ type: any Any.Type) throws -> FieldsDecoder {
        let path = codingPath + [FieldPlace(currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, DecodingError.Context(codingPath: path, debugDescription: "the list has no more elements"))
        }
        return FieldsDecoder(elements[currentIndex], path)
    }
}
