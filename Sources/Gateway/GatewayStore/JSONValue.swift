/// Any JSON value, for documents whose keys have changed since they were written.
enum JSONValue: Hashable, Codable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case natural(UInt64)
    case number(Double)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .natural(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .natural(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .null: try container.encodeNil()
        }
    }

    /// This value, with the members of `other` added or replaced.
    func overlaid(with other: JSONValue) -> JSONValue {
        guard case .object(var object) = self, case .object(let others) = other else { return other }
        for (key, value) in others { object[key] = object[key]?.overlaid(with: value) ?? value }
        return .object(object)
    }

    /// The members that differ from `other`, with `null` for those that only `other` has.
    ///
    /// - Parameter groups: The members whose own members are compared. All others are taken as a whole.
    func difference(from other: JSONValue, groups: Set<String>) -> JSONValue {
        guard case .object(let object) = self, case .object(let others) = other else { return self }
        var difference: [String: JSONValue] = [:]
        for (key, value) in object where others[key] != value {
            let known = groups.contains(key) ? others[key] : nil
            difference[key] = known.map { value.difference(from: $0, groups: []) } ?? value
        }
        for key in others.keys where object[key] == nil { difference[key] = .null }
        return .object(difference)
    }
}
