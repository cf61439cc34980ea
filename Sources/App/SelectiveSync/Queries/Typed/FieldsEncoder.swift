import Foundation
import PushDispatch

/// Encodes an `Encodable` value as JSON values: dates in the server's form, numbers as numbers.
final class FieldsEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    private var part: Part = .none

    private enum Part {
        case none
        case value(JSONValue)
        case members([String: FieldsEncoder])
        case elements([FieldsEncoder])
    }

    init(_ codingPath: [any CodingKey] = []) { self.codingPath = codingPath }

    /// - Throws: `EncodingError` if the value is not encoded with keys, or a number has no JSON.
    static func encode(_ value: some Encodable) throws -> [String: JSONValue] {
        let encoder = FieldsEncoder()
        try encoder.put(value)
        guard case .object(let fields) = encoder.value else {
            throw EncodingError.invalidValue(
                type(of: value),
                EncodingError.Context(
                    codingPath: [], debugDescription: "a record is encoded with keys, one for each field"))
        }
        return fields
    }

    fileprivate var value: JSONValue {
        switch part {
        case .none: .null
        case .value(let value): value
        case .members(let members): .object(members.mapValues(\.value))
        case .elements(let elements): .array(elements.map(\.value))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .members = part {} else { part = .members([:]) }
        return KeyedEncodingContainer(KeyedFields<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .elements = part {} else { part = .elements([]) }
        return ListedFields(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleField(encoder: self) }

    fileprivate func member(_ key: some CodingKey) -> FieldsEncoder {
        let encoder = FieldsEncoder(codingPath + [key])
        guard case .members(var members) = part else { return encoder }
        part = .none
        members[key.stringValue] = encoder
        part = .members(members)
        return encoder
    }

    fileprivate func element() -> FieldsEncoder {
        let encoder = FieldsEncoder(codingPath + [FieldPlace(count)])
        guard case .elements(var elements) = part else { return encoder }
        part = .none
        elements.append(encoder)
        part = .elements(elements)
        return encoder
    }

    fileprivate var count: Int {
        if case .elements(let elements) = part { elements.count } else { 0 }
    }

    fileprivate func set(_ value: JSONValue) { part = .value(value) }

    fileprivate func set(_ number: Double) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, EncodingError.Context(codingPath: codingPath, debugDescription: "JSON has no such number"))
        }
        set(.number(number))
    }

    fileprivate func set(_ integer: some FixedWidthInteger) {
        set(Int64(exactly: integer).map { .integer($0) } ?? .number(Double(integer)))
    }

    fileprivate func put(_ value: some Encodable) throws {
        switch value {
        case let date as Date:
            let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
            guard let exact = Int64(exactly: milliseconds) else {
                throw EncodingError.invalidValue(
                    date, EncodingError.Context(codingPath: codingPath, debugDescription: "the server has no such date")
                )
            }
            set(.string(ServerDate(millisecondsSince1970: exact).description))
        case let date as ServerDate: set(.string(date.description))
        case let decimal as Decimal: try set(decimal)
        case let url as URL: set(.string(url.absoluteString))
        default: try value.encode(to: self)
        }
    }

    private func set(_ decimal: Decimal) throws {
        let text = "\(decimal)"
        if let integer = Int64(text) { return set(.integer(integer)) }
        try set(Double(text) ?? .nan)
    }
}

private struct SingleField: SingleValueEncodingContainer {
    let encoder: FieldsEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.set(.null) }

    func encode(_ value: Bool) { encoder.set(.bool(value)) }

    func encode(_ value: String) { encoder.set(.string(value)) }

    func encode(_ value: Double) throws { try encoder.set(value) }

    func encode(_ value: Float) throws {
        // By its shortest digits, as JSON has it.
        try encoder.set(Double("\(value)") ?? Double(value))
    }

    func encode(_ value: Int) { encoder.set(value) }

    func encode(_ value: Int8) { encoder.set(value) }

    func encode(_ value: Int16) { encoder.set(value) }

    func encode(_ value: Int32) { encoder.set(value) }

    func encode(_ value: Int64) { encoder.set(value) }

    func encode(_ value: UInt) { encoder.set(value) }

    func encode(_ value: UInt8) { encoder.set(value) }

    func encode(_ value: UInt16) { encoder.set(value) }

    func encode(_ value: UInt32) { encoder.set(value) }

    func encode(_ value: UInt64) { encoder.set(value) }

    func encode(_ value: some Encodable) throws { try encoder.put(value) }
}

private struct KeyedFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FieldsEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.member(key).set(.null) }

    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.member(key).put(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder.member(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.member(FieldPlace("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key) }
}

private struct ListedFields: UnkeyedEncodingContainer {
    let encoder: FieldsEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    func encodeNil() { encoder.element().set(.null) }

    func encode(_ value: some Encodable) throws { try encoder.element().put(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder.element() }
}
