import PushDispatch
import ServiceHost

/// Events: storing, identity and engagement.
extension PersonalizationService {
    package struct Receipt: Hashable, Sendable {
        package var stored = 0
        package var repeats = 0
    }

    /// Takes a batch whose events passed the checks of their form. Repeats are dropped.
    ///
    /// - Parameter dataSpace: That of the app source; nil for a source that feeds all of them.
    @discardableResult
    package mutating func receive(
        _ batch: [ServiceEvent], for dataSpace: String? = nil, at now: Int64
    ) -> Receipt {
        let spaces = dataSpace.map { space($0).map { $0..<($0 + 1) } ?? 0..<0 } ?? individuals.indices
        var receipt = Receipt()
        for event in batch {
            guard events.append(event, at: now, dataSpace: dataSpace) else {
                receipt.repeats += 1
                continue
            }
            receipt.stored += 1
            count(event, at: now)
            for space in spaces { apply(event, in: space, at: now) }
        }
        return receipt
    }

    private mutating func apply(_ event: ServiceEvent, in space: Int, at now: Int64) {
        let owner = individuals[space].see(event.deviceID, at: event.time)
        switch event.type {
        case "partyIdentification":
            if let type = key(event, "IDType"), let name = key(event, "IDName"), let id = key(event, "userId") {
                individuals[space].identify(
                    Individuals.Party(type: type, name: name, id: id), on: event.deviceID, since: event.time,
                    eventID: event.id, at: now)
            }
            if let owner { individuals[space].set(attributes(of: event), of: owner) }
        case "identity", "contactPointEmail":
            individuals[space].identify(
                Individuals.Identity(
                    device: event.deviceID, time: event.time, isContactPoint: event.type != "identity",
                    isAnonymous: event.type == "identity" && event.text("isAnonymous") == "1",
                    userID: key(event, "userId"), email: key(event, "email"),
                    attributes: attributes(of: event), eventID: event.id), at: now)
        case "contactPointPhone", "contactPointAddress":
            if let owner { individuals[space].set(attributes(of: event), of: owner) }
        default:
            guard let owner, event.action == .impression || event.action == .click, let item = item(of: event) else {
                return
            }
            individuals[space].view(item, by: owner)
        }
    }

    private func key(_ event: ServiceEvent, _ name: String) -> String? {
        event.text(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static let common: Set<String> = [
        "eventId", "dateTime", "deviceId", "sessionId", "eventType", "category", "channel", "latitude", "longitude",
        "isAnonymous", "email", "userId",
    ]

    private func attributes(of event: ServiceEvent) -> [String: String] {
        var attributes: [String: String] = [:]
        for (name, value) in event.members where !PersonalizationService.common.contains(name) {
            attributes[name] = ScalarText.text(value)
        }
        return attributes
    }

    /// Counts what a person did with a decision.
    private mutating func count(_ event: ServiceEvent, at now: Int64) {
        guard let action = event.action else { return }
        if let id = event.personalizationID {
            if !isGiven(event.content, in: id) || !decisions.count(action, of: id) { events.withoutDecision += 1 }
        } else if action == .open {
            decisions.open(on: event.deviceID, at: event.time, arrived: now)
        }
    }

    /// Whether a decision that is here has this content. One without items has a single content.
    private func isGiven(_ content: ServiceEvent.Content?, in id: String) -> Bool {
        guard case .item(let index)? = content, let items = decisions[id]?.items else { return true }
        return index < max(1, items.count)
    }

    /// The item that an event is about: its own `id`, else that of the content it names.
    private func item(of event: ServiceEvent) -> String? {
        if event.type == "catalog", let id = event.text("id") { return item(named: id) }
        guard let id = event.personalizationID, case .item(let index)? = event.content,
            let items = decisions[id]?.items, items.indices.contains(index)
        else { return nil }
        return items[index]
    }

    /// Only items of the document count, so that events cannot fill the memory with others.
    private func item(named id: String) -> String? {
        catalogs.lazy.compactMap { $0.item(id) }.first?.id
    }
}
