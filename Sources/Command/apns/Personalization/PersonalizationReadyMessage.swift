import PersonalizationSimulator
import PushDispatch

/// Where the decision service is and how to use it.
struct PersonalizationReadyMessage {
    let url: String
    let configuration: ServiceConfiguration
    let isJSON: Bool

    func show() {
        let output = Output.standard
        if isJSON {
            let line: [(key: String, value: JSONValue)] = [
                ("event", "ready"), ("url", .string(url)), ("app-source-id", .string(configuration.appSourceID)),
                ("dataspace", .string(configuration.dataSpaces.first ?? "default")),
                ("access-token", .string(configuration.accessToken)),
            ]
            var bytes: [UInt8] = []
            JSONValue.appendObject(line, to: &bytes)
            output.write(bytes + [0x0a])
        } else {
            output.result(text)
        }
        output.flush()
    }

    private var text: String {
        let names = configuration.points.prefix(10).map { PlainText.safe($0.name) }
        let point = names.first ?? "home_hero"
        return """
            The simulated decision service is running.

              decisions      \(url)/personalization/decisions
              events         \(url)/web/events/\(configuration.appSourceID)
              access token   \(configuration.accessToken)
              page           \(url)/
              points         \(names.isEmpty ? "none" : names.joined(separator: ", "))

            Ask for a decision:

              curl -H 'Content-Type: application/json' \
            -d '{"context":{"individualId":"d-1"},"personalizationPoints":[{"name":"\(point)"}]}' \
            \(url)/personalization/decisions

            Ctrl-C stops the service.
            """
    }
}
