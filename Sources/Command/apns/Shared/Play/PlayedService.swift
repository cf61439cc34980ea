import APNSModel
import DeviceSimulator
import PushDispatch

/// A running service that a script is played against.
struct PlayedService {
    /// How messages name it: `decision service`.
    let name: String
    /// Before the name: a or an.
    let article: String
    /// The subcommand that starts it.
    let command: String
    /// The environment variable with its control token.
    let tokenVariable: String

    /// What `GET /health` tells, and the service's time of day.
    struct Health {
        /// Without a slash at the end.
        let url: String
        let facts: [String: JSONValue]
        /// Since 1970.
        let milliseconds: Int64
    }

    /// - Parameters:
    ///   - url: An address without a path.
    ///   - keys: What it has to tell, as texts.
    func health(_ url: String, keys: [String]) async throws(CommandError) -> Health {
        let token = System.environment(tokenVariable)
        guard let endpoint = ControlEndpoint(url: url, token: token) else {
            throw CommandError("\(url) is not the address of a service")
        }
        let response: ControlClient.Response
        do {
            response = try await ControlClient(endpoint: endpoint).call(method: "GET", "/health")
        } catch let error as DeviceError where error.code == .unreachable {
            throw CommandError(
                "no \(name) answers at \(endpoint): is it running? Start it with: \(ShellText.command) \(command)")
        } catch let error as DeviceError where error.code == .unknownHost {
            throw CommandError(error.detail)
        } catch {
            throw CommandError("\(endpoint) does not answer as \(article) \(name): \(error)")
        }
        let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 16, maximumValues: 10_000)
        let facts = (try? JSONReader.read(response.body, limits: limits).object) ?? [:]
        // Without the control token there is nothing but the status. With another one the answer is 401.
        guard response.status != 401, token != nil || facts != ["status": "ok"] else {
            throw CommandError(
                token == nil
                    ? "the service at \(endpoint) has a control token; set \(tokenVariable) to it"
                    : "the value of \(tokenVariable) is not the control token of the service at \(endpoint); set it to "
                        + "the one that the service was started with")
        }
        guard keys.allSatisfy({ facts[$0]?.string != nil }), let now = facts["clock"]?.object?["now"]?.string,
            let milliseconds = TimeText.milliseconds(ofTime: now)
        else {
            throw CommandError(
                "what answers at \(endpoint) is not \(article) \(name); start one with: \(ShellText.command) "
                    + command)
        }
        return Health(url: url.hasSuffix("/") ? String(url.dropLast()) : url, facts: facts, milliseconds: milliseconds)
    }
}
