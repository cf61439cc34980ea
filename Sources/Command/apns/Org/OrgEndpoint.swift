import ArgumentParser
import DeviceSimulator
import PushDispatch

/// The address of a running org, for the subcommands that call it.
struct OrgEndpoint: ParsableArguments {
    static let defaultPort = 8446
    static let version = "v66.0"
    /// The environment variable with the control token.
    static let controlTokenVariable = "APNS_ORG_CONTROL_TOKEN"

    @Option(help: ArgumentHelp("The address of the org.", valueName: "url"))
    var at = "http://127.0.0.1:\(OrgEndpoint.defaultPort)"

    func validate() throws {
        guard ControlEndpoint(url: at) != nil else {
            throw ValidationError("--at \(at): it must be a URL like http://127.0.0.1:\(OrgEndpoint.defaultPort)")
        }
    }

    /// Calls the control API, with the control token of the environment where there is one.
    ///
    /// - Returns: The JSON of the answer; null for an answer without a body.
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        guard let endpoint = ControlEndpoint(url: at, token: System.environment(OrgEndpoint.controlTokenVariable))
        else {
            return .null
        }
        let response: ControlClient.Response
        do {
            response = try await ControlClient(endpoint: endpoint).call(
                method: method, "/simulator/\(path)", body: body?.compactBytes)
        } catch let error as DeviceError where error.code == .unreachable {
            throw CommandError(
                "no org answers at \(endpoint): is it running? Start it with: \(ShellText.command) org"
            )
        } catch let error as DeviceError {
            throw CommandError(error.detail)
        }
        let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 32, maximumValues: 200_000)
        let json = response.body.isEmpty ? .null : try? JSONReader.read(response.body, limits: limits)
        guard let json else {
            throw CommandError("\(endpoint) answered with something other than JSON: is it an org?")
        }
        guard (200..<300).contains(response.status) else {
            let detail = json.object?["detail"]?.string ?? "no reason given"
            throw CommandError(PlainText.safe("the org answered \(response.status): \(detail)"), .no)
        }
        return json
    }
}
