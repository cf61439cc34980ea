import PushDispatch
import ServiceHost

/// What changed, as server-sent events (HTML standard, 9.2) for `GET /api/events`.
enum ServiceNews {
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
                if let record = service.decisions[number: number] {
                    ServerSentEvents.append("decision", world.json(record), to: &bytes)
                }
            }
            for (space, people) in changes.people.enumerated() {
                for id in people.people {
                    if let person = service.individuals[space].people[id] {
                        ServerSentEvents.append("individual", world.json(person, in: space), to: &bytes)
                    } else {
                        let name = service.configuration.dataSpaces[space]
                        ServerSentEvents.append(
                            "individual-joined", ["id": .string(id), "dataspace": .string(name)], to: &bytes)
                    }
                }
            }
            for number in changes.events {
                if let entry = service.events.log[number] {
                    ServerSentEvents.append("event", .object(entry.event.members), to: &bytes)
                }
            }
            for number in changes.diagnostics {
                if let logged = service.diagnostics[number] {
                    ServerSentEvents.append("diagnostic", world.json(logged), to: &bytes)
                }
            }
        }
        ServerSentEvents.append("state", world.state(real), to: &bytes)
        return bytes
    }

    /// Says that everything has to be read again.
    static func replaced(in world: ServiceWorld, real: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        ServerSentEvents.append("reset", [:], to: &bytes)
        ServerSentEvents.append("state", world.state(real), to: &bytes)
        return bytes
    }
}
