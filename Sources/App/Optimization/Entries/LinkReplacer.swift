import PushDispatch

/// Replaces the links in entries by the entries and assets of a delivery reply.
///
/// An unknown link stays a link. A link that is more than 10 links away stays one too, so that a cycle ends. Work and memory
/// grow with the size of the reply, not with the number of ways through its links: what is linked from several places is made
/// once and shared. Code that walks through a result visits a shared part each time, so the size of the result as a
/// tree is limited.
///
/// Source: docs/reference/personalization.md 13.1.
struct LinkReplacer {
    static let maximumLevels = 10
    /// Nested arrays and objects of a result, and of what is searched for links.
    static let maximumHeight = 128
    /// JSON values of a result.
    static let maximumValues = 200_000

    /// A value whose links are replaced, and its size as a tree.
    private struct Replaced {
        var value: JSONValue
        var count: Int
        var height: Int
        /// How many links follow each other in it.
        var levels: Int
        /// Whether links are left because of the levels, so that more levels give another value.
        var isCut: Bool
    }

    private struct Key: Hashable {
        var link: EntryLink
        var levels: Int
    }

    private let targets: [EntryLink: JSONValue]
    private var links: [EntryLink: [EntryLink]] = [:]
    private var replaced: [Key: Replaced] = [:]
    /// Results without a cut, which are right for as many levels as they have and for more.
    private var complete: [EntryLink: Replaced] = [:]
    /// Found so far, each once; at most 100.
    private(set) var unreplaced: [UnreplacedLink] = []

    /// - Parameter targets: What links can lead to. The first one of an id counts.
    init(_ targets: [JSONValue]) {
        var found: [EntryLink: JSONValue] = [:]
        for target in targets {
            guard let sys = target.object?["sys"]?.object, let id = sys["id"]?.string, !id.isEmpty else { continue }
            let link = EntryLink(linkType: sys["type"]?.string ?? "Entry", id: id)
            if found[link] == nil { found[link] = target }
        }
        self.targets = found
    }

    /// The entry with the entries that it links to, and those that they link to.
    mutating func replace(_ entry: ContentEntry) -> ContentEntry {
        guard case .object(let members) = replace(entry.json, levels: LinkReplacer.maximumLevels).value else {
            return entry
        }
        return ContentEntry(members)
    }

    /// The entry of an id with its links replaced.
    mutating func entry(_ id: String) -> ContentEntry? {
        targets[EntryLink(id: id)]?.object.map { replace(ContentEntry($0)) }
    }

    private mutating func note(_ link: EntryLink, _ reason: UnreplacedLink.Reason) {
        let found = UnreplacedLink(link, reason)
        if unreplaced.count < IssueList.maximum, !unreplaced.contains(found) { unreplaced.append(found) }
    }

    // The targets of all links of a value are made first, at most ten calls inside of each other; then the value itself.

    private mutating func replace(_ value: JSONValue, levels: Int) -> Replaced {
        var found: Set<EntryLink> = []
        LinkReplacer.collect(value, depth: 0, &found)
        prepare(found, levels: levels)
        return substitute(value, levels: levels)
    }

    private mutating func prepare(_ links: some Sequence<EntryLink>, levels: Int) {
        guard levels > 0 else { return }
        for link in links where targets[link] != nil { target(link, levels: levels - 1) }
    }

    /// Makes the target of a link, whose own links may go so many levels further.
    private mutating func target(_ link: EntryLink, levels: Int) {
        let key = Key(link: link, levels: levels)
        guard known(link, levels: levels) == nil, let value = targets[link] else { return }
        prepare(linksOf(link, value), levels: levels)
        let result = substitute(value, levels: levels)
        if result.isCut { replaced[key] = result } else { complete[link] = result }
    }

    private func known(_ link: EntryLink, levels: Int) -> Replaced? {
        if let result = complete[link], result.levels <= levels { return result }
        return replaced[Key(link: link, levels: levels)]
    }

    private mutating func linksOf(_ link: EntryLink, _ value: JSONValue) -> [EntryLink] {
        if let known = links[link] { return known }
        var found: Set<EntryLink> = []
        LinkReplacer.collect(value, depth: 0, &found)
        let all = Array(found)
        links[link] = all
        return all
    }

    private static func collect(_ value: JSONValue, depth: Int, _ found: inout Set<EntryLink>) {
        guard depth < maximumHeight else { return }
        switch value {
        case .array(let elements): for element in elements { collect(element, depth: depth + 1, &found) }
        case .object(let members):
            if let link = EntryLink(value) {
                found.insert(link)
            } else {
                for member in members.values { collect(member, depth: depth + 1, &found) }
            }
        default: break
        }
    }

    private mutating func substitute(_ value: JSONValue, levels: Int) -> Replaced {
        var walk = Walk()
        let value = substitute(value, levels: levels, depth: 0, &walk)
        return Replaced(
            value: value, count: walk.values, height: walk.height, levels: walk.levels, isCut: walk.isCut)
    }

    private struct Walk {
        var values = 0
        var height = 0
        var levels = 0
        var isCut = false
    }

    private mutating func substitute(_ value: JSONValue, levels: Int, depth: Int, _ walk: inout Walk) -> JSONValue {
        walk.values += 1
        guard depth < LinkReplacer.maximumHeight else { return value }
        switch value {
        case .array(let elements):
            walk.height = max(walk.height, depth + 1)
            return .array(elements.map { substitute($0, levels: levels, depth: depth + 1, &walk) })
        case .object(var members):
            if let link = EntryLink(value) { return self.value(of: link, value, levels, depth, &walk) }
            walk.height = max(walk.height, depth + 1)
            // In a fixed order, because the limits count what came before.
            for key in members.keys.sorted() {
                guard let member = members[key] else { continue }
                switch member {
                case .array, .object: members[key] = substitute(member, levels: levels, depth: depth + 1, &walk)
                default: walk.values += 1
                }
            }
            return .object(members)
        default: return value
        }
    }

    private mutating func value(
        of link: EntryLink, _ value: JSONValue, _ levels: Int, _ depth: Int, _ walk: inout Walk
    ) -> JSONValue {
        // The link is itself three objects and values; it was counted as one.
        walk.height = max(walk.height, depth + 2)
        guard targets[link] != nil else {
            note(link, .unknown)
            return value
        }
        guard levels > 0 else {
            note(link, .tooDeep)
            walk.isCut = true
            return value
        }
        guard let target = known(link, levels: levels - 1) else { return value }
        if target.isCut { walk.isCut = true }
        guard walk.values + target.count <= LinkReplacer.maximumValues,
            depth + target.height <= LinkReplacer.maximumHeight
        else {
            note(link, .tooLarge)
            return value
        }
        walk.values += target.count
        walk.levels = max(walk.levels, target.levels + 1)
        walk.height = max(walk.height, depth + target.height)
        return target.value
    }
}
