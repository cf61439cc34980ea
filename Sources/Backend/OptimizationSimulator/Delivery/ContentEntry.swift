package import PushDispatch

/// An entry or an asset of the delivery service.
package struct ContentEntry: Hashable, Sendable {
    package let id: String
    /// `Entry` or `Asset`.
    package let type: String
    /// Nil for an asset.
    package let contentType: String?
    package let sys: [String: JSONValue]
    /// As in the file: values, or maps by locale.
    package let fields: [String: JSONValue]

    init(id: String, sys: [String: JSONValue], fields: [String: JSONValue]) {
        self.id = id
        self.sys = sys
        self.fields = fields
        type = sys["type"]?.string ?? "Entry"
        contentType = sys["contentType"]?.object?["sys"]?.object?["id"]?.string
    }

    /// Whether each field is a map by locale.
    package func isLocalized(_ locales: [String]) -> Bool {
        !fields.isEmpty
            && fields.values.allSatisfy { value in
                value.object.map { !$0.isEmpty && $0.keys.allSatisfy(locales.contains) } ?? false
            }
    }

    /// The fields for a locale. What it lacks is taken from the first of the locales.
    package func values(_ locales: [String], for locale: String? = nil) -> [String: JSONValue] {
        guard isLocalized(locales) else { return fields }
        return fields.compactMapValues { value in
            let map = value.object ?? [:]
            return locale.flatMap { map[$0] } ?? locales.first.flatMap { map[$0] }
        }
    }

    /// As in a reply.
    ///
    /// - Parameter locale: `*` for maps by locale.
    func json(_ locales: [String], _ locale: String) -> JSONValue {
        var sys = sys
        let fields: [String: JSONValue]
        if locale == "*" {
            let first = locales.first ?? "en-US"
            fields = isLocalized(locales) ? self.fields : self.fields.mapValues { .object([first: $0]) }
        } else {
            sys["locale"] = .string(locale)
            fields = values(locales, for: locale)
        }
        return .object(["sys": .object(sys), "fields": .object(fields)])
    }

    /// The links in all fields, in the order of their keys.
    var links: [(type: String, id: String)] {
        var found: [(type: String, id: String)] = []
        for (_, value) in fields.sorted(by: { $0.key < $1.key }) { ContentEntry.collect(value, &found) }
        return found
    }

    private static func collect(_ value: JSONValue, _ found: inout [(type: String, id: String)]) {
        switch value {
        case .array(let elements): for element in elements { collect(element, &found) }
        case .object(let members):
            if let link = value.link { return found.append(link) }
            for (_, member) in members.sorted(by: { $0.key < $1.key }) { collect(member, &found) }
        default: break
        }
    }
}

/// The entries and assets of a space, in the order of their files.
package struct ContentStore: Hashable, Sendable {
    /// The first is the default.
    package var locales = ["en-US"]
    package private(set) var entries: [ContentEntry] = []
    package private(set) var assets: [ContentEntry] = []
    private var entryPositions: [String: Int] = [:]
    private var assetPositions: [String: Int] = [:]

    package init() {}

    package func entry(_ id: String) -> ContentEntry? { entryPositions[id].map { entries[$0] } }
    package func asset(_ id: String) -> ContentEntry? { assetPositions[id].map { assets[$0] } }

    /// - Returns: False if one with this id is there already; it stays.
    @discardableResult
    package mutating func add(_ entry: ContentEntry) -> Bool {
        if entry.type == "Asset" {
            guard assetPositions[entry.id] == nil else { return false }
            assetPositions[entry.id] = assets.count
            assets.append(entry)
        } else {
            guard entryPositions[entry.id] == nil else { return false }
            entryPositions[entry.id] = entries.count
            entries.append(entry)
        }
        return true
    }
}
