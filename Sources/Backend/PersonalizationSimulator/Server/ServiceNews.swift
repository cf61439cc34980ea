import PushDispatch

/// What changed, as server-sent events (HTML standard, 9.2) for `GET /api/events`.
enum ServiceNews {
    static let connected = Array(": connected\n\n".utf8)
    static let heartbeat = Array(": heartbeat\n\n".utf8)

    /// The events of one request, with the counts at the end; empty if nothing changed.
    ///
    /// - Parameter real: The machine's time in milliseconds since 1970.
    static func events(of changes: ServiceChanges, in world: ServiceWorld, real: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        if changes.isReplaced {
            return replaced(in: world, real: real)
        } else {
            let service = world.service
            for number in changes.decisions {
                if let record = service.decisions[number: number] { append("decision", world.json(record), to: &bytes) }
            }
            for (space, people) in changes.people.enumerated() {
                for id in people.people {
                    if let person = service.individuals[space].people[id] {
                        append("individual", world.json(person, in: space), to: &bytes)
                    } else {
                        let name = service.configuration.dataSpaces[space]
                        append("individual-joined", ["id": .string(id), "dataspace": .string(name)], to: &bytes)
                    }
                }
            }
            for number in changes.events {
                if let entry = service.events.log[number] { append("event", .object(entry.event.members), to: &bytes) }
            }
            for number in changes.diagnostics {
                if let logged = service.diagnostics[number] { append("diagnostic", world.json(logged), to: &bytes) }
            }
        }
        append("state", world.state(real), to: &bytes)
        return bytes
    }

    /// Says that everything has to be read again.
    static func replaced(in world: ServiceWorld, real: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        append("reset", [:], to: &bytes)
        append("state", world.state(real), to: &bytes)
        return bytes
    }

    private static func append(_ name: String, _ value: JSONValue, to bytes: inout [UInt8]) {
        bytes += "event: \(name)\ndata: ".utf8
        // Compact JSON contains no line end.
        bytes += value.compactBytes
        bytes += "\n\n".utf8
    }
}
