import APNSModel
import PushDispatch
import ServiceHost

extension ContentStore {
    /// One entry, without what it links to.
    func reply(entry id: String, _ query: DeliveryQuery) throws(DeliveryError) -> [UInt8] {
        let locale = try locale(query)
        guard let entry = entry(id) else {
            throw DeliveryError(404, "NotFound", "there is no entry \(ShownText.quoted(id))")
        }
        return entry.json(locales, locale).compactBytes
    }

    /// A page of entries, with what they link to.
    func reply(_ query: DeliveryQuery) throws(DeliveryError) -> [UInt8] {
        let locale = try locale(query)
        let matching = entries.filter { query.matches($0, locales) }
        let page = matching.dropFirst(query.skip).prefix(query.limit)
        var reply = Array(#"{"sys":{"type":"Array"},"total":"#.utf8)
        reply += "\(matching.count),\"skip\":\(query.skip),\"limit\":\(query.limit),\"items\":".utf8
        try append(Array(page), locale, to: &reply)
        let linked = linked(from: Array(page), depth: query.include)
        if !linked.entries.isEmpty || !linked.assets.isEmpty {
            reply += #","includes":{"#.utf8
            if !linked.entries.isEmpty {
                reply += #""Entry":"#.utf8
                try append(linked.entries, locale, to: &reply)
            }
            if !linked.assets.isEmpty {
                reply += (linked.entries.isEmpty ? #""Asset":"# : #","Asset":"#).utf8
                try append(linked.assets, locale, to: &reply)
            }
            reply.append(UInt8(ascii: "}"))
        }
        if !linked.missing.isEmpty {
            reply += #","errors":"#.utf8
            let errors: [JSONValue] = linked.missing.map { link in
                [
                    "sys": ["id": "notResolvable", "type": "error"],
                    "details": ["type": "Link", "linkType": .string(link.type), "id": .string(link.id)],
                ]
            }
            JSONValue.array(errors).append(to: &reply)
        }
        reply.append(UInt8(ascii: "}"))
        try check(reply)
        return reply
    }

    private func locale(_ query: DeliveryQuery) throws(DeliveryError) -> String {
        guard let locale = query.locale else { return locales.first ?? "en-US" }
        guard locale == "*" || locales.contains(locale) else {
            throw .badRequest(
                "there is no locale \(ShownText.quoted(locale)); there are \(locales.joined(separator: ", ")) and *")
        }
        return locale
    }

    private func append(_ entries: [ContentEntry], _ locale: String, to reply: inout [UInt8]) throws(DeliveryError) {
        reply.append(UInt8(ascii: "["))
        for (index, entry) in entries.enumerated() {
            if index > 0 { reply.append(UInt8(ascii: ",")) }
            entry.json(locales, locale).append(to: &reply)
            try check(reply)
        }
        reply.append(UInt8(ascii: "]"))
    }

    private func check(_ reply: [UInt8]) throws(DeliveryError) {
        guard reply.count <= OptimizationLimits.reply else {
            throw .badRequest(
                "the reply is longer than \(OptimizationLimits.reply) bytes; ask for fewer entries with limit, or for fewer "
                    + "levels with include")
        }
    }

    private struct Linked {
        var entries: [ContentEntry] = []
        var assets: [ContentEntry] = []
        var missing: [(type: String, id: String)] = []
    }

    /// What the entries of a page link to, level by level, each once, so that cycles end.
    private func linked(from page: [ContentEntry], depth: Int) -> Linked {
        var linked = Linked()
        var seen = Set(page.map { "Entry " + $0.id })
        var level = page
        for _ in 0..<depth {
            var next: [ContentEntry] = []
            for link in level.flatMap(\.links) where seen.insert("\(link.type) \(link.id)").inserted {
                if link.type == "Asset" {
                    if let asset = asset(link.id) { linked.assets.append(asset) } else { linked.missing.append(link) }
                } else if let entry = entry(link.id) {
                    next.append(entry)
                } else {
                    linked.missing.append(link)
                }
            }
            linked.entries += next
            level = next
        }
        return linked
    }
}
