import APNSModel
import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

extension ControlAPI {
    /// Lists channels. Senders create and delete them through the channel port.
    func channels(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let parameters = request.parameters
        let environment = try environment(parameters)
        let limit = try limit(parameters, maximum: NotificationQuery.maximumLimit) ?? 100
        let (cursor, topic) = (try cursor(parameters), parameters["topic"])
        // One more than requested shows whether there is a next page.
        let (total, found) = state.read { world, _ in
            world.channels(in: environment, of: topic, after: cursor, limit: limit + 1)
        }
        let page = found.prefix(limit)
        return .ok(
            .object { object in
                object.add("total", total)
                object.add("channels", .array(page.map(\.json)))
                object.addOrNull("next", found.count > limit ? page.last.map { "\($0.ordinal)" } : nil)
            })
    }
}
