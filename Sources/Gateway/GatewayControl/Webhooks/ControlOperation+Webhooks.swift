extension ControlOperation {
    private static let noWebhook = Answer.problem(404, "There is no such webhook.")

    static let ofWebhooks: [ControlOperation] = [
        ControlOperation(
            "GET", "/api/webhooks", "listWebhooks", "lists the webhooks",
            [.json(.named("WebhookList"), "All of them, with counts of their events.")]
        ) { api, _, _ in api.webhooks() },
        ControlOperation(
            "POST", "/api/webhooks", "addWebhook",
            #"adds one: {"url":"http://127.0.0.1:9000/","events":["delivered"]}"#,
            body: .newWebhook,
            [.json(201, .named("Webhook"), "It gets events from now on."), .problem(507, "There are too many.")]
        ) { api, request, _ in try api.addWebhook(request) },
        ControlOperation(
            "DELETE", "/api/webhooks", "removeWebhooks", "removes all", [.none("All webhooks are removed.")]
        ) { api, _, _ in api.removeWebhooks() },
        ControlOperation(
            "GET", "/api/webhooks/{id}", "getWebhook", "shows one webhook",
            [.json(.named("Webhook"), "The webhook."), noWebhook]
        ) { api, _, arguments in try api.webhook(arguments[0]) },
        ControlOperation(
            "DELETE", "/api/webhooks/{id}", "removeWebhook", "removes one", [.none("It is removed."), noWebhook]
        ) { api, _, arguments in try api.removeWebhook(arguments[0]) },
    ]
}
