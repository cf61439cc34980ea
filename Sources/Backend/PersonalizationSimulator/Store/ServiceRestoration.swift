import APNSModel
import Foundation
import PushDispatch
package import ServiceHost

extension ServiceWorld {
    /// The world of a store, or a new one where nothing is stored. Changes are noted; those of a new world have to be
    /// written at once.
    ///
    /// Points, items and limits are those of the configuration. People, decisions, events, credits, faults and the clock
    /// are those of the store; people of the configuration who are not there are added.
    ///
    /// - Parameters:
    ///   - isManual: Nil keeps the stored mode of the clock.
    ///   - real: The machine's time in milliseconds since 1970.
    package static func opened(
        _ configuration: ServiceConfiguration, isManual: Bool?, from store: any ServiceStore, real: Int64
    ) throws -> ServiceWorld {
        var world = ServiceWorld(configuration, clock: isManual == true ? .manual(at: real) : ServiceClock())
        guard var (service, clock) = try ServiceRestoration.load(configuration, from: store) else {
            world.track(.all)
            return world
        }
        if let isManual, isManual != clock.isManual { clock.set(isManual: isManual, to: nil, real: real) }
        for space in configuration.dataSpaces.indices {
            for known in configuration.individuals
            where known.dataSpace ?? configuration.dataSpaces[space] == configuration.dataSpaces[space] {
                service.individuals[space].add(known)
            }
        }
        world.track(.new)
        world.restore(service, clock)
        return world
    }

    /// Takes the state of the store again after a failed write.
    package mutating func reload(from store: any ServiceStore) throws {
        guard let stored = try ServiceRestoration.load(service.configuration, from: store) else {
            throw ServiceStoreError.damaged("the store is empty")
        }
        restore(stored.service, stored.clock)
    }
}

/// Builds a service from what a store passes on.
struct ServiceRestoration {
    private var service: PersonalizationService
    private var clock = ServiceClock()
    private var hasCore = false
    private var merged: [[(id: String, value: Individuals.Merged)]]
    private var waiting: [(device: String, waiting: DecisionLog.Waiting)] = []
    private let decoder = JSONDecoder()

    /// - Returns: A service that notes its changes: what no longer fits into its limits so far. Nil if nothing is stored.
    static func load(
        _ configuration: ServiceConfiguration, from store: any ServiceStore
    ) throws -> (service: PersonalizationService, clock: ServiceClock)? {
        var restoration = ServiceRestoration(configuration)
        try store.load { item in
            switch item {
            case .row(let row): try restoration.take(row)
            case .entry(let entry): try restoration.take(entry)
            }
        }
        guard restoration.hasCore else { return nil }
        restoration.finish()
        return (restoration.service, restoration.clock)
    }

    private init(_ configuration: ServiceConfiguration) {
        service = PersonalizationService(configuration)
        merged = Array(repeating: [], count: configuration.dataSpaces.count)
    }

    private mutating func take(_ row: StoredRow) throws {
        guard let kind = StoredKind(rawValue: row.kind), let document = row.document else {
            throw ServiceStoreError.damaged("there is a row of the unknown kind \(ShownText.quoted(row.kind))")
        }
        guard hasCore != (kind == .core) else { throw ServiceStoreError.damaged("the row core is missing") }
        let key = String(decoding: row.key, as: UTF8.self)
        switch kind {
        case .core: begin(try value(CoreDocument.self, document, "core"))
        case .waiting: waiting.append((key, try value(DecisionLog.Waiting.self, document, row.kind)))
        case .group: service.groups.add(try value(ExperimentGroups.Member.self, document, row.kind))
        case .device, .email, .merged, .party, .person, .user:
            // People of a data space that is not in the configuration stay in the store, for when it is again.
            guard let space = service.space(row.space) else { return }
            try take(kind, key, document, in: space)
        }
    }

