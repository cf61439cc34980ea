import ConfigurationText
import ServiceHost

/// Reads items, app sources, individuals and limits.
extension PersonalizationDocumentReader {
    mutating func items(_ node: YAMLNode, _ key: String) {
        for (type, key, node) in reader.members(of: node, key) {
            guard configuration.items.count < ServiceLimits.documentTypes else {
                reader.report("there are more than \(ServiceLimits.documentTypes) types", at: node, key)
                return
            }
            guard (1...ServiceLimits.name).contains(type.utf8.count) else {
                reader.report("a type has 1 to \(ServiceLimits.name) bytes", at: node, key)
                continue
            }
            var catalog = ItemCatalog(type)
            for (key, node) in list(node, key, limit: ServiceLimits.documentItems) {
                let fields = texts(node, key, limit: ServiceLimits.attributes)
                guard node.isMapping else { continue }
                guard let item = Item(fields) else {
                    reader.report(
                        "an item needs one of \(Item.idFields.joined(separator: ", "))", at: node, key)
                    continue
                }
                if !catalog.add(item) { reader.report("another item of \(type) has this id", at: node, key) }
            }
            configuration.items[type] = catalog
        }
    }

    mutating func appSources(_ node: YAMLNode, _ key: String) {
        for (key, node) in list(node, key, limit: ServiceLimits.appSources) {
            let members = members(of: node, key, .appSource)
            guard let id = requiredName("id", members, node, key),
                requiredName("dataspace", members, node, key) != nil,
                let member = members.first(where: { $0.name == "dataspace" })
            else { continue }
            let taken = [configuration.appSourceID] + configuration.appSources.map(\.id)
            guard UUIDText.isValid(id), !taken.contains(where: { $0.lowercased() == id.lowercased() }) else {
                reader.report("the id of an app source is a UUID that no other has", at: node, key)
                continue
            }
            guard let space = dataSpace(member.node, member.key) else { continue }
            configuration.appSources.append(.init(id: id, dataSpace: space))
        }
    }

    mutating func individuals(_ node: YAMLNode, _ key: String) {
        var ids: Set<String> = []
        var keys: Set<String> = []
        for (key, node) in list(node, key, limit: ServiceLimits.documentIndividuals) {
            let members = members(of: node, key, .individual)
            guard let id = requiredName("id", members, node, key) else { continue }
            var individual = ServiceConfiguration.KnownIndividual(id)
            for (name, key, node) in members {
                switch name {
                case "email": individual.email = self.name(node, key)
                case "user-id": individual.userID = self.name(node, key)
                case "dataspace": individual.dataSpace = dataSpace(node, key)
                case "attributes": individual.attributes = texts(node, key, limit: ServiceLimits.attributes)
                default: break
                }
            }
            let own = [individual.email.map { "email " + $0.lowercased() }, individual.userID.map { "user-id " + $0 }]
            guard ids.insert(id).inserted, !own.contains(where: { $0.map(keys.contains) ?? false }) else {
                reader.report("another individual has this id, email or user id", at: node, key)
                continue
            }
            keys.formUnion(own.compactMap(\.self))
            configuration.individuals.append(individual)
        }
    }

    mutating func limits(_ node: YAMLNode, _ key: String) {
        for (name, key, node) in members(of: node, key, .limits) {
            var limits = configuration.limits
            switch name {
            case "requests-per-minute":
                limits.requestsPerMinute = limit(node, key, upTo: 1_000_000_000) ?? limits.requestsPerMinute
            case "people": limits.people = limit(node, key, upTo: 1_000_000) ?? limits.people
            case "decisions": limits.decisions = limit(node, key, upTo: 1_000_000) ?? limits.decisions
            case "events": limits.events = limit(node, key, upTo: 1_000_000) ?? limits.events
            case "event-bytes": limits.eventBytes = limit(node, key, upTo: 4_294_967_296) ?? limits.eventBytes
            case "experiment-people":
                limits.experimentPeople = limit(node, key, upTo: 10_000_000) ?? limits.experimentPeople
            case "event-ids": limits.eventIDs = limit(node, key, upTo: 10_000_000) ?? limits.eventIDs
            case "content-bytes": limits.contentBytes = limit(node, key, upTo: 16_777_216) ?? limits.contentBytes
            default: break
            }
            configuration.limits = limits
        }
    }
}
