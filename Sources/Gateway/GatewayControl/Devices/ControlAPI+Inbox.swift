import APNSModel
import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

extension ControlAPI {
    /// What was delivered to the device, newest first, and what waits for it.
    func inbox(_ text: String, _ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let parameters = try request.parameters(["environment", "limit"])
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

    /// How many requests there were since the start, by outcome.
    func counts() -> ControlAnswer {
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
            })
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
