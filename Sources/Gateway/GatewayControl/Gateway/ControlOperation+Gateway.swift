import APNSPayload
import GatewayCore
import GatewayJSON
import PayloadJSON

extension ControlOperation {
    static let ofGateway: [ControlOperation] = [
        ControlOperation(
            "GET", "/", "page", "the inspector page, for a browser", [.text("text/html", "The page.")]
        ) { _, _, _ in .page(.index) },
        ControlOperation(
            "GET", "/page/{file}", "pageFile", "a file of the inspector page", isOfGateway: true,
            [
                .text("text/css", "A file of the page, with its own content type."),
                .problem(404, "The page does not have this file."),
            ]
        ) { _, _, arguments in
            guard let file = PageFile.all.first(where: { $0.name == arguments[0] }) else { throw Problem.notFound }
            return .page(file)
        },
        ControlOperation(
            "GET", "/api", "index", "this list", [.text("text/plain", "Every path with a summary.")]
        ) { _, _, _ in .text(ControlAPI.index) },
        ControlOperation(
            "GET", "/openapi.json", "openapi", "this API, described by OpenAPI 3.1", isOfGateway: true,
            [.json(.any, "An OpenAPI document.")]
        ) { api, _, _ in
            .ok(JSONText(bytes: OpenAPIDocument.json(needsToken: api.access.token != nil)))
        },
        ControlOperation(
            "GET", ControlAPI.healthPath, "health", "whether the gateway runs",
            [.json(.object(["status": .constant("ok")]), "It runs.")]
        ) { _, _, _ in .ok(.object { $0.add("status", "ok") }) },
        ControlOperation(
            "GET", ControlAPI.readyPath, "ready", "whether senders can use the gateway now", isOfGateway: true,
            [
                .json(.object(["status": .constant("ready")]), "All ports are open, and each world can be stored."),
                .problem(503, "A port is not open, or the store cannot be written."),
            ]
        ) { api, _, _ in try api.ready() },
        ControlOperation(
            "GET", "/metrics", "metrics",
            "counts, histograms and memory, as Prometheus text; ?worlds=all of all worlds",
            parameters: [
                Parameter(
                    name: "worlds", schema: .words(["all"]),
                    why: "All worlds in one text, each sample with the label `world`; not below /w/{world}.")
            ],
            [.text("text/plain", "The text format of Prometheus.")]
        ) { api, request, _ in try api.metrics(request) },
        ControlOperation(
            "GET", "/api/counts", "counts", "how many notifications there were, by outcome",
            parameters: [
                Parameter(
                    name: "seconds", schema: .integer(1...Int64(RateHistory.maximumSeconds)),
                    why: "Also how many there were in each of the last seconds.")
            ],
            [.json(.named("Counts"), "Since the start or the last reset.")]
        ) { api, request, _ in try api.counts(request) },
        ControlOperation(
            "GET", "/api/events", "events", "server-sent events of everything that happens",
            parameters: [
                Parameter(name: "last-event-id", schema: .string, why: "Resumes after this event.", place: .header)
            ],
            [
                .text("text/event-stream", "An event for everything that happens from now on, or after that event."),
                .problem(503, "There are too many listeners."),
            ]
        ) { api, request, _ in .events(api.state, after: request.lastEventID) },
        ControlOperation(
            "POST", "/api/reset", "reset", "restores the initial state of everything", [.none("The world is reset.")]
        ) { api, _, _ in api.reset() },
    ]
}
