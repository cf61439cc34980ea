public import PushDispatch

/// The service's choice for one experience.
public struct ExperienceSelection: Hashable, Sendable {
    public var experienceID: String
    /// 0 is the baseline.
    public var variantIndex: Int
    /// The variant's entry by the baseline's. Choosing does not use it.
    public var variants: [String: String]
    public var isSticky: Bool
    /// Whether the preview panel has chosen it. What is shown with it is not reported.
    public internal(set) var isPreview = false

    public init(
        experienceID: String, variantIndex: Int, variants: [String: String] = [:], isSticky: Bool = false
    ) {
        self.experienceID = experienceID
        self.variantIndex = variantIndex
        self.variants = variants
        self.isSticky = isSticky
    }

    /// As the service writes it.
    public var json: JSONValue {
        [
            "experienceId": .string(experienceID), "variantIndex": .integer(Int64(variantIndex)),
            "variants": .object(variants.mapValues { .string($0) }), "sticky": .bool(isSticky),
        ]
    }

    /// Reads a list. What cannot be used is left out and noted.
    public static func list(_ value: JSONValue, issues: inout [ReadingIssue]) -> [ExperienceSelection] {
        var found = IssueList()
        defer { issues += found.all }
        return list(value, at: "", &found)
    }

    static func list(_ value: JSONValue, at path: String, _ issues: inout IssueList) -> [ExperienceSelection] {
        guard let elements = value.array else {
            issues.add(path, "is \(value.kindInWords) instead of an array of selections")
            return []
        }
        var selections: [ExperienceSelection] = []
        for (index, element) in elements.enumerated() {
            let place = "\(path)[\(index)]"
            guard let members = element.object else {
                issues.add(place, "is \(element.kindInWords) instead of a selection, and is left out")
                continue
            }
            var reader = ObjectReader(members, at: place)
            let id = reader.id("experienceId")
            let variant = reader.integer("variantIndex")
            if members["variantIndex"] ?? .null == .null { reader.note("variantIndex", "is missing") }
            if let id, let variant {
                let variants = reader.object("variants").compactMapValues(\.string)
                selections.append(
                    ExperienceSelection(
                        experienceID: id, variantIndex: variant, variants: variants, isSticky: reader.flag("sticky")))
            }
            issues.add(reader.issues.all)
        }
        return selections
    }
}
