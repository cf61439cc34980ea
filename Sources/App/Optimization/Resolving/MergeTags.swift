import PushDispatch

/// Reads texts for merge tags from a profile.
///
/// Source: docs/reference/personalization.md 13.3.
public enum MergeTags {
    /// The text for an entry of the content type `nt_mergetag`.
    ///
    /// - Returns: Nil for an entry that is not a merge tag, and for one without a value and without a fallback.
    public static func value(of entry: ContentEntry, profile: OptimizationProfile?) -> String? {
        guard let tag = try? MergeTagEntry.read(entry.json) else { return nil }
        return value(of: tag, profile: profile)
    }

    public static func value(of tag: MergeTagEntry, profile: OptimizationProfile?) -> String? {
        profile.flatMap { text(tag.mergeTagID, in: $0.members) } ?? tag.fallback
    }

    /// The text at a path with `_` between its parts. A key can contain `_` itself: `traits_first_name` is looked up as
    /// `traits_first_name`, `traits.first_name` and `traits.first.name`, and the first with a value counts.
    ///
    /// - Returns: Nil if there is none, or if it is neither text, number nor Boolean. 0, false and the empty text are none.
    static func text(_ path: String, in members: [String: JSONValue]) -> String? {
        // All further readings begin with the part before the next `_`. If it is missing, none of them has a value.
        var rest = path[...]
        var place = JSONValue.object(members)
        while true {
            if let value = member(String(rest), of: place), value.isTruthy { return value.mergeText }
            guard let separator = rest.firstIndex(of: "_"),
                let next = member(String(rest[..<separator]), of: place)
            else { return nil }
            rest = rest[rest.index(after: separator)...]
            place = next
        }
    }

    private static func member(_ key: String, of value: JSONValue) -> JSONValue? {
        switch value {
        case .object(let members): return members[key]
        case .array(let elements):
            guard let index = Int(key), elements.indices.contains(index) else { return nil }
            return elements[index]
        default: return nil
        }
    }
}

extension JSONValue {
    /// Neither null, 0, false nor the empty text.
    fileprivate var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .integer(let number): number != 0
        case .number(let number): number != 0 && !number.isNaN
        case .string(let text): !text.isEmpty
        case .array, .object: true
        }
    }

    fileprivate var mergeText: String? {
        switch self {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .number(let number): Int64(exactly: number).map { String($0) } ?? "\(number)"
        case .null, .array, .object: nil
        }
    }
}
