public import PushDispatch

/// A value that the service sets for a person, such as a flag.
public struct OptimizationChange: Hashable, Sendable {
    public var key: String
    /// `Variable`.
    public var type: String
    public var value: JSONValue
    /// The experience that it comes from.
    public var experienceID: String?
    public var variantIndex: Int?

    public init(
        key: String, type: String = "Variable", value: JSONValue, experienceID: String? = nil, variantIndex: Int? = nil
    ) {
        self.key = key
        self.type = type
        self.value = value
        self.experienceID = experienceID
        self.variantIndex = variantIndex
    }

    /// As the service writes it.
    public var json: JSONValue {
        var members: [String: JSONValue] = ["key": .string(key), "type": .string(type), "value": value]
        var meta: [String: JSONValue] = [:]
        if let experienceID { meta["experienceId"] = .string(experienceID) }
        if let variantIndex { meta["variantIndex"] = .integer(Int64(variantIndex)) }
        if !meta.isEmpty { members["meta"] = .object(meta) }
        return .object(members)
    }

    /// Reads a list. What cannot be used is left out and noted.
    public static func list(_ value: JSONValue, issues: inout [ReadingIssue]) -> [OptimizationChange] {
        var found = IssueList()
        defer { issues += found.all }
        return list(value, at: "", &found)
    }

    static func list(_ value: JSONValue, at path: String, _ issues: inout IssueList) -> [OptimizationChange] {
        guard let elements = value.array else {
            issues.add(path, "is \(value.kindInWords) instead of an array of changes")
            return []
        }
        var changes: [OptimizationChange] = []
        for (index, element) in elements.enumerated() {
            let place = "\(path)[\(index)]"
            guard let members = element.object else {
                issues.add(place, "is \(element.kindInWords) instead of a change, and is left out")
                continue
            }
            var reader = ObjectReader(members, at: place)
            if let key = reader.id("key") {
                var meta = ObjectReader(reader.object("meta"), at: "\(place).meta")
                changes.append(
                    OptimizationChange(
                        key: key, type: reader.text("type") ?? "Variable", value: members["value"] ?? .null,
                        experienceID: meta.text("experienceId"), variantIndex: meta.integer("variantIndex")))
                issues.add(meta.issues.all)
            }
            issues.add(reader.issues.all)
        }
        return changes
    }

    /// The values by their keys; the last change of a key counts.
    ///
    /// A value `{"value":{…}}` stands for the inner object (docs/reference/personalization.md 13.3).
    public static func flags(_ changes: [OptimizationChange]) -> [String: JSONValue] {
        var flags: [String: JSONValue] = [:]
        for change in changes { flags[change.key] = change.flagValue }
        return flags
    }

    /// The value as a flag.
    public var flagValue: JSONValue {
        if case .object(let members) = value, case .object? = members["value"] {
            members["value"] ?? value
        } else {
            value
        }
    }
}
