import ArgumentParser
import DeviceSimulator
import PushDispatch

/// The address of a running org, for the subcommands that call it.
struct OrgEndpoint: ParsableArguments {
    static let defaultPort = 8446
    static let version = "v66.0"
    /// The environment variable with the control token.
    static let controlTokenVariable = "APNS_ORG_CONTROL_TOKEN"
    /// The largest answer that is read. A thousand records with a long text each are about as large.
    static let maximumAnswerBytes = 32 << 20

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
                method: method, "/simulator/\(path)", body: body?.compactBytes, limit: OrgEndpoint.maximumAnswerBytes)
        } catch let error as DeviceError {
            throw OrgEndpoint.failure(error.code, error.detail, at: endpoint)
        }
        let limits = JSONLimits(
            maximumBytes: OrgEndpoint.maximumAnswerBytes, maximumDepth: 32, maximumValues: 4_000_000)
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

    /// What the command says of a call that got no answer.
    static func failure(
        _ code: DeviceError.Code, _ detail: String, at endpoint: ControlEndpoint
    ) -> CommandError {
        switch code {
        case .unreachable:
            CommandError("no org answers at \(endpoint): is it running? Start it with: \(ShellText.command) org")
        case .tooLarge:
            CommandError("\(detail): list fewer records with --limit, or explain one record of the change")
        default: CommandError(detail)
        }
    }
}
