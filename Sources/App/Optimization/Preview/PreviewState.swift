public import PushDispatch

/// What is overridden, and what is really so.
public struct PreviewState: Hashable, Sendable {
    public var audienceOverrides: [String: PreviewOverrides.Audience]
    /// The overridden index by experience.
    public var variantOverrides: [String: Int]
    /// Whether the person really belongs to each overridden audience.
    public var realQualifications: [String: Bool]
    /// The service's index of each selected experience.
    public var realIndices: [String: Int]
    public var panel: PreviewPanel

    init(
        _ overrides: PreviewOverrides, definitions: PreviewDefinitions, selections: [ExperienceSelection]?,
        qualified: [String]
    ) {
        audienceOverrides = overrides.audiences
        variantOverrides = overrides.variants.mapValues(\.index)
        realQualifications = overrides.audiences.mapValues(\.wasQualified)
        realIndices = Dictionary(
            (selections ?? []).map { ($0.experienceID, $0.variantIndex) }, uniquingKeysWith: { first, _ in first })
        panel = PreviewPanel(definitions, selections: selections, qualified: qualified, overrides: overrides)
    }

    /// As JSON, with the keys `audienceOverrides`, `variantOverrides`, `realQualifications`, `realIndices` and `audiences`.
    public var json: JSONValue {
        [
            "audienceOverrides": .object(audienceOverrides.mapValues { .bool($0.isQualified) }),
            "variantOverrides": .object(variantOverrides.mapValues { .integer(Int64($0)) }),
            "realQualifications": .object(realQualifications.mapValues { .bool($0) }),
            "realIndices": .object(realIndices.mapValues { .integer(Int64($0)) }),
            "audiences": .array(panel.audiences.map(PreviewState.json)),
        ]
    }

    private static func json(_ audience: PreviewPanel.Audience) -> JSONValue {
        [
            "id": .string(audience.id), "name": .string(audience.name), "state": .string(audience.state.rawValue),
            "qualified": .bool(audience.isQualified), "experiences": .array(audience.experiences.map(json)),
        ]
    }

    private static func json(_ experience: PreviewPanel.Experience) -> JSONValue {
        [
            "id": .string(experience.id), "name": .string(experience.name),
            "type": experience.kind.map { .string($0.rawValue) } ?? .null,
            "variantIndex": experience.shownIndex.map { .integer(Int64($0)) } ?? .null,
            "overridden": .bool(experience.isOverridden),
            "shares": .array(experience.variants.map { $0.percent.map { .integer(Int64($0)) } ?? .null }),
        ]
    }
}
