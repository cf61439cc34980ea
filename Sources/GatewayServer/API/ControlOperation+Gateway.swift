import APNSPayload

extension ControlOperation {
    static let ofGateway: [ControlOperation] = [
        ControlOperation(
            "GET", "/", "index", "this list", [.text("text/plain", "Every path with what it does.")]
        ) { _, _, _ in .text(ControlAPI.index) },
        ControlOperation(
            "GET", "/openapi.json", "openapi", "this API, described by OpenAPI 3.1", isOfGateway: true,
            [.json(.any, "An OpenAPI document.")]
        ) { api, _, _ in
            .ok(JSONText(bytes: OpenAPIDocument.json(needsToken: api.access.token != nil)))
        },
        ControlOperation(
            "GET", "/health", "health", "whether the gateway runs",
            [.json(.object(["status": .constant("ok")]), "It runs.")]
        ) { _, _, _ in .ok(.object { $0.add("status", "ok") }) },
        ControlOperation(
            "GET", "/metrics", "metrics", "counts and histograms of the world, as Prometheus text",
            [.text("text/plain", "The text format of Prometheus.")]
        ) { api, _, _ in .text(api.metrics) },
        ControlOperation(
            "GET", "/api/events", "events", "server-sent events of all that happens",
            [
                .text("text/event-stream", "An event for everything that happens from now on."),
                .problem(503, "There are too many listeners."),
            ]
        ) { api, _, _ in .events(api.state) },
        ControlOperation(
            "POST", "/api/reset", "reset", "everything back to the state at start", [.none("It is.")]
        ) { api, _, _ in api.reset() },
    ]
}
