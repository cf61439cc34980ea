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
        let client = ControlClient(endpoint: endpoint)
        let response: ControlClient.Response
        do {
            response = try await client.call(
                method: method, "/simulator/\(path)", body: body?.compactBytes, limit: OrgEndpoint.maximumAnswerBytes)
        } catch let error as DeviceError {
            throw OrgEndpoint.failure(error.code, error.detail, at: endpoint)
        }
        let json = response.body.isEmpty ? .null : try? JSONReader.read(response.body, limits: OrgEndpoint.limits)
        guard let json else { throw OrgEndpoint.notAnOrg(endpoint) }
        guard (200..<300).contains(response.status) else {
            if response.status == 404, await OrgEndpoint.isOther(client) { throw OrgEndpoint.notAnOrg(endpoint) }
            let detail = json.object?["detail"]?.string ?? "no reason given"
            throw CommandError(PlainText.safe("the org answered \(response.status): \(detail)"), .no)
        }
        return json
    }

    private static let limits = JSONLimits(
        maximumBytes: OrgEndpoint.maximumAnswerBytes, maximumDepth: 32, maximumValues: 4_000_000)

    private static func notAnOrg(_ endpoint: ControlEndpoint) -> CommandError {
        CommandError(
            "what answers at \(endpoint) is not an org; start one with: \(ShellText.command) org --port PORT, and give "
                + "that address")
    }

    /// Whether something other than an org answers, such as the decision service, whose default port is the same.
    private static func isOther(_ client: ControlClient) async -> Bool {
        guard
            let answer = try? await client.call(
                method: "GET", "/simulator/", limit: OrgEndpoint.maximumAnswerBytes)
        else { return false }
        return !isState((try? JSONReader.read(answer.body, limits: OrgEndpoint.limits)) ?? .null)
    }

    /// Whether it is an org's answer to `GET /simulator/`.
    static func isState(_ answer: JSONValue) -> Bool {
        answer.object?["users"]?.array != nil && answer.object?["objects"]?.array != nil
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
