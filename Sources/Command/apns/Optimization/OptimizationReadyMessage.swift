import OptimizationSimulator
import PushDispatch

/// Where the optimization services are and how to use them.
struct OptimizationReadyMessage {
    let url: String
    let configuration: OptimizationConfiguration
    let isJSON: Bool

    func show() {
        let output = Output.standard
        if isJSON {
            let line: [(key: String, value: JSONValue)] = [
                ("event", "ready"), ("url", .string(url)), ("client-id", .string(configuration.clientID)),
                ("environment", .string(configuration.environment)), ("space", .string(configuration.space)),
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
        let names = configuration.experiences.prefix(10).map { PlainText.safe($0.id) }
        let profiles =
            "\(url)/v2/organizations/\(configuration.clientID)/environments/\(configuration.environment)/profiles"
        return """
            The simulated optimization services are running.

              profiles       \(profiles)
              analytics      \(url)/v1/organizations/\(configuration.clientID)/environments/\(configuration.environment)/events
              entries        \(url)/spaces/\(configuration.space)/environments/\(configuration.environment)/entries
              access token   \(configuration.accessToken)
              page           \(url)/
              experiences    \(names.isEmpty ? "none" : names.joined(separator: ", "))

            Make a profile, and see which variants it gets:

              curl -H 'Content-Type: text/plain' \
            -d '{"events":[{"type":"identify","userId":"u-1","traits":{"plan":"gold"}}]}' \(profiles)

            Ctrl-C stops the services.
            """
    }
}