    private mutating func take(_ kind: StoredKind, _ key: String, _ document: [UInt8], in space: Int) throws {
        switch kind {
        case .person:
            service.individuals[space].table[key] = try value(Individual.self, document, kind.rawValue)
        case .device:
            let links = try value([Individuals.Link].self, document, kind.rawValue)
            guard !links.isEmpty else { throw ServiceStoreError.damaged("a device has no owner") }
            service.individuals[space].devices[key] = links
        case .user: service.individuals[space].byUserID[key] = try value(String.self, document, kind.rawValue)
        case .email: service.individuals[space].byEmail[key] = try value(String.self, document, kind.rawValue)
        case .party: service.individuals[space].byParty[key] = try value(String.self, document, kind.rawValue)
        case .merged: merged[space].append((key, try value(Individuals.Merged.self, document, kind.rawValue)))
        case .core, .group, .waiting: break
        }
    }

    private mutating func begin(_ core: CoreDocument) {
        hasCore = true
        clock = core.clock
        let configuration = service.configuration
        let limits = configuration.limits
        func first(_ log: StoredLog) -> Int { core.firstNumbers[log.rawValue] ?? 0 }
        service.credits = core.credits
        service.generator = core.generator
        service.faults = core.faults
        service.individuals = configuration.dataSpaces.map { name in
            var individuals = Individuals(limit: limits.people)
            if let space = core.spaces[name] {
                individuals.dropped = space.dropped
                individuals.lastNumber = space.lastNumber
            }
            return individuals
        }
        service.decisions = DecisionLog(limit: limits.decisions, devices: limits.people, dropped: first(.decision))
        service.events = EventLog(
            limit: limits.events, bytes: limits.eventBytes, ids: limits.eventIDs, dropped: first(.event),
            forgotten: first(.eventID))
        service.events.repeats = core.repeats
        service.events.withoutDecision = core.withoutDecision
        service.diagnostics = BoundedLog(limit: limits.diagnostics, dropped: first(.diagnostic))
        service.groups.dropped = core.groupsDropped
    }

    private mutating func take(_ entry: StoredEntry) throws {
        guard hasCore, let log = StoredLog(rawValue: entry.log) else {
            throw ServiceStoreError.damaged("there is an entry of the unknown log \(ShownText.quoted(entry.log))")
        }
        let next =
            switch log {
            case .decision: service.decisions.log.nextNumber
            case .diagnostic: service.diagnostics.nextNumber
            case .event: service.events.log.nextNumber
            case .eventID: service.events.ids.order.nextNumber
            }
        guard entry.number == next else {
            throw ServiceStoreError.damaged("the log \(entry.log) has no entry \(next)")
        }
        switch log {
        case .decision: service.decisions.restore(try value(DecisionRecord.self, entry.document, entry.log))
        case .diagnostic:
            service.diagnostics.append(
                try value(PersonalizationService.LoggedDiagnostic.self, entry.document, entry.log))
        case .event: service.events.keep(try event(entry.document))
        case .eventID: service.events.know(String(decoding: entry.document, as: UTF8.self))
        }
    }

    private func event(_ document: [UInt8]) throws -> EventLog.Entry {
        do {
            let members = try WireMembers(WireMembers.json(document), "event").members
            guard case .integer(let arrived)? = members["arrived"] else { throw WireError.bad("arrived is missing") }
            return EventLog.Entry(
                event: try EventWire.event(WireMembers(members["event"], "event"), isStored: true), arrived: arrived,
                dataSpace: members["dataspace"]?.string)
        } catch let error as WireError {
            throw ServiceStoreError.damaged("an event cannot be read: \(error.description)")
        }
    }

    private func value<Value: Decodable>(_ type: Value.Type, _ document: [UInt8], _ what: String) throws -> Value {
        do {
            return try decoder.decode(type, from: Data(document))
        } catch {
            throw ServiceStoreError.damaged("a row or entry \(what) cannot be read")
        }
    }

    /// What depends on several rows. From then on changes are noted.
    private mutating func finish() {
        for space in service.individuals.indices {
            service.individuals[space].restoreMerged(merged[space].sorted { $0.value.number < $1.value.number })
            for person in service.individuals[space].people.values {
                service.individuals[space].coViews.add(person.viewed)
            }
        }
        service.decisions.restore(waiting.sorted { $0.waiting.number < $1.waiting.number })
        service.track(.new)
        for space in service.individuals.indices { service.individuals[space].dropSurplus() }
        service.decisions.dropSurplus()
    }
}
