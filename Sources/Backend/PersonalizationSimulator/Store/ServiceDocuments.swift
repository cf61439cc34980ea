import APNSModel
import Foundation
import PushDispatch
package import ServiceHost

/// The kinds of rows. Files contain these words, so they never change.
enum StoredKind: String, CaseIterable {
    /// One row, which is loaded before all others.
    case core
    case device, email, group, merged, party, person, user, waiting
}

/// The logs. Files contain these words, so they never change.
enum StoredLog: String, CaseIterable {
    case decision, diagnostic, event
    case eventID = "event-id"
}

/// What is neither a row of its own nor an entry of a log.
struct CoreDocument: Codable {
    struct Space: Codable {
        var dropped: Individuals.Dropped
        var lastNumber: Int
    }

    var credits: Int
    var repeats: Int
    var withoutDecision: Int
    var groupsDropped: Int
    var generator: SeededGenerator
    var faults: ServiceFaults
    var clock: ServiceClock
    var spaces: [String: Space]
    var firstNumbers: [String: Int]
}

/// Makes of changes what a store writes.
package struct ServiceDocuments: Sendable {
    private let encoder = JSONEncoder()

    package init() { encoder.outputFormatting = .sortedKeys }

    package func stored(_ changes: ServiceChanges, _ world: ServiceWorld) throws -> StoredChanges {
        var stored = StoredChanges()
        stored.replacesAll = changes.isReplaced
        let service = world.service
        stored.firstNumbers = [
            StoredLog.decision.rawValue: service.decisions.dropped, StoredLog.event.rawValue: service.events.dropped,
            StoredLog.diagnostic.rawValue: service.diagnostics.dropped,
            StoredLog.eventID.rawValue: service.events.ids.order.dropped,
        ]
        stored.rows.append(try row(.core, "", "", core(world, stored.firstNumbers)))
        for (space, people) in changes.people.enumerated() {
            let name = service.configuration.dataSpaces[space]
            let individuals = service.individuals[space]
            for key in people.people { stored.rows.append(try row(.person, name, key, individuals.table[key])) }
            for key in people.devices { stored.rows.append(try row(.device, name, key, individuals.devices[key])) }
            for key in people.userIDs { stored.rows.append(try row(.user, name, key, individuals.byUserID[key])) }
            for key in people.emails { stored.rows.append(try row(.email, name, key, individuals.byEmail[key])) }
            for key in people.parties { stored.rows.append(try row(.party, name, key, individuals.byParty[key])) }
            for key in people.merged { stored.rows.append(try row(.merged, name, key, individuals.mergedInto[key])) }
        }
        for key in changes.waiting { stored.rows.append(try row(.waiting, "", key, service.decisions.waiting[key])) }
        for key in changes.groups { stored.rows.append(try row(.group, "", key, service.groups.members[key])) }
        for number in changes.decisions {
            guard let record = service.decisions[number: number] else { continue }
            stored.entries.append(entry(.decision, number, Array(try encoder.encode(record))))
        }
        for number in changes.diagnostics {
            guard let logged = service.diagnostics[number] else { continue }
            stored.entries.append(entry(.diagnostic, number, Array(try encoder.encode(logged))))
        }
        for number in changes.events {
            guard let event = service.events.log[number] else { continue }
            stored.entries.append(entry(.event, number, document(of: event)))
        }
        for number in changes.eventIDs {
            guard let id = service.events.ids.order[number] else { continue }
            stored.entries.append(entry(.eventID, number, Array(id.utf8)))
        }
        return stored
    }

    private func core(_ world: ServiceWorld, _ firstNumbers: [String: Int]) -> CoreDocument {
        let service = world.service
        let spaces = service.individuals.map { CoreDocument.Space(dropped: $0.dropped, lastNumber: $0.lastNumber) }
        return CoreDocument(
            credits: service.credits, repeats: service.events.repeats,
            withoutDecision: service.events.withoutDecision, groupsDropped: service.groups.dropped,
            generator: service.generator, faults: service.faults, clock: world.clock,
            spaces: Dictionary(uniqueKeysWithValues: zip(service.configuration.dataSpaces, spaces)),
            firstNumbers: firstNumbers)
    }

    private func row(
        _ kind: StoredKind, _ space: String, _ key: String, _ value: (some Encodable)?
    ) throws -> StoredRow {
        StoredRow(
            kind: kind.rawValue, space: space, name: key, document: try value.map { Array(try encoder.encode($0)) })
    }

    private func entry(_ log: StoredLog, _ number: Int, _ document: [UInt8]) -> StoredEntry {
        StoredEntry(log: log.rawValue, number: number, document: document)
    }

    private func document(of entry: EventLog.Entry) -> [UInt8] {
        var members: [String: JSONValue] = ["arrived": .integer(entry.arrived), "event": .object(entry.event.members)]
        members["dataspace"] = entry.dataSpace.map { .string($0) }
        return JSONValue.object(members).compactBytes
    }
}
