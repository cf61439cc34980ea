import PushDispatch

extension ContentEntry {
    /// `sys.revision`, which grows by one each time the entry is published; nil if it is missing.
    var revision: Int? { members["sys"]?.object?["revision"]?.wholeNumber }

    private var type: String { members["sys"]?.object?["type"]?.string ?? "Entry" }
    private var locale: String? { members["sys"]?.object?["locale"]?.string }

    /// Whether both are the same entry or asset, for the same locale as far as they say.
    func isSame(as other: ContentEntry) -> Bool {
        guard id == other.id, type == other.type else { return false }
        guard let locale, let other = other.locale else { return true }
        return locale == other
    }

    /// Whether it has a lower revision, so that it comes from a server that is behind.
    func isOlder(than other: ContentEntry) -> Bool {
        guard let revision, let other = other.revision else { return false }
        return revision < other
    }

    /// Whether it is another version of the same entry, or links to another version, and is not an older one.
    func isNewer(than other: ContentEntry) -> Bool { isSame(as: other) && self != other && !isOlder(than: other) }
}

extension DeliveryReply {
    private var all: [ContentEntry] { items + includes }

    /// Whether it has one of the items of another reply.
    func hasItem(of other: DeliveryReply) -> Bool {
        all.contains { entry in other.items.contains { $0.isSame(as: entry) } }
    }

    /// Whether an entry of it has a lower revision than the same one in another reply.
    func isOlder(than other: DeliveryReply) -> Bool {
        let known = Dictionary(other.all.map { ($0.id ?? "", [$0]) }, uniquingKeysWith: +)
        return all.contains { entry in
            known[entry.id ?? "", default: []].contains { entry.isSame(as: $0) && entry.isOlder(than: $0) }
        }
    }

    /// The reply with newer versions of its entries, and with what those link to.
    ///
    /// - Returns: Nil if nothing changes.
    func updated(with newer: DeliveryReply) -> DeliveryReply? {
        let versions = Dictionary(newer.all.map { ($0.id ?? "", [$0]) }, uniquingKeysWith: +)
        func newest(_ entry: ContentEntry) -> ContentEntry {
            versions[entry.id ?? "", default: []].first { $0.isNewer(than: entry) } ?? entry
        }
        var updated = self
        updated.items = items.map(newest)
        updated.includes = includes.map(newest)
        let known = Dictionary(updated.all.map { ($0.id ?? "", [$0]) }, uniquingKeysWith: +)
        updated.includes += newer.all.filter { entry in
            !known[entry.id ?? "", default: []].contains { $0.isSame(as: entry) }
        }
        return updated == self ? nil : updated
    }
}
