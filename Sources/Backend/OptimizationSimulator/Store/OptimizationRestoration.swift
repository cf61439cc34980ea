import APNSModel
import Foundation
import PushDispatch
package import ServiceHost

extension OptimizationWorld {
    /// The world of a store, or a new one where nothing is stored. Changes are noted; those of a new world have to be
    /// written at once.
    ///
    /// Entries, audiences and limits are those of the configuration. Profiles, events, counts, faults and the clock are
    /// those of the store.
    ///
    /// - Parameters:
    ///   - isManual: Nil keeps the stored mode of the clock.
    ///   - real: The machine's time in milliseconds since 1970.
    package static func opened(
        _ configuration: OptimizationConfiguration, isManual: Bool?, from store: any ServiceStore, real: Int64
    ) throws -> OptimizationWorld {
        var world = OptimizationWorld(configuration, clock: isManual == true ? .manual(at: real) : ServiceClock())
        guard var (service, clock) = try OptimizationRestoration.load(configuration, from: store) else {
            world.track(.all)
            return world
        }
        if let isManual, isManual != clock.isManual { clock.set(isManual: isManual, to: nil, real: real) }
        service.track(.new)
        world.track(.new)
        world.restore(service, clock)
        return world
    }

    package mutating func reload(from store: any ServiceStore) throws {
        guard var stored = try OptimizationRestoration.load(configuration, from: store) else {
            throw ServiceStoreError.damaged("the store is empty")
        }
        stored.service.track(.new)
        restore(stored.service, stored.clock)
    }
}

/// Builds a service from what a store passes on.
private struct OptimizationRestoration {
    private var service: OptimizationService
    private var clock = ServiceClock()
    private var hasCore = false
    private let decoder = JSONDecoder()

    /// - Returns: Nil if nothing is stored.
    static func load(
        _ configuration: OptimizationConfiguration, from store: any ServiceStore
    ) throws -> (service: OptimizationService, clock: ServiceClock)? {
        var restoration = OptimizationRestoration(service: OptimizationService(configuration))
        try store.load { item in
            switch item {
            case .row(let row): try restoration.take(row)
            case .entry(let entry): try restoration.take(entry)
            }
        }
        return restoration.hasCore ? (restoration.service, restoration.clock) : nil
    }

    private init(service: OptimizationService) { self.service = service }

    private mutating func take(_ row: StoredRow) throws {
        guard let kind = OptimizationRow(rawValue: row.kind), let document = row.document else {
            throw ServiceStoreError.damaged("there is a row of the unknown kind \(ShownText.quoted(row.kind))")
        }
        guard hasCore != (kind == .core) else { throw ServiceStoreError.damaged("the row core is missing") }
        let key = String(decoding: row.key, as: UTF8.self)
        switch kind {
        case .core: begin(try value(OptimizationCore.self, document, "core"))
        case .experience:
            service.counts.restore(try value(ExperienceCounts.Numbers.self, document, row.kind), of: key)
        case .profile:
            let profile = try value(VisitorProfile.self, document, row.kind)
            guard profile.id == key else { throw ServiceStoreError.damaged("a profile has another id than its row") }
            if service.profiles.put(profile) { service.counts.move([:], to: profile.selections) }
        }
    }

    private mutating func begin(_ core: OptimizationCore) {
        hasCore = true
        clock = core.clock
        func first(_ log: OptimizationLog) -> Int { core.firstNumbers[log.rawValue] ?? 0 }
        service.generator = core.generator
        service.faults = core.faults
        service.importRefused = core.importRefused
        service.counts.unknown = core.unknown
        service.profiles.dropped = core.profilesDropped
        service.events = ProfileEventLog(
            service.configuration.limits, dropped: first(.event), forgotten: first(.messageID))
        service.events.repeats = core.repeats
    }

    private mutating func take(_ entry: StoredEntry) throws {
        guard hasCore, let log = OptimizationLog(rawValue: entry.log) else {
            throw ServiceStoreError.damaged("there is an entry of the unknown log \(ShownText.quoted(entry.log))")
        }
        let next =
            switch log {
            case .event: service.events.log.nextNumber
            case .messageID: service.events.ids.order.nextNumber
            }
        guard entry.number == next else {
            throw ServiceStoreError.damaged("the log \(entry.log) has no entry \(next)")
        }
        switch log {
        case .event:
            let event = try event(entry.document)
            service.events.keep(event)
            service.counts.know(event.event)
        case .messageID: service.events.know(String(decoding: entry.document, as: UTF8.self))
        }
    }

    private func event(_ document: [UInt8]) throws -> ProfileEventLog.Entry {
        do {
            let members = try WireMembers(WireMembers.json(document), "entry").members
            guard let queue = members["queue"]?.string.flatMap(ProfileEventLog.Queue.init(rawValue:)),
                let profile = members["profile"]?.string, case .integer(let arrived)? = members["arrived"]
            else { throw WireError.bad("queue, profile or arrived is missing") }
            let event = try ProfileWire(isStrict: false).event(members["event"] ?? .null, "event")
            return ProfileEventLog.Entry(queue: queue, profile: profile, event: event, arrived: arrived)
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
}
