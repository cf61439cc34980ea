import APNSModel
import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

extension ControlAPI {
    /// What was delivered to the device, newest first, and what waits for it.
    func inbox(_ text: String, _ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let parameters = request.parameters
        let token = try deviceToken(text)
        let environment = try environment(parameters)
        let limit = try limit(parameters, maximum: NotificationQuery.maximumLimit) ?? 50
        guard let inbox = state.read({ world, _ in world.inbox(of: token, in: environment, limit: limit) }) else {
            throw .noDevice(token.shortened)
        }
        return .ok(
            .object { object in
                object.add("waiting", .array(inbox.waiting.map(\.envelope)))
                object.add("delivered", .array(inbox.delivered.map(\.json)))
            })
    }

    /// How many notifications there were since the start, by outcome; with `seconds` also in each of the last seconds.
    func counts(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let history = try seconds(request.parameters).map { perSecond($0) }
        let counts = state.read { world, _ in world.counts }
        return .ok(
            .object { object in
                object.add("total", counts.total)
                object.add("accepted", counts.accepted)
                object.add(
                    "refused",
                    .object { object in
                        for (reason, count) in counts.refused.sorted(by: { $0.key < $1.key }) {
                            object.add(name: reason, json: Array("\(count)".utf8))
                        }
                    })
                object.add("unprocessed", counts.unprocessed)
                object.add("unanswered", counts.unanswered)
                if let history { object.add("per-second", .array(history.map(\.json))) }
            })
    }

    private func seconds(_ parameters: [String: String]) throws(Problem) -> Int? {
        guard let text = parameters["seconds"] else { return nil }
        guard let seconds = Int(text), (1...RateHistory.maximumSeconds).contains(seconds) else {
            throw .badParameter("seconds", "must be a number from 1 to \(RateHistory.maximumSeconds)")
        }
        return seconds
    }

    private func perSecond(_ seconds: Int) -> [RateHistory.Second] {
        var history = RateHistory(seconds: seconds, at: state.read { _, real in real })
        state.readJournal { history.read($0, $1) }
        return history.perSecond(of: state.read { world, _ in world.journalSequences })
    }
}

extension RateHistory.Second {
    fileprivate var json: JSONText {
        .object { object in
            object.add("accepted", accepted)
            object.add("refused", refused)
            object.add("unprocessed", unprocessed)
        }
    }
}

extension StoredDelivery {
    fileprivate var envelope: JSONText {
        .object { object in
            delivery.add(to: &object)
            object.add("expires", time: expiresAt)
            guard let hold else { return }
            object.add("held-for", hold.cause.rawValue)
            if let until = hold.until { object.add("held-until", time: until) }
        }
    }
}

extension DeviceInbox.Delivered {
    fileprivate var json: JSONText {
        .object { object in
            delivery.add(to: &object)
            if let at { object.add("delivered", time: at) }
            object.addIfAny("hidden-by", hiddenBy)
        }
    }
}
