import PushDispatch

/// Finds one field in a record's stored JSON without decoding the rest.
///
/// The bytes are those that this library writes: compact, each key once. It reads any other bytes without failing.
package struct FieldScanner {
    package enum Found {
        case none
        case integer(Int64)
        case number(Double)
        /// UTF-8 inside the scanned bytes.
        case plain(UnsafeBufferPointer<UInt8>)
        case text(String)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int

    /// - Parameter path: Names of members, separated by dots.
    package static func find(_ path: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Found {
        var scanner = FieldScanner(bytes: bytes, position: 0)
        var names = path[...]
        while true {
            let end = names.firstIndex(of: UInt8(ascii: ".")) ?? names.endIndex
            guard scanner.enter(UnsafeBufferPointer(rebasing: names[..<end])) else { return .none }
            guard end < names.endIndex else { return scanner.value() }
            names = names[(end + 1)...]
        }
    }

    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    /// Moves to the value of a member of the object that starts here.
    private mutating func enter(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard take(UInt8(ascii: "{")) else { return false }
        while current == UInt8(ascii: "\"") {
            let start = position + 1
            guard let isPlain = skipString() else { return false }
            let key = UnsafeBufferPointer(rebasing: bytes[start..<position - 1])
            guard take(UInt8(ascii: ":")) else { return false }
            if isPlain, key.count == name.count, key.elementsEqual(name) { return true }
            guard skipValue(), take(UInt8(ascii: ",")) else { return false }
        }
        return false
    }

    /// Skips a string.
    ///
    /// - Returns: Whether it has no escape sequence; nil if it does not end.
    private mutating func skipString() -> Bool? {
        position += 1
        var isPlain = true
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return isPlain
            case UInt8(ascii: "\\"):
                isPlain = false
                position += 2
            default: position += 1
            }
        }
        return nil
    }

    /// Skips a value.
    ///
    /// - Returns: False if it does not end.
    private mutating func skipValue() -> Bool {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard skipString() != nil else { return false }
                if depth == 0 { return true }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return true }
                depth -= 1
                if depth == 0 {
                    position += 1
                    return true
                }
            case UInt8(ascii: ","):
                if depth == 0 { return true }
            default: break
            }
            position += 1
        }
        return false
    }

    private mutating func value() -> Found {
        let start = position
        switch current {
        case UInt8(ascii: "t"): return .integer(1)
        case UInt8(ascii: "f"): return .integer(0)
        case UInt8(ascii: "\""):
            guard let isPlain = skipString() else { return .none }
            guard !isPlain else { return .plain(UnsafeBufferPointer(rebasing: bytes[start + 1..<position - 1])) }
            let limits = JSONLimits(maximumBytes: .max, maximumDepth: 1, maximumValues: 1)
            return (try? JSONReader.read(Array(bytes[start..<position]), limits: limits))?.string.map { .text($0) }
                ?? .none
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard skipValue() else { return .none }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            if let integer = Int64(text) { return .integer(integer) }
            guard let number = Double(text), number.isFinite else { return .none }
            return .number(number)
        default: return .none
        }
    }
}

extension FieldScanner.Found {
    package var value: FieldValue {
        switch self {
        case .none: .none
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .plain(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .text(let text): .text(text)
        }
    }
}
