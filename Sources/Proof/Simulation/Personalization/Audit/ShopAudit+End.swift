import EventDelivery
import Personalization
import PersonalizationSimulator
import PushDispatch

/// The checks at the end: what the device has stored against what the service has received.
extension ShopAudit {
    /// - Parameters:
    ///   - received: What the service has, in the order of arrival.
    ///   - arrivals: The positions in it by id.
    func checkEnd(_ received: [ServiceEvent], _ arrivals: [String: Int], _ status: QueueStatus?) {
        for call in calls { violation("has not ended \(call.name) \(call.marker)") }
        var byMarker: [String: Int] = [:]
        for event in received {
            guard let marker = marker(of: event) else { continue }
            byMarker[marker, default: 0] += 1
        }
        for (marker, call) in allCalls.sorted(by: { $0.key < $1.key }) {
            let count = byMarker[marker] ?? 0
            if count > 1 { violation("has \(call.name) \(marker) \(count) times at the service") }
            if call.isBad, count > 0 { violation("has the bad event \(marker) at the service") }
            guard call.isKept, count == 0, !events.values.contains(where: { $0.call === call }) else { continue }
            // It waited in the state, where an opt-out ends it as well.
            if optOut(of: purposes.events) < call.began { violation("has lost \(call.name) \(marker)") }
        }
        for id in order { if let event = events[id] { check(event, isReceived: arrivals[id.description] != nil) } }
        checkOrder(arrivals)
        checkImpressions(received)
        checkLedger(status)
    }

    private func marker(of event: ServiceEvent) -> String? {
        for key in ["marker", "attributeMarker", "campaign"] {
            if let text = event.members[key]?.string, allCalls[text] != nil { return text }
        }
        return nil
    }

    /// An event is at the service, or its drop has a reason that is true.
    private func check(_ event: KeptEvent, isReceived: Bool) {
        let name = "\(event.call?.name ?? event.kind) \(event.call?.marker ?? event.id.description)"
        let hasEnded = mayHaveEnded && (isReceived || event.drop != nil)
        if !event.sequences.isEmpty, !hasEnded { violation("still keeps \(name)") }
        guard let drop = event.drop else {
            if isReceived { return }
            guard event.hasVanished else { return violation("has lost \(name)") }
            if !mayBeOptedOut(event), !mayBeRefused(event), device.run.settings.maximumEvents > 1_000 {
                violation("has lost \(name)")
            }
            return
        }
        switch drop.reason {
        case .optedOut:
            if !mayBeOptedOut(event) { violation("drops \(name) as opted out, which nobody has") }
        case .queueFull:
            if device.run.settings.maximumEvents > 1_000 { violation("drops \(name) for space that it has") }
        case .refused(status: 400):
            if !mayBeRefused(event) { violation("drops \(name) as refused, which it was not") }
        default: violation("drops \(name): \(drop.reason)")
        }
    }

    private func mayBeOptedOut(_ event: KeptEvent) -> Bool {
        event.purpose.map { optOut(of: $0) > event.stored } ?? false
    }

    private func mayBeRefused(_ event: KeptEvent) -> Bool { refused.contains(event.id) || event.call?.isBad == true }

    /// No event moves past one about the person, which has to hold the order.
    private func checkOrder(_ arrivals: [String: Int]) {
        let sent = order.compactMap { id -> (event: KeptEvent, arrival: Int)? in
            guard let event = events[id], event.drop == nil, !event.hasVanished, let arrival = arrivals[id.description]
            else { return nil }
            return (event, arrival)
        }
        for (index, identity) in sent.enumerated() where identity.event.kind == "identity" {
            for (other, neighbour) in sent.enumerated() where other != index {
                // An event that waits for its own consent is passed.
                let isBlocked = identity.event.wasBlocked || neighbour.event.wasBlocked
                if neighbour.event.isRecord || (isBlocked && neighbour.event.purpose != identity.event.purpose) {
                    continue
                }
                guard (other < index) != (neighbour.arrival < identity.arrival) else { continue }
                violation(
                    "has \(neighbour.event.kind) \(neighbour.event.id) on the wrong side of \(identity.event.kind) "
                        + "\(identity.event.id)")
            }
        }
    }

    /// Each content once in a session.
    private func checkImpressions(_ received: [ServiceEvent]) {
        var seen: Set<[String]> = []
        for event in received where event.action == .impression {
            guard let marker = marker(of: event), allCalls[marker] != nil, let content = event.contentID else {
                continue
            }
            if !seen.insert([event.deviceID, event.sessionID, content]).inserted {
                violation("reports \(content) twice in a session")
            }
        }
    }

    /// What was stored is delivered or dropped, also across crashes.
    private func checkLedger(_ status: QueueStatus?) {
        guard let status else { return violation("cannot open its store") }
        if status.kept > 0 { violation("still keeps \(status.kept) events") }
        let ended = status.ledger.delivered + status.ledger.totalDropped
        if ended < stored || ended > stored + unstoredRecords {
            violation("has \(stored) events in its ledger as \(ended)")
        }
    }
}
