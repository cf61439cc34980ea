package import PushDispatch
import ServiceHost

/// An entry of the content type `nt_experience`: who gets which variants.
package struct Experience: Hashable, Sendable {
    package enum Audience: Hashable, Sendable {
        /// Everybody.
        case none
        /// Its `nt_audience_id`.
        case id(String)
        /// The entry of the audience is not there, so nobody is known to be in it.
        case unresolved
    }

    package enum Component: Hashable, Sendable {
        /// Ids of entries. An empty id shows nothing.
        case entry(baseline: String, variants: [String])
        case variable(key: String, baseline: JSONValue, variants: [JSONValue])
    }

    package var id: String
    package var name: String
    /// `nt_experiment` or `nt_personalization`; both are allocated alike.
    package var kind: String
    package var audience = Audience.none
    /// 0 to 1.
    package var traffic = 0.0
    /// Shares, the first that of the baseline.
    package var distribution: [Double] = []
    package var components: [Component] = []
    package var isSticky = false

    package init(_ id: String, name: String = "", kind: String = "nt_personalization") {
        self.id = id
        self.name = name
        self.kind = kind
    }

    /// How many variants there are with the baseline: as many as shares, and at least the baseline.
    package var variantCount: Int { max(1, distribution.count) }

    /// Reads the fields of an entry.
    ///
    /// - Parameter audience: The fields of the entry with this id, if it is an audience.
    /// - Returns: Nil for an entry that is not a complete experience: `nt_experience_id` and `nt_config` have to be there.
    package init?(
        fields: [String: JSONValue], audience: (_ entryID: String) -> [String: JSONValue]?
    ) throws(ExperienceError) {
        guard let id = fields["nt_experience_id"]?.string, !id.isEmpty, let config = fields["nt_config"]?.object else {
            return nil
        }
        guard id.utf8.count <= WireLimits.name else { throw .longID }
        self.init(id, name: fields["nt_name"]?.string ?? "", kind: fields["nt_type"]?.string ?? "nt_personalization")
        if let value = fields["nt_audience"], value != .null {
            let linked = value.link.flatMap { audience($0.id) } ?? value.object?["fields"]?.object
            self.audience = linked?["nt_audience_id"]?.string.map { .id($0) } ?? .unresolved
        }
        traffic = config["traffic"]?.double ?? 0
        let shares = config["distribution"]?.array ?? []
        let components = config["components"]?.array ?? []
        guard shares.count <= OptimizationLimits.variants else { throw .tooManyShares(shares.count) }
        guard components.count <= OptimizationLimits.components else { throw .tooManyComponents(components.count) }
        // What is not a number is an empty share, so that the positions of the others stay.
        distribution = shares.map { $0.double ?? 0 }
        isSticky = config["sticky"]?.flag ?? false
        for value in components {
            if let component = Component(value) { self.components.append(component) }
        }
    }

    /// What a profile with this index sees in place of each baseline; without baselines that stay.
    package func variants(at index: Int) -> [String: String] {
        guard index > 0 else { return [:] }
        var found: [String: String] = [:]
        for case .entry(let baseline, let variants) in components where variants.indices.contains(index - 1) {
            if found[baseline] == nil { found[baseline] = variants[index - 1] }
        }
        return found
    }

    /// The values of its variables for this index; the baseline where there is no such variant.
    package func variables(at index: Int) -> [(key: String, value: JSONValue)] {
        components.compactMap { component in
            guard case .variable(let key, let baseline, let variants) = component else { return nil }
            return (key, variants.indices.contains(index - 1) ? variants[index - 1] : baseline)
        }
    }
}

extension Experience.Component {
    /// Nil for a component without what its kind needs. A missing kind is `EntryReplacement`.
    init?(_ value: JSONValue) {
        guard let members = value.object else { return nil }
        let baseline = members["baseline"]?.object ?? [:]
        let variants = (members["variants"]?.array ?? []).prefix(OptimizationLimits.variants)
        switch members["type"]?.string ?? "EntryReplacement" {
        case "EntryReplacement":
            guard let id = baseline["id"]?.string else { return nil }
            self = .entry(baseline: id, variants: variants.map { $0.object?["id"]?.string ?? "" })
        case "InlineVariable":
            guard let key = members["key"]?.string, !key.isEmpty else { return nil }
            self = .variable(
                key: key, baseline: baseline["value"] ?? .null,
                variants: variants.map { $0.object?["value"] ?? .null })
        default: return nil
        }
    }
}

/// Why an experience is not taken.
package enum ExperienceError: Error, Hashable, CustomStringConvertible {
    case longID
    case tooManyShares(Int)
    case tooManyComponents(Int)

    package var description: String {
        switch self {
        case .longID: "nt_experience_id is longer than \(WireLimits.name) bytes"
        case .tooManyShares(let count):
            "nt_config.distribution has \(count) shares; at most \(OptimizationLimits.variants) are taken"
        case .tooManyComponents(let count):
            "nt_config.components has \(count) components; at most \(OptimizationLimits.components) are taken"
        }
    }
}

extension JSONValue {
    /// A number as a double; nil for every other value.
    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// `{"sys":{"type":"Link","linkType":"Entry","id":"…"}}`; nil for every other value.
    package var link: (type: String, id: String)? {
        guard let sys = object?["sys"]?.object, sys["type"] == "Link", let id = sys["id"]?.string else { return nil }
        return (sys["linkType"]?.string ?? "Entry", id)
    }
}
