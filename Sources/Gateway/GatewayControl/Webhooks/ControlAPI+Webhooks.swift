import GatewayConfiguration
import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

extension ControlAPI {
    func webhooks() -> ControlAnswer {
        .ok(.object { $0.add("webhooks", .array(state.webhooks.all.map(\.json))) })
    }

    func webhook(_ id: String) throws(Problem) -> ControlAnswer {
        guard let webhook = state.webhooks.all.first(where: { $0.id == id }) else { throw .noWebhook(id) }
        return .ok(webhook.json)
    }

    func addWebhook(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let body = try ControlBody(request.body, keys: ["url", "events"])
        guard let url = WebhookURL(try body.required("url", "http://127.0.0.1:9000/")) else {
            throw body.wrong("url", "of the form \(WebhookURL.form)")
        }
        guard url.isLoopback || access.allowsRemoteWebhooks else {
            throw body.wrong(
                "url",
                "on this machine, such as http://127.0.0.1:9000/: the setting remote-webhooks of the gateway "
                    + "allows others")
        }
        let names = try body.strings("events")
        if let names, names.isEmpty || !names.allSatisfy({ GatewayEvent.names.contains($0) }) {
            throw body.wrong("events", "an array of names from \(GatewayEvent.names.joined(separator: ", "))")
        }
        let wanted = names.map { Set($0) }
        guard let webhook = state.webhooks.add(url, events: wanted, worlds.webhookTLS, of: state) else {
            throw Problem(
                507, "Too many webhooks",
                "there are \(GatewayConfiguration.maximumWebhooks) webhooks already; DELETE one of /api/webhooks")
        }
        return .created(webhook.json, at: base + "/api/webhooks/\(webhook.id)")
    }

    func removeWebhook(_ id: String) throws(Problem) -> ControlAnswer {
        guard state.webhooks.remove(id, of: state) else { throw .noWebhook(id) }
        return .noContent
    }

    func removeWebhooks() -> ControlAnswer {
        state.webhooks.removeAll(of: state)
        return .noContent
    }
}
