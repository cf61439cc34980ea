import APNSModel
import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

extension ControlAPI {
    func notifications(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let parameters = request.parameters
        var query = NotificationQuery()
        if let text = parameters["outcome"] {
            guard let outcome = NotificationQuery.Outcome(rawValue: text) else {
                throw .badParameter("outcome", "must be accepted, refused or unprocessed")
            }
            query.outcome = outcome
        }
        if let text = parameters["since"] {
            guard let since = TimeText.milliseconds(ofTime: text) else {
                throw .badParameter(
                    "since", "must be a time in RFC 3339 such as 2026-11-21T07:00:00Z, or Unix seconds")
            }
            query.since = since
        }
        if let text = parameters["request"] {
            guard let kind = RequestKind(rawValue: text) else {
                let known = RequestKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badParameter("request", "must be one of \(known)")
            }
            query.kind = kind
        }
        query.reason = parameters["reason"]
        query.topic = parameters["topic"]
        query.token = parameters["token"]
        query.pushType = parameters["push-type"]
        query.collapseID = parameters["collapse-id"]
        query.apnsID = parameters["apns-id"]
        query.channelID = parameters["channel-id"]
        query.text = parameters["q"]
        query.limit = try limit(parameters, maximum: NotificationQuery.maximumLimit) ?? query.limit
        query.cursor = try cursor(parameters)
        let page = state.notifications(query)
        return .ok(
            .object { object in
                object.add("total", page.total)
                object.add("notifications", .array(page.entries.map { $0.json(withLife: false) }))
                object.addOrNull("next", page.next.map { "\($0)" })
            })
    }

    func notification(_ id: String) throws(Problem) -> ControlAnswer {
        guard let entry = state.read({ world, _ in world.notification(uniqueID: id) }) else {
            throw Problem(
                404, "No such notification",
                "the journal has no entry with this apns-unique-id; it never existed, or was removed because "
                    + "the journal was full")
        }
        return .ok(entry.json(withLife: true))
    }

    func deleteNotifications() -> ControlAnswer {
        state.deleteNotifications()
        return .noContent
    }
}
