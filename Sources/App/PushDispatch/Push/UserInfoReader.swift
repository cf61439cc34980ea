import Foundation

/// Converts the dictionary that the system passes to an app into JSON values, within limits.
package struct UserInfoReader {
    private let limits: JSONLimits
    private var bytes = 0
    private var values = 0
    /// The keys and indexes that lead to the current value.
    private var path: [Step] = []
    package private(set) var issues: [PushIssue] = []

    private enum Step {
        case key(String)
        case index(Int)
    }

    package init(limits: JSONLimits) { self.limits = limits }

    /// The whole payload. A key that is not a string and a value that JSON does not have are left out and reported.
    package mutating func members(of dictionary: [AnyHashable: Any]) throws(JSONReadError) -> [String: JSONValue] {
        try members(of: dictionary, depth: 1)
    }

    private mutating func members(
        of dictionary: [AnyHashable: Any], depth: Int
    ) throws(JSONReadError) -> [String: JSONValue] {
        try check(depth: depth)
        var members = [String: JSONValue](minimumCapacity: min(dictionary.count, limits.maximumValues))
        for (key, value) in dictionary {
            guard let key = key.base as? String else {
                try countValue()
                report("a key is not a string and is left out")
                continue
            }
            try count(key)
            path.append(.key(key))
            if let read = try self.value(value, depth: depth) { members[key] = read }
            path.removeLast()
        }
        return members
    }

    private mutating func value(_ value: Any, depth: Int) throws(JSONReadError) -> JSONValue? {
        try countValue()
        if let text = value as? String {
            try count(text)
            return .string(text)
        }
        if let flag = value as? Bool, type(of: value) == Bool.self { return .bool(flag) }
        if type(of: value) == Int.self, let number = value as? Int { return .integer(Int64(number)) }
        // Containers before classes: a cast to a class would bridge a whole Swift container first, which is slow.
        if let dictionary = value as? [AnyHashable: Any] {
            return .object(try members(of: dictionary, depth: depth + 1))
        }
        if let array = value as? [Any] { return .array(try elements(of: array, depth: depth + 1)) }
        if value is NSNull { return .null }
        if let number = value as? NSNumber, let read = UserInfoReader.number(number) { return read }
        report("is not a JSON value and is left out")
        return nil
    }

    private mutating func elements(of array: [Any], depth: Int) throws(JSONReadError) -> [JSONValue] {
        try check(depth: depth)
        var elements: [JSONValue] = []
        for (index, element) in array.enumerated() {
            path.append(.index(index))
            // Without a null here every later element would move to another index.
            elements.append(try value(element, depth: depth) ?? .null)
            path.removeLast()
        }
        return elements
    }

    private mutating func report(_ detail: String) {
        let pointer = path.reduce("") { pointer, step in
            switch step {
            case .key(let key): PushIssue.pointer(pointer, key)
            case .index(let index): PushIssue.pointer(pointer, String(index))
            }
        }
        issues.append(PushIssue(.unsupportedValue, at: pointer, detail))
    }

    private func check(depth: Int) throws(JSONReadError) {
        guard depth <= limits.maximumDepth else {
            throw JSONReadError(problem: .tooDeep(limit: limits.maximumDepth), offset: bytes)
        }
    }

    private mutating func countValue() throws(JSONReadError) {
        values += 1
        guard values <= limits.maximumValues else {
            throw JSONReadError(problem: .tooManyValues(limit: limits.maximumValues), offset: bytes)
        }
    }

    private mutating func count(_ text: String) throws(JSONReadError) {
        bytes += text.utf8.count
        guard bytes <= limits.maximumBytes else {
            throw JSONReadError(problem: .tooManyBytes(limit: limits.maximumBytes), offset: limits.maximumBytes)
        }
    }

    /// Nil for a number that is not finite. The one-byte types are those of Booleans, so 0 and 1 are read as Booleans.
    private static func number(_ number: NSNumber) -> JSONValue? {
        switch String(cString: number.objCType) {
        case "c", "B":
            let value = number.int64Value
            return value == 0 || value == 1 ? .bool(value == 1) : .integer(value)
        case "d", "f":
            let value = number.doubleValue
            return value.isFinite ? .number(value) : nil
        case "Q", "L", "I":
            let value = number.uint64Value
            return Int64(exactly: value).map(JSONValue.integer) ?? .number(Double(value))
        default: return .integer(number.int64Value)
        }
    }
}
