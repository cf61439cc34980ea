import APNSModel
import Foundation
import PushDispatch
package import ServiceHost

/// The kinds of rows. Files contain these words, so they never change.
enum OptimizationRow: String, CaseIterable {
    /// One row, which is loaded before all others.
    case core
    case experience, profile
}

/// The logs. Files contain these words, so they never change.
enum OptimizationLog: String, CaseIterable {
    case event
    case messageID = "message-id"
}

/// What is neither a row of its own nor an entry of a log.
struct OptimizationCore: Codable {
    var repeats: Int
    var unknown: Int
    var importRefused: Int
    var profilesDropped: Int
    var generator: SeededGenerator
    var faults: PathFaults<OptimizationPath>
    var clock: ServiceClock
    var firstNumbers: [String: Int]
}

/// Makes of changes what a store writes.
package struct OptimizationDocuments: Sendable {
    private let encoder = JSONEncoder()

    package init() { encoder.outputFormatting = .sortedKeys }

    package func stored(_ changes: OptimizationChanges, _ world: OptimizationWorld) throws -> StoredChanges {
        let service = world.service
        var stored = StoredChanges()
        stored.replacesAll = changes.isReplaced
        stored.firstNumbers = [
            OptimizationLog.event.rawValue: service.events.dropped,
            OptimizationLog.messageID.rawValue: service.events.ids.forgotten,
        ]
        let core = OptimizationCore(
            repeats: service.events.repeats, unknown: service.counts.unknown, importRefused: service.importRefused,
            profilesDropped: service.profiles.dropped, generator: service.generator, faults: service.faults,
            clock: world.clock, firstNumbers: stored.firstNumbers)
        stored.rows.append(try row(.core, "", core))
        for id in changes.profiles { stored.rows.append(try row(.profile, id, service.profiles[id])) }
        for id in changes.experiences { stored.rows.append(try row(.experience, id, service.counts[id])) }
        for number in changes.events {
            guard let entry = service.events.log[number] else { continue }
            let document: JSONValue = [
                "queue": .string(entry.queue.rawValue), "profile": .string(entry.profile),
                "arrived": .integer(entry.arrived), "event": .object(entry.event.members),
            ]
            stored.entries.append(
                StoredEntry(log: OptimizationLog.event.rawValue, number: number, document: document.compactBytes))
        }
        for number in changes.messageIDs {
            guard let id = service.events.ids.order[number] else { continue }
            stored.entries.append(
                StoredEntry(log: OptimizationLog.messageID.rawValue, number: number, document: Array(id.utf8)))
        }
        return stored
    }

    private func row(_ kind: OptimizationRow, _ key: String, _ value: (some Encodable)?) throws -> StoredRow {
        StoredRow(
            kind: kind.rawValue, space: "", name: key, document: try value.map { Array(try encoder.encode($0)) })
    }
}
